// When one scheduler may issue.
//
// Modelled: its slots, which may be several cycles apart; dispatch that register-port conflicts hold back; slots that
// other schedulers have taken. Not modelled: which warp issues. Evidence: IssueRules'.
// State: the end of the latest dispatch. Uses the issue slots of the SM.
// Invariant: at most one slot is used in each interval.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/types.h"
#include "core/sub_core/issue_rules.h"

namespace warpsim {

class IssueTimes {
 public:
  // The SM's slots must outlive this.
  IssueTimes(const IssueRules& rules, IssueSlots& slots)
      : slots_(&slots),
        every_cycle_(rules.interval_cycles == 1 && !rules.fp64_takes_all_slots),
        fp64_takes_all_slots_(rules.fp64_takes_all_slots) {}

  // The first issue slot at or after `at`.
  Cycle next(Cycle at) const {
    const Cycle free = std::max(at, free_at_);
    return every_cycle_ ? free : slots_->slot_at(std::max(free, slots_->blocked_until()));
  }
  // An instruction has been issued in the slot at `now`.
  void use(bool double_precision, Cycle now) {
    free_at_ = every_cycle_ ? now + 1 : slots_->after(now);
    if (fp64_takes_all_slots_) {
      slots_->use(now);
      if (double_precision) {
        slots_->use_all(now);
      }
    }
  }
  // The next dispatch is this many cycles late.
  void hold_back(std::uint32_t cycles, Cycle now) {
    free_at_ = slots_->slot_at(now + 1 + cycles);
    held_back_ = true;
  }
  bool held_back() const { return held_back_; }
  void end_hold() { held_back_ = false; }

 private:
  IssueSlots* slots_;
  Cycle free_at_ = 0;
  bool every_cycle_;  // a slot in each cycle, independent of other schedulers
  bool fp64_takes_all_slots_;
  bool held_back_ = false;
};

}  // namespace warpsim
