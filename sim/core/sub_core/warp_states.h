// The state of each resident warp of a sub-core, and the stall reasons of its cycles.
//
// Modelled: every cycle of a resident warp has exactly one stall reason. A warp is in exactly one of the sets: ready
// (may issue, as far as the warp is concerned), timed (examined again at a known cycle), waiting (examined again after
// an event) or examine (at the next tick). Not modelled: why a warp is in its state; the other parts say so.
// Evidence: Nsight Compute's warp states.
// State: the sets, the current reason of each warp and since when; the sub-core's wake, which it brings forward when a
// warp is to be examined. Uses WarpRecorder.
// Invariant: cycles are attributed at transitions only, so that skipped cycles are counted like any others.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/sub_core/stall_reason.h"
#include "core/sub_core/sub_core_stats.h"
#include "core/sub_core/warp_recorder.h"
#include "core/sub_core/warp_scheduler.h"

namespace warpsim {

class WarpStates {
 public:
  static constexpr std::uint32_t kNoInstruction = WarpRecorder::kNoInstruction;

  // `wake`: the cycle at which the sub-core has to look at its warps.
  WarpStates(std::uint32_t slots, Cycle& wake) : wake_(&wake), warps_(slots), recorder_(slots) {}

  static constexpr WarpMask bit(std::uint32_t slot) { return WarpMask{1} << slot; }

  WarpMask resident() const { return resident_; }
  WarpMask ready() const { return ready_; }
  // Whether the warp waits for an event of its own.
  bool waits_for_event(std::uint32_t slot) const { return (waiting_ & ~elsewhere_ & bit(slot)) != 0; }
  StallReason reason(std::uint32_t slot) const { return warps_[slot].reason; }
  Cycle since(std::uint32_t slot) const { return warps_[slot].since; }
  // Earliest timer of the timed warps.
  Cycle next_timer() const { return next_timer_; }

  // What is recorded of the states.
  WarpRecorder& recorder() { return recorder_; }

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
      if (recorder_.wanted()) {
        recorder_.spent(slot, warp.reason, warp.since, now);
      }
      warp.since = now;
    }
    warp.reason = reason;
  }
  // Attributes the cycles up to `now`.
  void close_accounts(Cycle now) {
    for (WarpMask mask = resident_; mask != 0; mask &= mask - 1) {
      const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
      enter(slot, reason(slot), now);
    }
  }
  void wait(std::uint32_t slot, StallReason reason, Cycle now) {
    enter(slot, reason, now);
    leave_sets(slot);
    waiting_ |= bit(slot);
  }
  // The same, for something that does not come as an event of the warp: these do not end the wait.
  void wait_elsewhere(std::uint32_t slot, StallReason reason, Cycle now) {
    wait(slot, reason, now);
    elsewhere_ |= bit(slot);
  }
  void wait_until(std::uint32_t slot, StallReason reason, Cycle until, Cycle now) {
    enter(slot, reason, now);
    set_timer(slot, until);
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
    set_timer(slot, until);
  }
  void examine_later(std::uint32_t slot, Cycle now) {
    leave_sets(slot);
    examine_ |= bit(slot);
    *wake_ = std::min(*wake_, now);
  }
  void examine_all(WarpMask slots, Cycle now) {
    for (WarpMask mask = slots; mask != 0; mask &= mask - 1) {
      examine_later(static_cast<std::uint32_t>(std::countr_zero(mask)), now);
    }
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
  struct Warp {
    Cycle wake_at = 0;  // while timed
    Cycle since = 0;    // start of the current reason
    StallCounters* stalled = nullptr;
    StallReason reason = StallReason::kNoInstruction;
  };

  void leave_sets(std::uint32_t slot) {
    ready_ &= ~bit(slot);
    timed_ &= ~bit(slot);
    waiting_ &= ~bit(slot);
    elsewhere_ &= ~bit(slot);
  }
  void set_timer(std::uint32_t slot, Cycle until) {
    leave_sets(slot);
    timed_ |= bit(slot);
    warps_[slot].wake_at = until;
    next_timer_ = std::min(next_timer_, until);
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

  Cycle* wake_;
  WarpMask resident_ = 0;
  WarpMask ready_ = 0;
  WarpMask timed_ = 0;
  WarpMask waiting_ = 0;
  WarpMask elsewhere_ = 0;  // of the waiting ones
  WarpMask examine_ = 0;
  Cycle next_timer_ = kNever;
  std::vector<Warp> warps_;
  WarpRecorder recorder_;
};

}  // namespace warpsim
