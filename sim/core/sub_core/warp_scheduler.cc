#include "core/sub_core/warp_scheduler.h"

#include <fmt/format.h>

#include <bit>

#include "base/check.h"
#include "base/error.h"

namespace warpsim {

namespace {

// Of the interface: more than any access to memory takes.
constexpr Cycle kMostWithheldCycles = 1'000'000;
constexpr std::int64_t kBlockStride = 1 << 16;  // between the ranks of two blocks: more than a block has warps

}  // namespace

void describe(ConfigSection& section, WarpSchedulerConfig& config) {
  describe_mechanism(
      section, "policy", config.policy,
      {{"oldest_block", SchedulerPolicy::kOldestBlock},
       {"cggty", SchedulerPolicy::kCggty},
       {"gto", SchedulerPolicy::kGto},
       {"lrr", SchedulerPolicy::kLrr},
       {"two_level", SchedulerPolicy::kTwoLevel}},
      SchedulerPolicy::kMechanism, config.mechanism,
      "which eligible warp issues: the one that issued last, else the youngest of the oldest block "
      "(oldest_block), the youngest (cggty) or the oldest (gto); round robin; two-level; or a mechanism");
  section.integer("two_level_active_warps", config.two_level_active_warps, 1, kMaxWarpsPerSubCore,
                  "size of the active set of the two_level policy");
  section.integer("yield_cycles", config.yield_cycles, 1, 10000,
                  "time for which a warp that yielded has lower priority than the others under oldest_block and cggty");
}

WarpScheduler::WarpScheduler(const WarpSchedulerConfig& config, const mechanism::WarpSchedulerSite& site,
                             LaunchStatsNode* parent)
    : config_(config) {
  if (config.mechanism.chosen()) {
    SIM_CHECK(parent != nullptr, "a scheduling mechanism needs a place for its counters");
    counters_ = std::make_unique<MechanismCounters>(*parent, "scheduler");
    mechanism_ = config.mechanism.make(site, *counters_);
    withholds_ = mechanism_->withholds();
  }
}

void WarpScheduler::warp_arrived(std::uint32_t slot, std::uint64_t block, Cycle now) {
  if (mechanism_) {
    mechanism_->warp_arrived(slot, block, now);
  }
  if (config_.policy != SchedulerPolicy::kOldestBlock) {
    rank_[slot] = ++arrivals_;
    return;
  }
  arrivals_ = block == arriving_block_ ? arrivals_ + 1 : 0;
  arriving_block_ = block;
  rank_[slot] = arrivals_ - kBlockStride * static_cast<std::int64_t>(block);
}

void WarpScheduler::warp_left(std::uint32_t slot) {
  active_ &= ~(WarpMask{1} << slot);
  yielded_ &= ~(WarpMask{1} << slot);
  if (mechanism_) {
    mechanism_->warp_left(slot);
  }
}

std::uint32_t WarpScheduler::lowest(WarpMask mask) const {
  std::uint32_t best = static_cast<std::uint32_t>(std::countr_zero(mask));
  for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
    const std::uint32_t slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    best = rank_[slot] < rank_[best] ? slot : best;
  }
  return best;
}

std::uint32_t WarpScheduler::highest(WarpMask mask) const {
  std::uint32_t best = static_cast<std::uint32_t>(std::countr_zero(mask));
  for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
    const std::uint32_t slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    best = rank_[slot] > rank_[best] ? slot : best;
  }
  return best;
}

std::uint32_t WarpScheduler::highest_of_round(WarpMask mask) const {
  const WarpMask fresh = mask & ~yielded_;
  return highest(fresh != 0 ? fresh : mask);
}

void WarpScheduler::end_yields(Cycle now) {
  next_end_ = kNever;
  for (WarpMask mask = yielded_; mask != 0; mask &= mask - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    if (yielded_until_[slot] <= now) {
      yielded_ &= ~(WarpMask{1} << slot);
    } else {
      next_end_ = std::min(next_end_, yielded_until_[slot]);
    }
  }
}

std::uint32_t WarpScheduler::next_in_turn(WarpMask mask) const {
  const WarpMask after = last_ + 1 < kMaxWarpsPerSubCore ? mask & (~WarpMask{0} << (last_ + 1)) : 0;
  return static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : mask));
}

std::uint32_t WarpScheduler::pick_of_mechanism(WarpMask candidates, Cycle now) const {
  const std::uint32_t slot = mechanism_->pick(candidates, now);
  if (slot >= kMaxWarpsPerSubCore || (candidates >> slot & 1U) == 0) {
    throw ConfigError(fmt::format("warp scheduler '{}' picked slot {}, expected one of the candidates {:#x}",
                                  config_.mechanism.name(), slot, candidates));
  }
  return slot;
}

WarpMask WarpScheduler::not_withheld(WarpMask ready, WarpMask loads, Cycle now) {
  const WarpMask withheld = loads != 0 ? mechanism_->withheld(loads, now) : 0;
  if ((withheld & ~loads) != 0) {
    throw ConfigError(fmt::format("warp scheduler '{}' withheld the warps {:#x}, expected some of {:#x}, which load",
                                  config_.mechanism.name(), withheld, loads));
  }
  if (ready != withheld) {
    all_withheld_since_ = kNever;
    return ready & ~withheld;
  }
  all_withheld_since_ = std::min(all_withheld_since_, now);
  if (now - all_withheld_since_ >= kMostWithheldCycles) {
    throw ConfigError(fmt::format("warp scheduler '{}' has withheld all ready warps of a sub-core for {} cycles",
                                  config_.mechanism.name(), kMostWithheldCycles));
  }
  return 0;
}

std::uint32_t WarpScheduler::pick(WarpMask candidates, Cycle now) const {
  const bool last_is_candidate = (candidates >> last_ & 1U) != 0;
  switch (config_.policy) {
    case SchedulerPolicy::kOldestBlock:
    case SchedulerPolicy::kCggty:
      return last_is_candidate && (yielded_ >> last_ & 1U) == 0 ? last_ : highest_of_round(candidates);
    case SchedulerPolicy::kGto:
      return last_is_candidate ? last_ : lowest(candidates);
    case SchedulerPolicy::kLrr:
      return next_in_turn(candidates);
    case SchedulerPolicy::kTwoLevel: {
      const WarpMask active = candidates & active_;
      return active != 0 ? next_in_turn(active) : lowest(candidates);
    }
    case SchedulerPolicy::kMechanism:
      return pick_of_mechanism(candidates, now);
  }
  return last_;
}

void WarpScheduler::issued(std::uint32_t slot, WarpMask eligible) {
  last_ = slot;
  const bool alone = (eligible & ~(WarpMask{1} << slot)) == 0;
  if ((yielded_ >> slot & 1U) != 0 && !alone) {  // all that can issue have yielded: the next round begins
    yielded_ = 0;
    next_end_ = kNever;
  }
  if (config_.policy != SchedulerPolicy::kTwoLevel || (active_ >> slot & 1U) != 0) {
    return;
  }
  // The new warp takes a free place, or that of the oldest active warp that is not eligible.
  if (static_cast<std::uint32_t>(std::popcount(active_)) >= config_.two_level_active_warps) {
    const WarpMask waiting = active_ & ~eligible;
    active_ &= ~(WarpMask{1} << lowest(waiting != 0 ? waiting : active_));
  }
  active_ |= WarpMask{1} << slot;
}

}  // namespace warpsim
