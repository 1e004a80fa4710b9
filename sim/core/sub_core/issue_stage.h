// The issue stage of one sub-core: which of the ready warps issues, and what an issue does to it.
//
// Modelled: one issue per slot of the first warp in the scheduler's order that nothing outside the warp blocks, and a
// second one of the same warp if the rules allow pairs; issues that a missing constant makes void. Not modelled: issue
// from two warps in one slot. Evidence: Huerta et al., MICRO 2025; IssueRules'.
// State: when the next slot is (IssueTimes). Uses the scheduler, the warps and their states, WarpReadiness,
// ConstantOperands, Dispatch and WarpStreams.
// Invariant: a warp that issues was ready, and goes on to its next instruction in the same cycle.
#pragma once

#include <cstdint>

#include "core/sub_core/constant_operands.h"
#include "core/sub_core/dispatch.h"
#include "core/sub_core/issue_rules.h"
#include "core/sub_core/issue_times.h"
#include "core/sub_core/warp_readiness.h"
#include "core/sub_core/warp_scheduler.h"
#include "core/sub_core/warp_states.h"
#include "core/sub_core/warp_streams.h"
#include "core/sub_core/warp_table.h"

namespace warpsim {

class IssueStage {
 public:
  struct Parts {
    WarpTable& warps;
    WarpScheduler& scheduler;
    WarpStates& states;
    WarpReadiness& readiness;
    ConstantOperands& constants;
    Dispatch& dispatch;
    WarpStreams& streams;
  };
  // The other parts must outlive this one.
  IssueStage(const IssueRules& rules, IssueSlots& slots, const Parts& parts)
      : rules_(rules), times_(rules, slots), parts_(parts) {}

  // One cycle, in which all due warps have been examined.
  void tick(Cycle now) {
    if (parts_.states.ready() != 0 && times_.next(now) == now) {
      if (times_.held_back()) {
        parts_.states.credit_ready_to(StallReason::kNotSelected, now);
        times_.end_hold();
      }
      issue_one(now);
    }
  }
  // The first cycle from `at` on in which a ready warp may issue; kNever if none is ready.
  Cycle next_issue(Cycle at) const { return parts_.states.ready() != 0 ? times_.next(at) : kNever; }

 private:
  void issue_one(Cycle now);
  WarpMask without_withheld(WarpMask ready, Cycle now);
  WarpMask loads(WarpMask of) const;
  void issue_second(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& first, Cycle now);
  void issue(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now);
  void tell_mechanism(std::uint32_t slot, const ResidentWarp& warp, const IssueInfo& info, Cycle now);

  IssueRules rules_;
  IssueTimes times_;
  Parts parts_;
};

}  // namespace warpsim
