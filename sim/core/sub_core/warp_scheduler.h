// The warp scheduler of one sub-core: which of the eligible warps issues.
//
// Policies: oldest_block (keep the last warp, else the youngest warp of the block that arrived first: measured on 9.0,
// tests/hardware/issue_order), cggty (keep the last warp, else the youngest: Huerta et al., MICRO 2025, for 7.5 and
// 8.x), gto (keep the last warp, else the oldest), lrr (loose round robin), two_level (round robin over a small active
// set; a warp that is not eligible leaves it for the oldest eligible one outside).
// Other policies are mechanisms (warpsim/warp_scheduler.h).
// Under oldest_block and cggty a warp whose instruction yields has lower priority than those that have not yielded, for
// a time or until it is chosen among warps that have all yielded. On hardware the yield flags of the compiler decide
// how evenly warps share a pipe: without flags the first two or three run until they end (tests/hardware/pipe_sharing).
// Invariant: the order of resident warps is fixed when they arrive, so that a choice compares one number per warp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "base/types.h"
#include "config/config_section.h"
#include "mechanisms/mechanism_choice.h"

namespace warpsim {

inline constexpr std::uint32_t kMaxWarpsPerSubCore = mechanism::kMaxWarpSlots;
using WarpMask = mechanism::WarpMask;  // bit i: warp slot i of a sub-core

enum class SchedulerPolicy : std::uint8_t { kOldestBlock, kCggty, kGto, kLrr, kTwoLevel, kMechanism };

struct WarpSchedulerConfig {
  SchedulerPolicy policy = SchedulerPolicy::kCggty;
  std::uint32_t two_level_active_warps = 8;
  std::uint32_t yield_cycles = 100;  // oldest_block, cggty: time for which a warp that yielded has lower priority
  MechanismChoice<mechanism::WarpScheduler> mechanism;  // of kMechanism
};
void describe(ConfigSection& section, WarpSchedulerConfig& config);

class WarpScheduler {
 public:
  // Counters of a mechanism are added to `parent`, which may be null without a mechanism.
  explicit WarpScheduler(const WarpSchedulerConfig& config, const mechanism::WarpSchedulerSite& site = {},
                         LaunchStatsNode* parent = nullptr);

  // A warp becomes resident in a slot; later arrivals are younger. Later blocks of the SM have higher numbers, and the
  // warps of a block arrive together.
  void warp_arrived(std::uint32_t slot, std::uint64_t block, Cycle now);
  void warp_left(std::uint32_t slot);
  // The warp to try first among `candidates` (not empty). Has no effect on state: repeated calls give the same
  // result.
  std::uint32_t pick(WarpMask candidates, Cycle now) const;
  // Fetch follows the warp that issued last, else the first in the order of oldest_block or cggty; a mechanism picks as
  // for an issue.
  std::uint32_t pick_for_fetch(WarpMask candidates, Cycle now) const {
    if (mechanism_) [[unlikely]] {
      return pick_of_mechanism(candidates, now);
    }
    return (candidates >> last_ & 1U) != 0 ? last_ : highest(candidates);
  }
  void issued(std::uint32_t slot, WarpMask eligible);
  bool has_mechanism() const { return mechanism_ != nullptr; }
  // The same for a mechanism, in addition. `seat` of the warp's launch.
  void tell_mechanism(const mechanism::IssuedInstruction& instruction, LaunchSeat seat) {
    counters_->select(seat);
    mechanism_->issued(instruction);
  }
  // --- what a mechanism hears of L1, and loads that it withholds (warpsim/warp_scheduler.h) ---
  bool watches_l1() const { return mechanism_ != nullptr && mechanism_->watches_l1(); }
  // `seat` of the launch that causes it.
  void looked_up(const mechanism::L1Lookup& lookup, LaunchSeat seat) {
    counters_->select(seat);
    mechanism_->looked_up(lookup);
  }
  void lost(const mechanism::L1Loss& loss, LaunchSeat seat) {
    counters_->select(seat);
    mechanism_->lost(loss);
  }
  bool withholds() const { return withholds_; }
  // The warps of `ready` that may issue at `now`; `loads` of them load. ConfigError for an answer that the interface
  // does not allow.
  WarpMask not_withheld(WarpMask ready, WarpMask loads, Cycle now);
  // The instruction just issued yields: other warps get precedence.
  void yielded(std::uint32_t slot, Cycle now) {
    yielded_ |= WarpMask{1} << slot;
    yielded_until_[slot] = now + config_.yield_cycles;
    next_end_ = std::min(next_end_, yielded_until_[slot]);
  }
  // Must be called before picks at `now`.
  void forget_yields(Cycle now) {
    if (next_end_ <= now) {
      end_yields(now);
    }
  }

 private:
  std::uint32_t lowest(WarpMask mask) const;
  std::uint32_t highest(WarpMask mask) const;
  std::uint32_t highest_of_round(WarpMask mask) const;
  std::uint32_t next_in_turn(WarpMask mask) const;
  void end_yields(Cycle now);
  std::uint32_t pick_of_mechanism(WarpMask candidates, Cycle now) const;

  WarpSchedulerConfig config_;
  // oldest_block: higher for older blocks, and in a block for younger warps; other policies: higher for younger warps.
  std::array<std::int64_t, kMaxWarpsPerSubCore> rank_{};
  std::int64_t arrivals_ = 0;         // of warps; under oldest_block those of the latest block
  std::uint64_t arriving_block_ = 0;  // the latest
  std::uint32_t last_ = 0;
  WarpMask active_ = 0;   // two_level: the active set
  WarpMask yielded_ = 0;  // oldest_block, cggty: have lower priority
  Cycle next_end_ = kNever;
  std::array<Cycle, kMaxWarpsPerSubCore> yielded_until_{};
  std::unique_ptr<MechanismCounters> counters_;  // of a mechanism
  std::unique_ptr<mechanism::WarpScheduler> mechanism_;
  bool withholds_ = false;             // a mechanism
  Cycle all_withheld_since_ = kNever;  // all ready warps
};

}  // namespace warpsim
