// The requester that has sent the fewest bytes goes first, so that one with short messages, or few, gets its share.
//
// Source: Demers, Keshav and Shenker, "Analysis and simulation of a fair queueing algorithm", SIGCOMM 1989. Modelled:
// the virtual time at which a message would have ended if all requesters with messages had shared the bandwidth evenly,
// in bytes. Differs: a requester without messages keeps its place up to a number of bytes, since the arbitration does
// not hear when messages arrive. State: the virtual end of each requester's latest message, and the virtual time.
// Invariant: the virtual time never falls.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "warpsim/arbitration.h"

namespace warpsim::mechanism {

class LeastSent final : public Arbitration {
 public:
  struct Settings {
    std::uint32_t saved_bytes = 1024;  // assumed: some messages with whole lines

    void describe(Keys& keys) {
      keys.integer("saved_bytes", saved_bytes, 0, 1U << 30U,
                   "bytes that a requester which has sent less than others may send before them at most");
    }
  };

  LeastSent(const Settings& settings, const ArbitrationSite& site, Counters& /*counters*/)
      : saved_bytes_(settings.saved_bytes), ends_(site.requesters) {}

  bool before(const ArbitrationOffer& a, const ArbitrationOffer& b) const override {
    const std::uint64_t end_a = end_of(a);
    const std::uint64_t end_b = end_of(b);
    return end_a != end_b ? end_a < end_b : a.requester < b.requester;
  }
  void sent(const ArbitrationOffer& offer, Cycle /*now*/) override {
    const std::uint64_t end = end_of(offer);
    ends_[offer.requester] = end;
    time_ = std::max(time_, end - offer.bytes);
  }

 private:
  std::uint64_t end_of(const ArbitrationOffer& offer) const {
    const std::uint64_t earliest = time_ - std::min(time_, saved_bytes_);
    return std::max(ends_[offer.requester], earliest) + offer.bytes;
  }

  std::uint64_t saved_bytes_;
  std::vector<std::uint64_t> ends_;
  std::uint64_t time_ = 0;
};

}  // namespace warpsim::mechanism
