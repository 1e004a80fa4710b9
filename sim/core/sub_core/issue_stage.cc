#include "core/sub_core/issue_stage.h"

#include <bit>

#include "core/sub_core/issue_pairs.h"

namespace warpsim {

void IssueStage::issue_one(Cycle now) {
  WarpMask candidates = parts_.states.ready();
  parts_.scheduler.forget_yields(now);
  if (parts_.scheduler.withholds()) [[unlikely]] {
    candidates = without_withheld(candidates, now);
  }
  while (candidates != 0) {
    const std::uint32_t slot = parts_.scheduler.pick(candidates, now);
    candidates &= ~WarpStates::bit(slot);
    ResidentWarp& warp = parts_.warps[slot];
    const IssueInfo& info = warp.info();
    if (parts_.dispatch.blocked(slot, warp, info, now)) {
      continue;
    }
    if (parts_.constants.missing(slot, warp, info, now)) {
      ++warp.stats->inst_issued;
      return;  // the slot is spent: the instruction was issued and will be again
    }
    issue(slot, warp, info, now);
    if (rules_.pairs != PairRule::kSingle) {
      issue_second(slot, warp, info, now);
    }
    return;
  }
}

// A withheld warp must not keep others from the memory queue for which it was the first to wait.
WarpMask IssueStage::without_withheld(WarpMask ready, Cycle now) {
  const WarpMask candidates = parts_.scheduler.not_withheld(ready, loads(ready), now);
  for (WarpMask mask = ready & ~candidates; mask != 0; mask &= mask - 1) {
    parts_.dispatch.give_way(static_cast<std::uint32_t>(std::countr_zero(mask)), now);
  }
  return candidates;
}

// Those whose instruction reads global or local memory.
WarpMask IssueStage::loads(WarpMask of) const {
  WarpMask found = 0;
  for (WarpMask mask = of; mask != 0; mask &= mask - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    const IssueInfo& info = parts_.warps[slot].info();
    const bool reads = info.kind == OpKind::kLoad || info.kind == OpKind::kAsyncCopy;
    const bool memory =
        info.space == MemorySpace::kGlobal || info.space == MemorySpace::kLocal || info.space == MemorySpace::kGeneric;
    found |= reads && memory ? WarpStates::bit(slot) : 0;
  }
  return found;
}

void IssueStage::issue_second(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& first, Cycle now) {
  if (ends_slot(first) || !parts_.readiness.goes_on_at_once(slot, warp, now)) {
    return;
  }
  const IssueInfo& second = warp.info();
  if (may_pair(rules_, first, second) && warp.dependences.check(second, warp.instruction(), now).ready &&
      parts_.dispatch.accepts(slot, second, now) && parts_.constants.present(warp, second, now)) {
    ++warp.stats->pairs_issued;
    issue(slot, warp, second, now);
  }
}

void IssueStage::issue(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
  parts_.scheduler.issued(slot, parts_.states.ready());
  if (parts_.scheduler.has_mechanism()) [[unlikely]] {
    tell_mechanism(slot, warp, info, now);
  }
  if (info.yields) {
    parts_.scheduler.yielded(slot, now);
  }
  SubCoreStats& stats = *warp.stats;
  ++stats.inst_executed;
  ++stats.inst_issued;
  const LaneMask lanes = warp.stream.next->active;
  // Without lanes it was predicated off, by its own guard or by a uniform one.
  warp.active_lanes = info.guarded || lanes == 0 ? warp.active_lanes | lanes : lanes;
  stats.thread_inst_executed += static_cast<std::uint32_t>(std::popcount(warp.active_lanes));
  warp.dependences.issued(info, warp.instruction(), now + parts_.dispatch.collect(slot, info, now));
  if (warp.watched) {
    WarpRecorder::executed(*warp.start.hot_spots, warp.stream.next->index, warp.active_lanes);
  }
  times_.use(info.double_precision, now);
  if (const std::uint32_t cycles = parts_.dispatch.dispatch(slot, warp, info, now); cycles != 0) {
    times_.hold_back(cycles, now);
    stats.register_conflict_cycles += cycles;
  }
  parts_.streams.advance(slot, warp, info, now);
  if (times_.held_back()) {
    parts_.states.credit_ready_to(StallReason::kDispatch, now + 1);
  }
}

void IssueStage::tell_mechanism(std::uint32_t slot, const ResidentWarp& warp, const IssueInfo& info, Cycle now) {
  parts_.scheduler.tell_mechanism({.slot = slot,
                                   .ready = parts_.states.ready(),
                                   .now = now,
                                   .pc = info.pc,
                                   .memory = info.space != MemorySpace::kNone,
                                   .barrier = info.kind == OpKind::kBarrier,
                                   .yields = info.yields},
                                  warp.start.seat);
}

}  // namespace warpsim
