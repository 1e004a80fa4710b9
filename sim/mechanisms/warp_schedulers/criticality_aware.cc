#include "mechanisms/warp_schedulers/criticality_aware.h"

#include <bit>

namespace warpsim::mechanism {

void CriticalityAware::Settings::describe(Keys& keys) {
  keys.integer("cycles_per_instruction", cycles_per_instruction, 0, 10000,
               "cycles of waiting that count as much as one instruction less than the block's first warp");
}

CriticalityAware::CriticalityAware(const Settings& settings, const WarpSchedulerSite& /*site*/, Counters& counters)
    : cycles_per_instruction_(settings.cycles_per_instruction),
      changes_(counters.add("critical_warp_changes", CounterUnit::kEvents,
                            "choices of the most critical warp because the one before did not go on")) {}

void CriticalityAware::warp_arrived(std::uint32_t slot, std::uint64_t block, Cycle now) {
  Warp& warp = warps_[slot];
  warp = {block, ++arrivals_, 0, 0, now};
  for (WarpMask mask = resident_; mask != 0; mask &= mask - 1) {
    const Warp& other = warps_[static_cast<std::uint32_t>(std::countr_zero(mask))];
    if (other.block == block) {
      warp.most_issued = other.most_issued;
    }
  }
  resident_ |= WarpMask{1} << slot;
}

void CriticalityAware::warp_left(std::uint32_t slot) {
  resident_ &= ~(WarpMask{1} << slot);
  greedy_ &= ~(WarpMask{1} << slot);
}

bool CriticalityAware::more_critical(const Warp& warp, const Warp& than, Cycle now) const {
  const std::uint64_t a = criticality(warp, now);
  const std::uint64_t b = criticality(than, now);
  return a != b ? a > b : warp.arrival < than.arrival;
}

std::uint32_t CriticalityAware::pick(WarpMask candidates, Cycle now) const {
  if ((candidates & greedy_) != 0) {
    return static_cast<std::uint32_t>(std::countr_zero(greedy_));
  }
  auto best = static_cast<std::uint32_t>(std::countr_zero(candidates));
  for (WarpMask mask = candidates & (candidates - 1); mask != 0; mask &= mask - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    best = more_critical(warps_[slot], warps_[best], now) ? slot : best;
  }
  return best;
}

void CriticalityAware::issued(const IssuedInstruction& instruction) {
  const WarpMask bit = WarpMask{1} << instruction.slot;
  if ((greedy_ & bit) == 0) {
    ++changes_;
  }
  greedy_ = instruction.yields ? 0 : bit;
  Warp& warp = warps_[instruction.slot];
  warp.last_issue = instruction.now;
  if (++warp.issued <= warp.most_issued) {
    return;
  }
  for (WarpMask mask = resident_; mask != 0; mask &= mask - 1) {
    Warp& other = warps_[static_cast<std::uint32_t>(std::countr_zero(mask))];
    if (other.block == warp.block) {
      other.most_issued = warp.issued;
    }
  }
}

}  // namespace warpsim::mechanism
