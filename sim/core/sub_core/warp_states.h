// The state of each resident warp of a sub-core, and the stall reasons of its cycles.
//
// A warp is in exactly one of the sets: ready (may issue, as far as the warp is concerned), timed (examined again at a
// known cycle), waiting (examined again after an event) or examine (in this tick). Its cycles are attributed to
// one stall reason at a time, at transitions only, so that skipped cycles are counted like any others.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/sub_core/stall_reason.h"
#include "core/sub_core/sub_core_stats.h"
#include "core/sub_core/warp_scheduler.h"
#include "stats/hot_spot_table.h"
#include "stats/timeline_part.h"

namespace warpsim {

static_assert(kHotSpotStalls == kStallReasonCount);

class WarpStates {
 public:
  static constexpr std::uint32_t kNoInstruction = TimelinePart::kNoInstruction;

  explicit WarpStates(std::uint32_t slots) : warps_(slots) {}

  static constexpr WarpMask bit(std::uint32_t slot) { return WarpMask{1} << slot; }

  WarpMask resident() const { return resident_; }
  WarpMask ready() const { return ready_; }
  bool waiting(std::uint32_t slot) const { return (waiting_ & bit(slot)) != 0; }
  StallReason reason(std::uint32_t slot) const { return warps_[slot].reason; }
  Cycle since(std::uint32_t slot) const { return warps_[slot].since; }
  // Earliest timer of the timed warps.
  Cycle next_timer() const { return next_timer_; }

  // From now on the cycles of the slot's warp are also attributed to instructions of `table`: those that an instruction
  // holds the warp for after it has issued (barrier, fence, sleep, drain) to `issued`, all others to `next`, which the
  // warp waits to issue; to none where that is kNoInstruction, or if there is no table.
  void attribute(std::uint32_t slot, HotSpotTable* table, std::uint32_t next, std::uint32_t issued) {
    if (instructions_.empty()) {
      if (table == nullptr) {
        return;
      }
      instructions_.resize(warps_.size());
      watched_ = true;
    }
    instructions_[slot] = table != nullptr ? Instructions{table, next, issued} : Instructions{};
  }

  // The state of each slot's warp is recorded on the slot's track, if it has one; `names` begins with that of the first
  // reason.
  void show(TimelinePart* timeline, std::vector<TimelinePart::Track> tracks, TimelinePart::Name names) {
    timeline_ = timeline;
    tracks_ = std::move(tracks);
    reason_names_ = names;
    watched_ = watched_ || timeline != nullptr;
  }

  // The cycles of the warp are counted in `stalled`, those of its launch.
  void admit(std::uint32_t slot, StallCounters& stalled, Cycle now) {
    resident_ |= bit(slot);
    warps_[slot] = {now, now, &stalled, StallReason::kNoInstruction};
  }
  void remove(std::uint32_t slot, Cycle now) {
    enter(slot, StallReason::kDrain, now);
    leave_sets(slot);
    examine_ &= ~bit(slot);
    resident_ &= ~bit(slot);
  }

  // Attributes the cycles up to `now` to the current reason and continues with another.
  void enter(std::uint32_t slot, StallReason reason, Cycle now) {
    Warp& warp = warps_[slot];
    if (now > warp.since) {
      (*warp.stalled)[static_cast<std::size_t>(warp.reason)] += now - warp.since;
      if (watched_) {
        tell(slot, warp, now);
      }
      warp.since = now;
    }
    warp.reason = reason;
  }
  void wait(std::uint32_t slot, StallReason reason, Cycle now) {
    enter(slot, reason, now);
    leave_sets(slot);
    waiting_ |= bit(slot);
  }
  void wait_until(std::uint32_t slot, StallReason reason, Cycle until, Cycle now) {
    enter(slot, reason, now);
    leave_sets(slot);
    timed_ |= bit(slot);
    warps_[slot].wake_at = until;
    next_timer_ = std::min(next_timer_, until);
  }
  void make_ready(std::uint32_t slot, Cycle now) {
    enter(slot, StallReason::kNotSelected, now);
    ready_ |= bit(slot);
  }
  // All ready warps wait from `now` on for the same reason.
  void credit_ready_to(StallReason reason, Cycle now) {
    for (WarpMask mask = ready_; mask != 0; mask &= mask - 1) {
      enter(static_cast<std::uint32_t>(std::countr_zero(mask)), reason, now);
    }
  }
  // The warp issues at `now` and is examined again at `until`: one cycle selected, the rest in its stall count.
  void issued(std::uint32_t slot, Cycle until, Cycle now) {
    enter(slot, StallReason::kSelected, now);
    enter(slot, StallReason::kWait, now + 1);
    leave_sets(slot);
    timed_ |= bit(slot);
    warps_[slot].wake_at = until;
    next_timer_ = std::min(next_timer_, until);
  }
  void examine_later(std::uint32_t slot) {
    leave_sets(slot);
    examine_ |= bit(slot);
  }

