#include "mechanisms/warp_schedulers/youngest_first.h"

#include <bit>

namespace warpsim::mechanism {

YoungestFirst::YoungestFirst(const Settings& /*settings*/, const WarpSchedulerSite& /*site*/, Counters& /*counters*/) {}

void YoungestFirst::warp_arrived(std::uint32_t slot, std::uint64_t /*block*/, Cycle /*now*/) {
  arrival_[slot] = ++arrivals_;
}

void YoungestFirst::warp_left(std::uint32_t slot) {
  greedy_ &= ~(WarpMask{1} << slot);
  yielded_ &= ~(WarpMask{1} << slot);
}

std::uint32_t YoungestFirst::pick(WarpMask candidates, Cycle /*now*/) const {
  if ((candidates & greedy_) != 0) {
    return static_cast<std::uint32_t>(std::countr_zero(greedy_));
  }
  const WarpMask others = candidates & ~yielded_;
  WarpMask mask = others != 0 ? others : candidates;
  auto youngest = static_cast<std::uint32_t>(std::countr_zero(mask));
  for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    youngest = arrival_[slot] > arrival_[youngest] ? slot : youngest;
  }
  return youngest;
}

void YoungestFirst::issued(const IssuedInstruction& instruction) {
  const WarpMask warp = WarpMask{1} << instruction.slot;
  greedy_ = instruction.yields ? 0 : warp;
  yielded_ = instruction.yields ? warp : 0;
}

}  // namespace warpsim::mechanism
