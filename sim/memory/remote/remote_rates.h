// The rates of a GPU's links, by direction: NVLink's and PCIe's. What passes a link in one direction shares its rate.
//
// Copies between GPUs, and between the host and a GPU, take a part of them (set_shares()): what they leave is that of
// accesses. A GPU without NVLink reaches other GPUs over PCIe: such packets take the rate of the way between GPUs, and
// that of the link to the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "memory/rate_limiter.h"
#include "memory/remote/link_config.h"
#include "memory/remote/link_shares.h"

namespace warpsim {

// One direction of a link, of which copies take a part at times.
class SharedRate {
 public:
  explicit SharedRate(double bytes_per_cycle) : rate_(bytes_per_cycle) {}

  bool ready(Cycle now) const { return rate_.ready(now); }
  Cycle ready_at() const { return rate_.ready_at(); }
  void use(Cycle now, std::uint32_t bytes) {
    while (!changes_.empty() && changes_.front().at <= now) {
      share_ = changes_.front().share;
      changes_.erase(changes_.begin());
    }
    rate_.use(now, share_ == 1 ? bytes : static_cast<std::uint64_t>(std::llround(bytes / share_)));
  }
  // From a cycle on, which is not before those of earlier calls.
  void set_share(double share, Cycle at) { changes_.push_back({at, share}); }

 private:
  struct Change {
    Cycle at = 0;
    double share = 1;
  };
  RateLimiter rate_;
  double share_ = 1;
  std::vector<Change> changes_;  // of the future
};

// One direction of a way: one or two links.
class RemoteLane {
 public:
  RemoteLane(SharedRate& rate, SharedRate* shared) : rate_(&rate), shared_(shared) {}

  bool ready(Cycle now) const { return rate_->ready(now) && (shared_ == nullptr || shared_->ready(now)); }
  Cycle ready_at() const { return std::max(rate_->ready_at(), shared_ == nullptr ? Cycle{0} : shared_->ready_at()); }
  void use(Cycle now, std::uint32_t bytes) {
    rate_->use(now, bytes);
    if (shared_ != nullptr) {
      shared_->use(now, bytes);
    }
  }

 private:
  SharedRate* rate_;
  SharedRate* shared_;
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

  // Accesses have this much of the rates from a cycle on, which is not before those of earlier calls.
  void set_shares(const LinkShares& shares, Cycle at) {
    peer_out_.set_share(shares.to_peers, at);
    peer_in_.set_share(shares.from_peers, at);
    host_out_.set_share(shares.to_host, at);
    host_in_.set_share(shares.from_host, at);
  }

 private:
  static double bytes_per_cycle(const LinkConfig& link, double mhz) { return link.bandwidth_gb_per_s * 1000 / mhz; }

  SharedRate peer_out_;
  SharedRate peer_in_;
  SharedRate host_out_;
  SharedRate host_in_;
};

}  // namespace warpsim
