// The sub-core's second issue of a slot: the next instruction of the warp that has just issued.
#include "core/sub_core/sub_core.h"

namespace warpsim {

namespace {

// Instructions that decide the continuation of the warp end a slot.
bool ends_slot(const IssueInfo& info) {
  switch (info.kind) {
    case OpKind::kBranch:
    case OpKind::kExit:
    case OpKind::kBarrier:
    case OpKind::kMembar:
    case OpKind::kSleep:
    case OpKind::kClusterArrive:
    case OpKind::kClusterWait:
      return true;
    default:
      return info.warpgroup != WarpgroupRole::kNone || info.defers_blocking;
  }
}

}  // namespace

void SubCore::issue_second(std::uint32_t slot, const IssueInfo& first, Cycle now) {
  Warp& warp = warps_[slot];
  if (ends_slot(first) || warp.redirected || warp.stream.next == warp.stream.end ||
      warp.hold != StallReason::kSelected || warp.at_barrier || fetch_.head_ready_at(slot) > now) {
    return;
  }
  const IssueInfo& second = info_of(warp);
  if (may_follow(slot, first, second, now)) {
    ++warp.stats->pairs_issued;
    issue(slot, second, now);
  }
}

bool SubCore::may_follow(std::uint32_t slot, const IssueInfo& first, const IssueInfo& second, Cycle now) {
  const IssueRules& rules = config_.issue;
  if (rules.pairs == PairRule::kMathWithOther && first.core_math == second.core_math) {
    return false;
  }
  if (rules.fp64_takes_all_slots && (first.double_precision || second.double_precision)) {
    return false;
  }
  if (second.warpgroup != WarpgroupRole::kNone || (!first.scoreboard && !first.pairs_with_next)) {
    return false;
  }
  const Warp& warp = warps_[slot];
  if (!warp.dependences.check(second, instruction_of(warp), now).ready) {
    return false;
  }
  if (second.memory_queue) {
    if (!memory_queue_open(slot)) {
      return false;
    }
  } else if (units_.free_at(second.unit) > now || (collectors_.present() && collectors_.free_at() > now) ||
             (second.waits_in_line && !pipe_lines_[static_cast<std::size_t>(second.unit.unit)].lets_through(slot))) {
    return false;
  }
  return !second.reads_constant || neighbours_.constants.operand_present(index_, second.constant_address, warp.start.seat, now);
}

}  // namespace warpsim
