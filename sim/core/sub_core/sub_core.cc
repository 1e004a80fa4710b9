#include "core/sub_core/sub_core.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.h"

namespace warpsim {

SubCore::SubCore(std::uint32_t index, const SubCoreConfig& config, const ExecutionConfig& execution,
                 SubCoreNeighbours neighbours, LaunchStatsNode& parent)
    : index_(index),
      config_(config),
      neighbours_(neighbours),
      stats_(parent, "sub_core", index),
      scheduler_(config.scheduler),
      fetch_(index, config.fetch, neighbours.instructions, stats_),
      registers_(config.register_file),
      results_(config.result_bus, config.register_file.banks),
      collectors_(config.register_file),
      units_(execution, neighbours.units),
      every_cycle_(config.issue.interval_cycles == 1 && !config.issue.fp64_takes_all_slots),
      rules_beyond_units_(collectors_.present() || config.issue.fp64_takes_all_slots),
      states_(config.warp_slots),
      warps_(config.warp_slots),
      wake_(neighbours.wakes[index]) {
  wake_ = kNever;
}

// --- residence ---

std::uint32_t SubCore::free_slots() const {
  return config_.warp_slots - static_cast<std::uint32_t>(std::popcount(states_.resident()));
}

std::uint32_t SubCore::start_warp(const WarpStart& start, Cycle now) {
  const std::uint32_t slot = next_slot();
  SIM_CHECK(slot < config_.warp_slots, "no free warp slot");
  if (presences_.size() <= start.seat) {
    presences_.resize(start.seat + std::size_t{1});
  }
  Presence& launch = presences_[start.seat];
  if (launch.warps++ == 0) {
    launch.since = now;
  }
  SubCoreStats& stats = stats_[start.seat];
  states_.admit(slot, stats.stalled, now);
  Warp& warp = warps_[slot];
  warp.stats = &stats;
  warp.start = start;
  warp.infos = start.table->instructions.data();
  warp.statics = start.program->instructions.data();
  warp.watched = start.hot_spots != nullptr;
  warp.stream = WarpStream{};
  warp.stream.warp = start.warp_in_block;
  warp.copies.reset();
  warp.stall_until = now;
  warp.hold = StallReason::kSelected;
  warp.writes_acknowledged_at = 0;
  warp.at_barrier = false;
  warp.suspended = false;
  warp.redirected = false;
  warp.active_lanes = 0;
  warp.in_flight = 0;
  ++stats.warps_launched;
  scheduler_.warp_arrived(slot);
  start.source->refill(warp.stream, now);
  if (warp.stream.next == warp.stream.end) {
    leave(slot, now);  // a warp without instructions
    return slot;
  }
  states_.attribute(slot, start.hot_spots, warp.stream.next->index, WarpStates::kNoInstruction);
  warp.dependences.reset(info_of(warp).scoreboard);
  fetch_.start(slot, start.code, warp.stream.next->index, start.seat, now);
  examine_later(slot, now);
  return slot;
}

void SubCore::leave(std::uint32_t slot, Cycle now) {
  const Warp& warp = warps_[slot];
  const std::uint32_t block_slot = warp.start.block_slot;
  scheduler_.warp_left(slot);
  states_.remove(slot, now);
  Presence& launch = presences_[warp.start.seat];
  if (--launch.warps == 0) {
    warp.stats->cycles_active += now - launch.since;
  }
  neighbours_.barriers.warp_exited(block_slot, now);
  neighbours_.async.warp_exited(block_slot, now);
  exited_.push_back(block_slot);
  wake_ = std::min(wake_, now);  // for the SM to look at
}

void SubCore::examine_later(std::uint32_t slot, Cycle now) {
  states_.examine_later(slot);
  wake_ = std::min(wake_, now);
}

void SubCore::examine_all(WarpMask& slots, Cycle now) {
  for (WarpMask mask = slots; mask != 0; mask &= mask - 1) {
    examine_later(static_cast<std::uint32_t>(std::countr_zero(mask)), now);
  }
  slots = 0;
}

// Finds the first reason that prevents a warp from issuing.
void SubCore::examine(std::uint32_t slot, Cycle now) {
  Warp& warp = warps_[slot];
  if (warp.hold == StallReason::kDrain && warp.in_flight == 0) {
    leave(slot, now);
    return;
  }
  if (warp.hold != StallReason::kSelected) {
    states_.wait(slot, warp.hold, now);
    return;
  }
  if (warp.at_barrier && !info_of(warp).passes_barriers) {
    states_.wait(slot, StallReason::kBarrier, now);
    return;
  }
  if (warp.stall_until > now) {
    states_.wait_until(slot, StallReason::kWait, warp.stall_until, now);
    return;
  }
  const Cycle decoded = fetch_.head_ready_at(slot);
  if (decoded > now) {
    const StallReason reason = warp.redirected ? StallReason::kBranchResolving : StallReason::kNoInstruction;
    if (decoded == kNever) {
      wait_fetch_ |= bit(slot);
      states_.wait(slot, reason, now);
    } else {
      states_.wait_until(slot, reason, decoded, now);
    }
    return;
  }
  const DependenceVerdict verdict = warp.dependences.check(info_of(warp), instruction_of(warp), now);
  if (verdict.ready) {
    states_.make_ready(slot, now);
  } else if (verdict.until == kNever) {
    states_.wait(slot, verdict.reason, now);
  } else {
    states_.wait_until(slot, verdict.reason, verdict.until, now);
  }
}

// --- issue ---

void SubCore::issue_one(Cycle now) {
  WarpMask candidates = states_.ready();
  scheduler_.forget_yields(now);
  while (candidates != 0) {
    const std::uint32_t slot = scheduler_.pick(candidates);
    candidates &= ~bit(slot);
    const IssueInfo& info = info_of(warps_[slot]);
    if (!blocked(slot, info, now)) {
      if (constant_missing(slot, info, now)) {
        return;  // the slot is spent: the instruction was issued and will be again
      }
      issue(slot, info, now);
      if (config_.issue.pairs != PairRule::kSingle) {
        issue_second(slot, info, now);
      }
      return;
    }
  }
}

// Whether something outside the warp prevents its instruction from issuing; if so, the warp waits for it.
bool SubCore::blocked(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  if (info.memory_queue) {
    return memory_queue_blocked(slot, info, now);
  }
  if (info.warpgroup != WarpgroupRole::kNone) {
    return warpgroup_blocked(slot, info, now);
  }
  if (info.waits_in_line) {
    return line_blocked(slot, info, now);
  }
  if (const Cycle unit_free = units_.free_at(info.unit); unit_free > now) {
    states_.wait_until(slot, StallReason::kMathPipeThrottle, unit_free, now);
    return true;
  }
  return rules_beyond_units_ && slot_blocked(slot, info, now);
}

// Whether the operands cannot be collected now, or the issue slots of other schedulers are needed but used.
bool SubCore::slot_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  Cycle until = now;
  if (collectors_.present()) {
    until = collectors_.free_at();
  }
  if (config_.issue.fp64_takes_all_slots && info.double_precision && !neighbours_.issue_slots.all_unused(now)) {
    until = std::max(until, neighbours_.issue_slots.after(now));
  }
  if (until > now) {
    states_.wait_until(slot, StallReason::kDispatch, until, now);
  }
  return until > now;
}