  // The warps to examine now: requested ones, and those whose timer has expired. They are in no set afterwards.
  WarpMask take_due(Cycle now) {
    if (next_timer_ <= now) {
      expire_timers(now);
    }
    const WarpMask due = examine_;
    examine_ = 0;
    return due;
  }
  bool anything_to_examine() const { return examine_ != 0; }

 private:
  struct Instructions {
    HotSpotTable* table = nullptr;
    std::uint32_t next = kNoInstruction;
    std::uint32_t issued = kNoInstruction;
  };
  struct Warp {
    Cycle wake_at = 0;  // while timed
    Cycle since = 0;    // start of the current reason
    StallCounters* stalled = nullptr;
    StallReason reason = StallReason::kNoInstruction;
  };

  // The warp has been in its current state up to `now`.
  void tell(std::uint32_t slot, const Warp& warp, Cycle now) {
    std::uint32_t instruction = kNoInstruction;
    if (!instructions_.empty()) {
      instruction = instruction_of(slot, warp.reason);
      if (instruction != kNoInstruction) {
        HotSpot& spot = (*instructions_[slot].table)[instruction];
        spot.add_stall(static_cast<std::uint32_t>(warp.reason), now - warp.since);
      }
    }
    if (timeline_ != nullptr && tracks_[slot] != TimelinePart::kNoTrack) {
      const TimelinePart::Name name = reason_names_ + static_cast<TimelinePart::Name>(warp.reason);
      timeline_->state(tracks_[slot], name, warp.since, now, instruction);
    }
  }
  std::uint32_t instruction_of(std::uint32_t slot, StallReason reason) const {
    const bool held = reason == StallReason::kBarrier || reason == StallReason::kMembar ||
                      reason == StallReason::kSleeping || reason == StallReason::kDrain;
    return held ? instructions_[slot].issued : instructions_[slot].next;
  }
  void leave_sets(std::uint32_t slot) {
    ready_ &= ~bit(slot);
    timed_ &= ~bit(slot);
    waiting_ &= ~bit(slot);
  }
  void expire_timers(Cycle now) {
    next_timer_ = kNever;
    for (WarpMask mask = timed_; mask != 0; mask &= mask - 1) {
      const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
      if (warps_[slot].wake_at <= now) {
        timed_ &= ~bit(slot);
        examine_ |= bit(slot);
      } else {
        next_timer_ = std::min(next_timer_, warps_[slot].wake_at);
      }
    }
  }

  std::vector<Warp> warps_;
  std::vector<Instructions> instructions_;  // by slot; empty unless hot spots or a timeline are recorded
  TimelinePart* timeline_ = nullptr;
  std::vector<TimelinePart::Track> tracks_;  // by slot
  TimelinePart::Name reason_names_ = 0;
  bool watched_ = false;  // there are instructions or a timeline
  WarpMask resident_ = 0;
  WarpMask ready_ = 0;
  WarpMask timed_ = 0;
  WarpMask waiting_ = 0;
  WarpMask examine_ = 0;
  Cycle next_timer_ = kNever;
};

}  // namespace warpsim
