#include "core/sub_core/warp_streams.h"

#include "core/sub_core/warp_recorder.h"

namespace warpsim {

WarpStreams::WarpStreams(std::uint32_t sub_core, const SubCoreConfig& config, InstructionFetch& fetch,
                         WarpStates& states, WarpEvents& events, LaunchWaits& launches)
    : sub_core_(static_cast<std::uint8_t>(sub_core)),
      branch_latency_cycles_(config.branch_latency_cycles),
      indexed_branch_cycles_(config.indexed_branch_cycles),
      reconvergence_cycles_(config.reconvergence_cycles),
      exit_cycles_(config.exit_cycles),
      warp_start_cycles_(config.warp_start_cycles),
      fetch_(&fetch),
      states_(&states),
      events_(&events),
      launches_(&launches) {}

bool WarpStreams::begin(std::uint32_t slot, ResidentWarp& warp, Cycle now) {
  const WarpStart& start = warp.start;
  start.source->refill(warp.stream, now);
  if (!warp.has_next()) {
    return false;
  }
  const std::uint32_t first = warp.stream.next->index;
  states_->recorder().attribute(slot, start.hot_spots, first, WarpRecorder::kNoInstruction);
  warp.dependences.reset(warp.info().scoreboard);
  fetch_->start(slot, start.code, first, start.seat, now + warp_start_cycles_);
  return true;
}

void WarpStreams::begin_again(std::uint32_t slot, ResidentWarp& warp, const SuspendedWarp& from, Cycle now) {
  const WarpStart& start = warp.start;
  warp.stream = from.stream;
  warp.active_lanes = from.active_lanes;
  warp.suspended = from.suspended;
  warp.suspended_behind = from.behind;
  const std::uint32_t first = warp.has_next() ? warp.stream.next->index : from.behind + 1;
  attribute(slot, warp, from.behind);
  warp.dependences.reset(warp.infos[warp.has_next() ? first : from.behind].scoreboard);
  fetch_->start(slot, start.code, first, start.seat, now);
  if (from.barrier == SuspendedWarp::kNoBarrier) {
    resume(slot, warp, now);
  }
}

void WarpStreams::advance(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
  const std::uint32_t current = warp.stream.next->index;
  warp.stall_until = now + info.stall_cycles;
  if (info.kind == OpKind::kExit && warp.stream.next->active != 0 && exit_cycles_ != 0) {
    events_->hold(slot, warp, StallReason::kBranchResolving, 0, warp.stall_until + exit_cycles_);
  }
  ++warp.stream.next;
  if (!warp.has_next() && !warp.stream.finished && !warp.awaits_grids) {
    warp.start.source->refill(warp.stream, now);
  }
  if (!warp.has_next() && !warp.stream.finished) {
    suspend(slot, warp, current, now);
    return;
  }
  if (!warp.has_next()) {
    fetch_->stop(slot);
    if (!warp.held()) {
      warp.hold = StallReason::kDrain;
    }
    went_on(slot, warp, current, info.kind == OpKind::kExit ? warp.stall_until : now + 1, now);
    return;
  }
  const std::uint32_t next = warp.stream.next->index;
  warp.redirected = next != current + 1;
  fetch_->consume(slot, next, now + redirect_cycles(info));
  if (info.reconverges && !warp.redirected) {
    warp.stall_until += reconvergence_cycles_;
  }
  went_on(slot, warp, current, warp.stall_until, now);
}

// The warp has issued instruction `behind`. The next instruction may not be known yet.
void WarpStreams::attribute(std::uint32_t slot, const ResidentWarp& warp, std::uint32_t behind) {
  states_->recorder().attribute(slot, warp.start.hot_spots, warp.has_next() ? warp.stream.next->index : behind, behind);
}

// The warp waits at a barrier or for other kernels, and its continuation is unknown until that releases it, or its
// source knows it later. Fetch runs ahead meanwhile.
void WarpStreams::suspend(std::uint32_t slot, ResidentWarp& warp, std::uint32_t behind, Cycle now) {
  warp.suspended = true;
  warp.suspended_behind = behind;
  warp.redirected = false;
  fetch_->consume(slot, behind + 1, now);
  if (warp.at_barrier) {  // no known instruction could pass it
    warp.at_barrier = false;
    warp.hold = StallReason::kBarrier;
  } else if (!warp.held()) {
    hold_until_known(slot, warp, now);
  }
  went_on(slot, warp, behind, warp.stall_until, now);
}

// Until its source has instructions for the warp.
void WarpStreams::hold_until_known(std::uint32_t slot, ResidentWarp& warp, Cycle now) {
  const Cycle known = warp.start.source->known_at(warp.stream);
  if (known == kNever) {
    warp.hold = StallReason::kMisc;
    warp.expect();
    launches_->wait({warp.start.block_slot, warp.start.warp_in_block, sub_core_, static_cast<std::uint8_t>(slot)});
  } else if (known > now) {
    events_->hold(slot, warp, StallReason::kWait, 0, known);
  } else {
    events_->hold(slot, warp, StallReason::kBarrier, 0, now + kAskAgainCycles);
  }
}

void WarpStreams::resume(std::uint32_t slot, ResidentWarp& warp, Cycle now) {
  warp.start.source->refill(warp.stream, now);
  if (!warp.has_next() && !warp.stream.finished) {
    hold_until_known(slot, warp, now);
    return;
  }
  warp.suspended = false;
  warp.end_hold();
  if (!warp.has_next()) {
    fetch_->stop(slot);
    return;
  }
  if (warp.watched) {
    states_->enter(slot, states_->reason(slot), now);  // past cycles belong to the barrier
    attribute(slot, warp, warp.suspended_behind);
  }
  const std::uint32_t next = warp.stream.next->index;
  warp.redirected = next != warp.suspended_behind + 1;
  if (warp.redirected) {
    fetch_->redirect(slot, next, now + branch_latency_cycles_);
  }
}

}  // namespace warpsim
