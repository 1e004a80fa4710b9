// Which two instructions of a warp may issue in one slot.
//
// Modelled: the rules on their kinds; whether the second one is ready and has a pipe is asked elsewhere.
// Not modelled: pairs of different warps. Evidence: IssueRules'. State: none.
// Invariant: an instruction that decides the continuation of its warp is the last of its slot.
#pragma once

#include "core/sub_core/issue_info.h"
#include "core/sub_core/issue_rules.h"

namespace warpsim {

// Whether no other instruction of the warp can follow in the same slot.
bool ends_slot(const IssueInfo& info);
// Whether `second` may issue in the slot of `first`, which precedes it and does not end the slot.
bool may_pair(const IssueRules& rules, const IssueInfo& first, const IssueInfo& second);

}  // namespace warpsim
