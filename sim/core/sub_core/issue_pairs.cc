#include "core/sub_core/issue_pairs.h"

namespace warpsim {

bool ends_slot(const IssueInfo& info) {
  switch (info.kind) {
    case OpKind::kBranch:
    case OpKind::kExit:
    case OpKind::kBarrier:
    case OpKind::kMembar:
    case OpKind::kSleep:
    case OpKind::kGridWait:
    case OpKind::kClusterArrive:
    case OpKind::kClusterWait:
      return true;
    default:
      return info.warpgroup != WarpgroupRole::kNone || info.defers_blocking;
  }
}

bool may_pair(const IssueRules& rules, const IssueInfo& first, const IssueInfo& second) {
  if (rules.pairs == PairRule::kMathWithOther && first.core_math == second.core_math) {
    return false;
  }
  if (rules.fp64_takes_all_slots && (first.double_precision || second.double_precision)) {
    return false;
  }
  return second.warpgroup == WarpgroupRole::kNone && (first.scoreboard || first.pairs_with_next);
}

}  // namespace warpsim