bool SubCore::memory_queue_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  if (memory_queue_open(slot)) {
    return false;
  }
  const StallReason reason = info.kind == OpKind::kTexture ? StallReason::kTexThrottle
                             : info.long_latency           ? StallReason::kLgThrottle
                                                           : StallReason::kMioThrottle;
  memory_line_.join(slot);
  wait_queue_ |= bit(slot);
  states_.wait(slot, reason, now);
  return true;
}

bool SubCore::line_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  WarpLine& line = pipe_lines_[static_cast<std::size_t>(info.unit.unit)];
  const Cycle pipe_free = units_.free_at(info.unit);
  if (pipe_free <= now && line.lets_through(slot)) {
    return false;
  }
  line.join(slot);
  if (line.head() == slot) {
    states_.wait_until(slot, StallReason::kMioThrottle, pipe_free, now);
  } else {
    states_.wait(slot, StallReason::kMioThrottle, now);
  }
  return true;
}

bool SubCore::constant_missing(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  if (!info.reads_constant || neighbours_.constants.operand_present(index_, info.constant_address, warps_[slot].start.seat, now)) {
    return false;
  }
  ++warps_[slot].stats->inst_issued;
  wait_constant_ |= bit(slot);
  states_.wait(slot, StallReason::kImcMiss, now);
  return true;
}

void SubCore::issue(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  Warp& warp = warps_[slot];
  scheduler_.issued(slot, states_.ready());
  if (info.yields) {
    scheduler_.yielded(slot, now);
  }
  SubCoreStats& stats = *warp.stats;
  ++stats.inst_executed;
  ++stats.inst_issued;
  const LaneMask lanes = warp.stream.next->active;
  // Without lanes it was predicated off, by its own guard or by a uniform one.
  warp.active_lanes = info.guarded || lanes == 0 ? warp.active_lanes | lanes : lanes;
  stats.thread_inst_executed += static_cast<std::uint32_t>(std::popcount(warp.active_lanes));
  const bool collects = rules_beyond_units_ && collectors_.present() && !info.memory_queue;
  const Cycle collected = collects ? now + collectors_.collect(slot, info.operands, now) : now;
  warp.dependences.issued(info, instruction_of(warp), collected);
  if (warp.watched) {
    note_issue(slot, warp.stream.next->index);
  }
  dispatch(slot, info, now);
  advance(slot, info, now);
  if (dispatch_held_back_) {
    states_.credit_ready_to(StallReason::kDispatch, now + 1);
  }
}

// From the issue of an instruction after which the warp continues elsewhere to the fetch there.
Cycle SubCore::redirect_cycles(const IssueInfo& info) const {
  const std::uint32_t extra = info.reconverges      ? config_.reconvergence_cycles
                              : info.indexed_branch ? config_.indexed_branch_cycles
                                                    : 0;
  return config_.branch_latency_cycles + extra;
}

