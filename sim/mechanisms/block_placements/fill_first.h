// Each SM is filled before the next one gets a block: the fewest SMs for a grid, a bound for studies of placement.
#pragma once

#include <cstdint>

#include "warpsim/block_placement.h"

namespace warpsim::mechanism {

class FillFirst final : public BlockPlacement {
 public:
  FillFirst(const Settings& /*settings*/, const BlockPlacementSite& /*site*/, Counters& /*counters*/) {}

  std::uint32_t choose(const SmSpace* sms, std::uint64_t /*left*/) override {
    std::uint32_t sm = 0;
    while (sms[sm].room == 0) {
      ++sm;
    }
    return sm;
  }
};

}  // namespace warpsim::mechanism
