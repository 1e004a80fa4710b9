// GPC by GPC: the SMs of a GPC are filled evenly before the next GPC gets a block, so that neighbouring blocks share a
// GPC (its instruction and constant cache, its L2 request coalescer and its part of the crossbar).
#pragma once

#include <cstdint>
#include <vector>

#include "warpsim/block_placement.h"

namespace warpsim::mechanism {

class GpcFirst final : public BlockPlacement {
 public:
  GpcFirst(const Settings& /*settings*/, const BlockPlacementSite& site, Counters& /*counters*/)
      : gpc_of_sm_(site.gpc_of_sm, site.gpc_of_sm + site.sms) {}

  std::uint32_t choose(const SmSpace* sms, std::uint64_t /*left*/) override {
    std::uint32_t best = kNone;
    for (std::uint32_t sm = 0; sm < gpc_of_sm_.size(); ++sm) {
      if (sms[sm].room > 0 && (best == kNone || goes_before(sms, sm, best))) {
        best = sm;
      }
    }
    return best;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  bool goes_before(const SmSpace* sms, std::uint32_t sm, std::uint32_t other) const {
    return gpc_of_sm_[sm] != gpc_of_sm_[other] ? gpc_of_sm_[sm] < gpc_of_sm_[other]
                                               : sms[sm].resident < sms[other].resident;
  }

  std::vector<std::uint32_t> gpc_of_sm_;
};

}  // namespace warpsim::mechanism
