// The rates of a GPU's links, by direction: NVLink's and PCIe's. What passes a link in one direction shares its rate.
//
// A GPU without NVLink reaches other GPUs over PCIe: such packets take the rate of the way between GPUs, and that of
// the link to the host.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory/link_config.h"
#include "memory/rate_limiter.h"

namespace warpsim {

// One direction of a way: one or two links.
class RemoteLane {
 public:
  RemoteLane(RateLimiter& rate, RateLimiter* shared) : rate_(&rate), shared_(shared) {}

  bool ready(Cycle now) const { return rate_->ready(now) && (shared_ == nullptr || shared_->ready(now)); }
  Cycle ready_at() const { return std::max(rate_->ready_at(), shared_ == nullptr ? Cycle{0} : shared_->ready_at()); }
  void use(Cycle now, std::uint32_t bytes) {
    rate_->use(now, bytes);
    if (shared_ != nullptr) {
      shared_->use(now, bytes);
    }
  }

 private:
  RateLimiter* rate_;
  RateLimiter* shared_;
};

class RemoteRates {
 public:
  // `mhz`: clock of the cycles.
  RemoteRates(const LinksConfig& config, double mhz)
      : peer_out_(bytes_per_cycle(config.peer, mhz)),
        peer_in_(bytes_per_cycle(config.peer, mhz)),
        host_out_(bytes_per_cycle(config.host, mhz)),
        host_in_(bytes_per_cycle(config.host, mhz)) {}
  RemoteRates(const RemoteRates&) = delete;
  RemoteRates& operator=(const RemoteRates&) = delete;

  RemoteLane to_peer(bool over_pcie) { return {peer_out_, over_pcie ? &host_out_ : nullptr}; }
  RemoteLane from_peer(bool over_pcie) { return {peer_in_, over_pcie ? &host_in_ : nullptr}; }
  RemoteLane to_host() { return {host_out_, nullptr}; }
  RemoteLane from_host() { return {host_in_, nullptr}; }

 private:
  static double bytes_per_cycle(const LinkConfig& link, double mhz) { return link.bandwidth_gb_per_s * 1000 / mhz; }

  RateLimiter peer_out_;
  RateLimiter peer_in_;
  RateLimiter host_out_;
  RateLimiter host_in_;
};

}  // namespace warpsim