// The warp has issued instruction `behind` and is examined again at `until`.
inline void SubCore::went_on(std::uint32_t slot, std::uint32_t behind, Cycle until, Cycle now) {
  states_.issued(slot, until, now);
  if (warps_[slot].watched) {
    note_next(slot, behind);
  }
}

// Advances the warp to its next instruction.
void SubCore::advance(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  Warp& warp = warps_[slot];
  const std::uint32_t current = warp.stream.next->index;
  warp.stall_until = now + info.stall_cycles;
  ++warp.stream.next;
  if (warp.stream.next == warp.stream.end && !warp.stream.finished) {
    warp.start.source->refill(warp.stream, now);
  }
  if (warp.stream.next == warp.stream.end && !warp.stream.finished) {
    suspend(slot, current, now);
    return;
  }
  if (warp.stream.next == warp.stream.end) {
    fetch_.stop(slot);
    if (warp.hold == StallReason::kSelected) {
      warp.hold = StallReason::kDrain;
    }
    went_on(slot, current, now + 1, now);
    return;
  }
  warp.redirected = warp.stream.next->index != current + 1;
  fetch_.consume(slot, warp.stream.next->index, now + redirect_cycles(info));
  if (info.reconverges && !warp.redirected) {
    warp.stall_until += config_.reconvergence_cycles;
  }
  went_on(slot, current, warp.stall_until, now);
}

// The warp waits at a barrier, and its continuation is unknown until that releases it, or its source knows it later.
// Fetch runs ahead meanwhile.
void SubCore::suspend(std::uint32_t slot, std::uint32_t behind, Cycle now) {
  Warp& warp = warps_[slot];
  warp.suspended = true;
  warp.suspended_behind = behind;
  warp.redirected = false;
  fetch_.consume(slot, behind + 1, now);
  if (warp.at_barrier) {  // no known instruction could pass it
    warp.at_barrier = false;
    warp.hold = StallReason::kBarrier;
  } else if (warp.hold == StallReason::kSelected) {
    hold_until_known(slot, now);
  }
  went_on(slot, behind, warp.stall_until, now);
}

void SubCore::resume(std::uint32_t slot, Cycle now) {
  Warp& warp = warps_[slot];
  warp.start.source->refill(warp.stream, now);
  if (warp.stream.next == warp.stream.end && !warp.stream.finished) {
    hold_until_known(slot, now);
    return;
  }
  warp.suspended = false;
  end_hold(warp);
  if (warp.stream.next == warp.stream.end) {
    fetch_.stop(slot);
    return;
  }
  if (warp.watched) {
    states_.enter(slot, states_.reason(slot), now);  // past cycles belong to the barrier
    note_next(slot, warp.suspended_behind);
  }
  warp.redirected = warp.stream.next->index != warp.suspended_behind + 1;
  if (warp.redirected) {
    fetch_.redirect(slot, warp.stream.next->index, now + config_.branch_latency_cycles);
  }
}

// --- one cycle ---

void SubCore::fetch_one(Cycle now) {
  const std::uint32_t slot = fetch_.tick(now, scheduler_);
  if (slot != InstructionFetch::kNone && (wait_fetch_ & bit(slot)) != 0) {
    wait_fetch_ &= ~bit(slot);
    states_.wait_until(slot, states_.reason(slot), fetch_.head_ready_at(slot), now);
  }
}

void SubCore::tick(Cycle now) {
  for (WarpMask due = states_.take_due(now); due != 0; due &= due - 1) {
    examine(static_cast<std::uint32_t>(std::countr_zero(due)), now);
  }
  if (states_.ready() != 0 && next_slot(now) == now) {
    if (dispatch_held_back_) {
      states_.credit_ready_to(StallReason::kNotSelected, now);
      dispatch_held_back_ = false;
    }
    issue_one(now);
  }
  for (std::uint32_t i = 0; i < config_.fetch.instructions_per_cycle; ++i) {
    fetch_one(now);
  }
  compute_wake(now);
}

void SubCore::compute_wake(Cycle now) {
  Cycle wake = std::min(states_.next_timer(), fetch_.next_fetch(now + 1));
  if (states_.ready() != 0) {
    wake = std::min(wake, next_slot(now + 1));
  }
  if (states_.anything_to_examine()) {
    wake = now + 1;
  }
  wake_ = std::max(wake, now + 1);
}

std::string SubCore::describe_stall() const {
  std::string text;
  for (WarpMask mask = states_.resident(); mask != 0; mask &= mask - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    const Warp& warp = warps_[slot];
    const std::string at = warp.stream.next == warp.stream.end ? "end" : std::to_string(instruction_of(warp).pc);
    text += " warp " + std::to_string(slot) + " of sub-core " + std::to_string(index_) + " at pc " + at + " " +
            to_string(states_.reason(slot)) + " since " + std::to_string(states_.since(slot)) + ";";
  }
  return text;
}

}  // namespace warpsim
