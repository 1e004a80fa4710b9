#include "core/sub_core/sub_core.h"

#include <algorithm>
#include <bit>

namespace warpsim {

SubCore::SubCore(std::uint32_t index, const SubCoreConfig& config, const ExecutionConfig& execution,
                 SubCoreNeighbours neighbours, LaunchStatsNode& parent)
    : index_(index),
      fetches_per_cycle_(config.fetch.instructions_per_cycle),
      barriers_(neighbours.barriers),
      async_(neighbours.async),
      launches_(neighbours.launches),
      writes_(neighbours.lsu.writes()),
      wake_(neighbours.wakes[index]),
      stats_(parent, "sub_core", index),
      scheduler_(config.scheduler, {config.warp_slots, index}, &stats_),
      warps_(config.warp_slots, stats_),
      states_(config.warp_slots, wake_),
      fetch_(index, config.fetch, neighbours.instructions, stats_),
      results_(config.result_bus, config.register_file.banks),
      events_(index, neighbours.events),
      streams_(index, config, fetch_, states_, events_, neighbours.launches),
      readiness_(fetch_, states_),
      fences_(index, config, neighbours.lsu.writes(), streams_, events_, states_),
      completion_({results_, fences_, streams_, events_, states_, neighbours.async}),
      dispatch_(index, config, execution,
                {neighbours.lsu, neighbours.warpgroups, neighbours.barriers, neighbours.async, neighbours.grids},
                {neighbours.units, neighbours.adu, neighbours.issue_slots, results_, states_, events_}, fences_,
                completion_),
      constants_(index, neighbours.constants, states_),
      issue_(config.issue, neighbours.issue_slots,
             {warps_, scheduler_, states_, readiness_, constants_, dispatch_, streams_}) {
  wake_ = kNever;
  if (scheduler_.watches_l1()) {
    neighbours.l1_events.add(index, scheduler_);
  }
}

std::uint32_t SubCore::start_warp(const WarpStart& start, Cycle now) {
  const std::uint32_t slot = next_slot();
  ResidentWarp& warp = warps_.start(slot, start, now);
  states_.admit(slot, warp.stats->stalled, now);
  scheduler_.warp_arrived(slot, start.block_arrival, now);
  if (streams_.begin(slot, warp, now)) {
    states_.examine_later(slot, now);
  } else {
    leave(slot, now);  // a warp without instructions
  }
  return slot;
}

void SubCore::leave(std::uint32_t slot, Cycle now) {
  const std::uint32_t block_slot = warps_[slot].start.block_slot;
  scheduler_.warp_left(slot);
  states_.remove(slot, now);
  warps_.leave(slot, now);
  barriers_.warp_exited(block_slot, now);
  async_.warp_exited(block_slot, now);
  wake_at(now);  // for the SM to look at
}

// --- blocks that leave the SM and come back ---

template <class Do>
void SubCore::for_warps_of(std::uint32_t block_slot, const Do& todo) const {
  for (WarpMask mask = states_.resident(); mask != 0; mask &= mask - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    if (warps_[slot].start.block_slot == block_slot) {
      todo(slot);
    }
  }
}

// Its only outstanding event is the one that it waits for, and nothing that it has written is on its way.
bool SubCore::only_waits(std::uint32_t slot, const ResidentWarp& warp) const {
  if (warp.in_flight != 1 || !writes_.none_anywhere(index_ * kMaxWarpsPerSubCore + slot)) {
    return false;
  }
  if (warp.at_barrier && warp.info().passes_barriers) {
    return false;
  }
  return launches_.waits(static_cast<std::uint8_t>(index_), slot) ||
         barriers_.barrier_of(warp.start.block_slot, warp_id(slot)) != BlockBarriers::kBarriersPerBlock;
}

bool SubCore::only_waits(std::uint32_t block_slot) const {
  bool all = true;
  for_warps_of(block_slot, [&](std::uint32_t slot) { all = all && only_waits(slot, warps_[slot]); });
  return all;
}

void SubCore::suspend_warps(std::uint32_t block_slot, std::vector<SuspendedWarp>& warps, Cycle now) {
  for_warps_of(block_slot, [&](std::uint32_t slot) {
    const ResidentWarp& warp = warps_[slot];
    const std::uint32_t barrier = barriers_.barrier_of(block_slot, warp_id(slot));
    warps.push_back({.stream = warp.stream,
                     .behind = warp.suspended_behind,
                     .barrier = barrier == BlockBarriers::kBarriersPerBlock ? SuspendedWarp::kNoBarrier : barrier,
                     .active_lanes = warp.active_lanes,
                     .suspended = warp.suspended,
                     .at_barrier = warp.at_barrier});
    fetch_.stop(slot);
    scheduler_.warp_left(slot);
    states_.remove(slot, now);
    warps_.suspend(slot, now);
  });
}

void SubCore::resume_warp(const WarpStart& start, const SuspendedWarp& from, Cycle now) {
  const std::uint32_t slot = next_slot();
  ResidentWarp& warp = warps_.resume(slot, start, now);
  states_.admit(slot, warp.stats->stalled, now);
  scheduler_.warp_arrived(slot, start.block_arrival, now);
  streams_.begin_again(slot, warp, from, now);
  if (from.barrier != SuspendedWarp::kNoBarrier) {
    warp.at_barrier = from.at_barrier;
    warp.hold = from.at_barrier ? StallReason::kSelected : StallReason::kBarrier;
    warp.expect();
    barriers_.wait_again(start.block_slot, from.barrier, warp_id(slot), now);
  }
  states_.examine_later(slot, now);
}

void SubCore::handle(const SmEvent& event, Cycle now) {
  if (event.kind == SmEvent::Kind::kInstructionLine) {
    fetch_.line_arrived(event.payload);
    wake_at(now);
  } else if (event.kind == SmEvent::Kind::kConstantLine) {
    constants_.line_arrived(now);
  } else {
    completion_.handle(event, warps_[event.warp], now);
  }
}

void SubCore::tick(Cycle now) {
  for (WarpMask due = states_.take_due(now); due != 0; due &= due - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(due));
    if (ResidentWarp& warp = warps_[slot]; warp.ended()) {
      leave(slot, now);
    } else {
      readiness_.examine(slot, warp, now);
    }
  }
  issue_.tick(now);
  for (std::uint32_t i = 0; i < fetches_per_cycle_; ++i) {
    if (const std::uint32_t slot = fetch_.tick(now, scheduler_); slot != InstructionFetch::kNone) {
      readiness_.fetched(slot, now);
    }
  }
  compute_wake(now);
}

void SubCore::compute_wake(Cycle now) {
  if (states_.anything_to_examine()) {
    wake_ = now + 1;
    return;
  }
  const Cycle next = std::min(states_.next_timer(), fetch_.next_fetch(now + 1));
  wake_ = std::max(std::min(next, issue_.next_issue(now + 1)), now + 1);
}

void SubCore::close_accounts(Cycle now) {
  states_.close_accounts(now);
  warps_.close_accounts(now);
}

std::string SubCore::describe_stall() const {
  std::string text;
  for (WarpMask mask = states_.resident(); mask != 0; mask &= mask - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    const ResidentWarp& warp = warps_[slot];
    const std::string at = warp.has_next() ? std::to_string(warp.instruction().pc) : "end";
    text += " warp " + std::to_string(slot) + " of sub-core " + std::to_string(index_) + " at pc " + at + " " +
            to_string(states_.reason(slot)) + " since " + std::to_string(states_.since(slot)) + ";";
  }
  return text;
}

}  // namespace warpsim
