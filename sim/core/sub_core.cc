#include "core/sub_core.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace warpsim {

void describe(ConfigSection& section, SubCoreConfig& config) {
  section.integer("warp_slots", config.warp_slots, 1, kMaxWarpsPerSubCore, "resident warps");
  section.nested("scheduler", config.scheduler, "warp scheduler");
  section.choice("dependences", config.dependences,
                 {{"control_bits", DependencePolicy::kControlBits}, {"scoreboard", DependencePolicy::kScoreboard}},
                 "control bits of the program where known, or a scoreboard always");
  section.nested("fetch", config.fetch, "instruction fetch and L0 instruction cache");
  section.nested("register_file", config.register_file, "register file and register cache");
  section.integer("branch_latency_cycles", config.branch_latency_cycles, 1, 100,
                  "from issue of a taken branch to the fetch of its target");
  section.integer("operand_read_cycles", config.operand_read_cycles, 1, 100,
                  "from issue to the source registers having been read, pipes other than memory");
  section.integer("predicated_off_cycles", config.predicated_off_cycles, 1, 1000,
                  "memory instruction without active lanes: issue to completion");
  section.integer("membar_block_cycles", config.membar_block_cycles, 1, 10000, "memory fence of block scope");
  section.integer("membar_device_cycles", config.membar_device_cycles, 1, 10000,
                  "memory fence of a wider scope: at least this, and until all writes are acknowledged");
}

SubCore::SubCore(std::uint32_t index, const SubCoreConfig& config, const ExecutionConfig& execution,
                 SubCoreNeighbours neighbours, StatGroup& parent)
    : index_(index),
      config_(config),
      neighbours_(neighbours),
      stats_(parent, "sub_core", index),
      scheduler_(config.scheduler),
      fetch_(index, config.fetch, neighbours.instructions, stats_),
      registers_(config.register_file),
      pipes_(execution),
      warps_(config.warp_slots) {}

// --- residence ---

std::uint32_t SubCore::free_slots() const {
  return config_.warp_slots - static_cast<std::uint32_t>(std::popcount(resident_));
}

std::uint32_t SubCore::next_slot() const { return static_cast<std::uint32_t>(std::countr_one(resident_)); }

std::uint32_t SubCore::start_warp(const WarpStart& start, Cycle now) {
  const std::uint32_t index = next_slot();
  SIM_CHECK(index < config_.warp_slots, "no free warp slot");
  if (resident_ == 0) {
    active_since_ = now;
  }
  resident_ |= bit(index);
  Warp& warp = warps_[index];
  warp.start = start;
  warp.stream = WarpStream{};
  warp.stream.warp = start.warp_in_block;
  warp.stall_until = now;
  warp.since = now;
  warp.reason = StallReason::kNoInstruction;
  warp.hold = StallReason::kSelected;
  warp.redirected = false;
  warp.in_flight = 0;
  warp.copies_issued = 0;
  warp.copies_done = 0;
  warp.commits.clear();
  ++stats_.warps_launched;
  scheduler_.warp_arrived(index);
  start.source->refill(warp.stream, now);
  if (warp.stream.next == warp.stream.end) {
    leave(index, now);  // a warp without instructions
    return index;
  }
  warp.dependences.reset(info_of(warp).scoreboard);
  fetch_.start(index, start.code, warp.stream.next->index, now);
  examine_later(index, now);
  return index;
}

void SubCore::leave(std::uint32_t index, Cycle now) {
  Warp& warp = warps_[index];
  enter(warp, StallReason::kDrain, now);
  scheduler_.warp_left(index);
  ready_ &= ~bit(index);
  timed_ &= ~bit(index);
  waiting_ &= ~bit(index);
  examine_ &= ~bit(index);
  resident_ &= ~bit(index);
  if (resident_ == 0) {
    stats_.cycles_active += now - active_since_;
  }
  neighbours_.barriers.warp_exited(warp.start.block_slot, now);
  exited_.push_back(warp.start.block_slot);
}

// --- the sets that a warp can be in ---

void SubCore::enter(Warp& warp, StallReason reason, Cycle now) {
  if (now > warp.since) {
    stats_.stalled[static_cast<std::size_t>(warp.reason)] += now - warp.since;
    warp.since = now;
  }
  warp.reason = reason;
}

void SubCore::set_waiting(std::uint32_t index, StallReason reason, Cycle now) {
  enter(warps_[index], reason, now);
  ready_ &= ~bit(index);
  waiting_ |= bit(index);
}

void SubCore::set_timed(std::uint32_t index, StallReason reason, Cycle until, Cycle now) {
  enter(warps_[index], reason, now);
  ready_ &= ~bit(index);
  timed_ |= bit(index);
  warps_[index].wake_at = until;
  next_timer_ = std::min(next_timer_, until);
}

void SubCore::set_ready(std::uint32_t index, Cycle now) {
  enter(warps_[index], StallReason::kNotSelected, now);
  ready_ |= bit(index);
}

void SubCore::examine_later(std::uint32_t index, Cycle now) {
  waiting_ &= ~bit(index);
  examine_ |= bit(index);
  wake_ = std::min(wake_, now);
}

void SubCore::expire_timers(Cycle now) {
  if (next_timer_ > now) {
    return;
  }
  next_timer_ = kNever;
  for (WarpMask mask = timed_; mask != 0; mask &= mask - 1) {
    const auto index = static_cast<std::uint32_t>(std::countr_zero(mask));
    if (warps_[index].wake_at <= now) {
      timed_ &= ~bit(index);
      examine_ |= bit(index);
    } else {
      next_timer_ = std::min(next_timer_, warps_[index].wake_at);
    }
  }
}

// Finds the first thing that keeps a warp from issuing.
void SubCore::examine(std::uint32_t index, Cycle now) {
  Warp& warp = warps_[index];
  if (warp.hold != StallReason::kSelected) {
    if (warp.hold == StallReason::kDrain && warp.in_flight == 0) {
      leave(index, now);
    } else {
      set_waiting(index, warp.hold, now);
    }
    return;
  }
  if (warp.stall_until > now) {
    set_timed(index, StallReason::kWait, warp.stall_until, now);
    return;
  }
  const Cycle decoded = fetch_.head_ready_at(index);
  if (decoded > now) {
    const StallReason reason = warp.redirected ? StallReason::kBranchResolving : StallReason::kNoInstruction;
    if (decoded == kNever) {
      wait_fetch_ |= bit(index);
      set_waiting(index, reason, now);
    } else {
      set_timed(index, reason, decoded, now);
    }
    return;
  }
  const DependenceVerdict verdict = warp.dependences.check(info_of(warp), instruction_of(warp), now);
  if (verdict.ready) {
    set_ready(index, now);
  } else if (verdict.until == kNever) {
    set_waiting(index, verdict.reason, now);
  } else {
    set_timed(index, verdict.reason, verdict.until, now);
  }
}

// --- issue ---

void SubCore::issue_one(Cycle now) {
  WarpMask candidates = ready_;
  while (candidates != 0) {
    const std::uint32_t index = scheduler_.pick(candidates);
    candidates &= ~bit(index);
    if (try_issue(index, now) == Attempt::kIssued) {
      return;
    }
  }
}

SubCore::Attempt SubCore::try_issue(std::uint32_t index, Cycle now) {
  Warp& warp = warps_[index];
  const IssueInfo& info = info_of(warp);
  if (info.memory_queue && warp.stream.next->active != 0) {
    if (neighbours_.lsu.queue_full(index_)) {
      const StallReason reason = info.kind == OpKind::kTexture ? StallReason::kTexThrottle
                                 : info.long_latency          ? StallReason::kLgThrottle
                                                              : StallReason::kMioThrottle;
      wait_queue_ |= bit(index);
      set_waiting(index, reason, now);
      return Attempt::kBlocked;
    }
  } else {
    const Cycle pipe_free = pipes_.free_at(info.pipe);
    if (pipe_free > now) {
      set_timed(index, StallReason::kMathPipeThrottle, pipe_free, now);
      return Attempt::kBlocked;
    }
  }
  if (info.reads_constant && !neighbours_.constants.operand_present(index_, info.constant_address, now)) {
    wait_constant_ |= bit(index);
    set_waiting(index, StallReason::kImcMiss, now);
    return Attempt::kBlocked;
  }
  issue(index, info, now);
  return Attempt::kIssued;
}

void SubCore::issue(std::uint32_t index, const IssueInfo& info, Cycle now) {
  Warp& warp = warps_[index];
  const LaneMask active = warp.stream.next->active;
  enter(warp, StallReason::kSelected, now);
  ready_ &= ~bit(index);
  scheduler_.issued(index, ready_ | bit(index));
  ++stats_.inst_executed;
  ++stats_.inst_issued;
  stats_.thread_inst_executed += static_cast<std::uint32_t>(std::popcount(active));
  for (std::uint32_t mask = info.counted_pipes; mask != 0; mask &= mask - 1) {
    ++stats_.pipe[static_cast<std::size_t>(std::countr_zero(mask))];
  }
  warp.dependences.issued(info, instruction_of(warp), now);
  dispatch(index, info, now);
  advance(index, now);
}

void SubCore::dispatch(std::uint32_t index, const IssueInfo& info, Cycle now) {
  Warp& warp = warps_[index];
  dispatch_free_at_ = now + 1;
  if (info.memory_queue) {
    if (warp.stream.next->active != 0) {
      dispatch_to_lsu(index, info, now);
    } else {
      post(index, SmEvent::Kind::kSourcesRead, warp.stream.next->index, now + config_.predicated_off_cycles);
      post(index, SmEvent::Kind::kResultWritten, warp.stream.next->index, now + config_.predicated_off_cycles);
    }
    return;
  }
  dispatch_to_pipe(index, info, now);
  switch (info.kind) {
    case OpKind::kBarrier:
      arrive_at_barrier(index, info, now);
      break;
    case OpKind::kMembar:
      start_membar(index, info, now);
      break;
    case OpKind::kSleep:
      warp.hold = StallReason::kSleeping;
      post(index, SmEvent::Kind::kWarpReady, 0, now + info.latency_cycles);
      break;
    case OpKind::kAsyncCommit:
      commit_copies(index, now);
      break;
    case OpKind::kBranch:
      ++stats_.branches;
      break;
    default:
      break;
  }
}

void SubCore::dispatch_to_pipe(std::uint32_t index, const IssueInfo& info, Cycle now) {
  const Warp& warp = warps_[index];
  const std::uint32_t instruction = warp.stream.next->index;
  const bool lite = pipes_.take(info.pipe, info.initiation_cycles, now);
  if (info.pipe == Pipe::kFma || info.pipe == Pipe::kFmaHeavy) {
    // A packed half operation takes both halves.
    stats_.pipe_fmalite += lite || info.packed_half ? 1 : 0;
    stats_.pipe[static_cast<std::size_t>(Pipe::kFmaHeavy)] += !lite || info.packed_half ? 1 : 0;
    stats_.pipe_fp16 += info.packed_half ? 1 : 0;
  } else if (info.pipe == Pipe::kTensor) {
    ++(info.kind == OpKind::kWarpgroupMma  ? stats_.tensor_warpgroup
       : info.mma_operand_bits == 64       ? stats_.tensor_fp64
       : info.mma_operand_bits <= 8        ? stats_.tensor_int
                                           : stats_.tensor_half);
  } else if (info.pipe == Pipe::kCbu && warp.stream.next->active == 0) {
    ++stats_.pipe_cbu_pred_off;
  }
  const std::uint32_t held = registers_.read(index, info.operands, now);
  if (held != 0) {
    hold_back_dispatch(held, now);
  }
  if (info.indexed_constant) {
    ++warps_[index].in_flight;
    neighbours_.constants.load(index_, index, instruction, info.constant_address, now);
  } else if (info.write_barrier != kNoBarrier && info.kind != OpKind::kAsyncCommit) {
    post(index, SmEvent::Kind::kResultWritten, instruction, now + info.latency_cycles);
  }
  if (info.read_barrier != kNoBarrier) {
    post(index, SmEvent::Kind::kSourcesRead, instruction, now + config_.operand_read_cycles);
  }
}

void SubCore::hold_back_dispatch(std::uint32_t cycles, Cycle now) {
  dispatch_free_at_ = now + 1 + cycles;
  stats_.register_conflict_cycles += cycles;
  for (WarpMask mask = ready_; mask != 0; mask &= mask - 1) {
    enter(warps_[static_cast<std::uint32_t>(std::countr_zero(mask))], StallReason::kDispatch, now + 1);
  }
}

void SubCore::dispatch_to_lsu(std::uint32_t index, const IssueInfo& info, Cycle now) {
  Warp& warp = warps_[index];
  const WarpInstruction& record = *warp.stream.next;
  MemoryInstruction instruction;
  instruction.info = &info;
  instruction.addresses = warp.start.source->addresses(record);
  instruction.active = record.active;
  instruction.instruction = record.index;
  instruction.sub_core = static_cast<std::uint8_t>(index_);
  instruction.warp = static_cast<std::uint8_t>(index);
  instruction.issued = now;
  warp.in_flight += 2;  // sources read, result written
  warp.copies_issued += info.kind == OpKind::kAsyncCopy ? 1 : 0;
  neighbours_.lsu.enqueue(instruction, warp.start.windows, now);
}

void SubCore::post(std::uint32_t index, SmEvent::Kind kind, std::uint32_t payload, Cycle at) {
  ++warps_[index].in_flight;
  neighbours_.events.add(
      at, {kind, static_cast<std::uint8_t>(index_), static_cast<std::uint8_t>(index), payload});
}

void SubCore::arrive_at_barrier(std::uint32_t index, const IssueInfo& info, Cycle now) {
  Warp& warp = warps_[index];
  const bool waits = !info.arrive_only;
  if (waits) {
    warp.hold = StallReason::kBarrier;
    ++warp.in_flight;
  }
  const std::uint32_t barrier = info.immediate < 0 ? 0 : static_cast<std::uint32_t>(info.immediate);
  neighbours_.barriers.arrive(warp.start.block_slot, barrier, info.barrier_warps,
                              {static_cast<std::uint8_t>(index_), static_cast<std::uint8_t>(index)}, waits, now);
}

void SubCore::start_membar(std::uint32_t index, const IssueInfo& info, Cycle now) {
  warps_[index].hold = StallReason::kMembar;
  const std::uint32_t latency = info.block_scope ? config_.membar_block_cycles : config_.membar_device_cycles;
  post(index, SmEvent::Kind::kWarpReady, info.block_scope ? 0 : 1, now + latency);
}

void SubCore::commit_copies(std::uint32_t index, Cycle now) {
  Warp& warp = warps_[index];
  ++warp.in_flight;
  warp.commits.push_back({warp.copies_issued, warp.stream.next->index});
  finish_copies(warp, now);
}

// Moves the warp on to its next instruction.
void SubCore::advance(std::uint32_t index, Cycle now) {
  Warp& warp = warps_[index];
  const IssueInfo& info = info_of(warp);
  const std::uint32_t current = warp.stream.next->index;
  warp.since = now + 1;
  ++stats_.stalled[static_cast<std::size_t>(StallReason::kSelected)];
  warp.reason = StallReason::kWait;
  warp.stall_until = now + info.stall_cycles;
  ++warp.stream.next;
  if (warp.stream.next == warp.stream.end && !warp.stream.finished) {
    warp.start.source->refill(warp.stream, now);
  }
  if (warp.stream.next == warp.stream.end) {
    fetch_.stop(index);
    warp.hold = StallReason::kDrain;
  } else {
    warp.redirected = warp.stream.next->index != current + 1;
    fetch_.consume(index, warp.stream.next->index, now + config_.branch_latency_cycles);
  }
  timed_ |= bit(index);
  warp.wake_at = warp.hold == StallReason::kDrain ? now + 1 : warp.stall_until;
  next_timer_ = std::min(next_timer_, warp.wake_at);
}

// --- events ---

void SubCore::finish_copies(Warp& warp, Cycle now) {
  while (!warp.commits.empty() && warp.commits.front().target <= warp.copies_done) {
    const std::uint32_t instruction = warp.commits.front().instruction;
    warp.dependences.result_written(warp.start.table->instructions[instruction],
                                    warp.start.program->instructions[instruction], now);
    warp.commits.erase(warp.commits.begin());
    --warp.in_flight;
  }
}

void SubCore::result_written(std::uint32_t index, std::uint32_t instruction, Cycle now) {
  Warp& warp = warps_[index];
  const IssueInfo& info = warp.start.table->instructions[instruction];
  warp.dependences.result_written(info, warp.start.program->instructions[instruction], now);
  if (info.kind == OpKind::kAsyncCopy) {
    ++warp.copies_done;
    finish_copies(warp, now);
  }
}

void SubCore::handle(const SmEvent& event, Cycle now) {
  if (event.kind == SmEvent::Kind::kInstructionLine) {
    fetch_.line_arrived(event.payload);
    wake_ = std::min(wake_, now);
    return;
  }
  if (event.kind == SmEvent::Kind::kConstantLine) {
    for (WarpMask mask = wait_constant_; mask != 0; mask &= mask - 1) {
      examine_later(static_cast<std::uint32_t>(std::countr_zero(mask)), now);
    }
    wait_constant_ = 0;
    return;
  }
  Warp& warp = warps_[event.warp];
  SIM_CHECK(warp.in_flight != 0, "an event for a warp that expects none");
  --warp.in_flight;
  switch (event.kind) {
    case SmEvent::Kind::kResultWritten:
      result_written(event.warp, event.payload, now);
      break;
    case SmEvent::Kind::kSourcesRead:
      warp.dependences.sources_read(warp.start.table->instructions[event.payload]);
      break;
    case SmEvent::Kind::kWarpReady:
      if (event.payload != 0 && neighbours_.lsu.unacknowledged_writes() != 0) {
        wait_writes_ |= bit(event.warp);
        return;
      }
      warp.hold = StallReason::kSelected;
      break;
    case SmEvent::Kind::kBarrierDone:
      warp.hold = StallReason::kSelected;
      break;
    default:
      break;
  }
  const WarpMask blocked_elsewhere = wait_queue_ | wait_constant_ | wait_fetch_;
  if ((waiting_ & ~blocked_elsewhere & bit(event.warp)) != 0) {
    examine_later(event.warp, now);
  }
}

void SubCore::queue_freed(Cycle now) {
  for (WarpMask mask = wait_queue_; mask != 0; mask &= mask - 1) {
    examine_later(static_cast<std::uint32_t>(std::countr_zero(mask)), now);
  }
  wait_queue_ = 0;
}

void SubCore::writes_acknowledged(Cycle now) {
  for (WarpMask mask = wait_writes_; mask != 0; mask &= mask - 1) {
    const auto index = static_cast<std::uint32_t>(std::countr_zero(mask));
    warps_[index].hold = StallReason::kSelected;
    examine_later(index, now);
  }
  wait_writes_ = 0;
}

// --- one cycle ---

void SubCore::fetch_one(Cycle now) {
  const std::uint32_t index = fetch_.tick(now, scheduler_);
  if (index != InstructionFetch::kNone && (wait_fetch_ & bit(index)) != 0) {
    wait_fetch_ &= ~bit(index);
    waiting_ &= ~bit(index);
    set_timed(index, warps_[index].reason, fetch_.head_ready_at(index), now);
  }
}

void SubCore::tick(Cycle now) {
  expire_timers(now);
  for (WarpMask mask = examine_; mask != 0; mask &= mask - 1) {
    examine(static_cast<std::uint32_t>(std::countr_zero(mask)), now);
  }
  examine_ = 0;
  if (ready_ != 0 && dispatch_free_at_ <= now) {
    for (WarpMask mask = ready_; mask != 0; mask &= mask - 1) {
      Warp& warp = warps_[static_cast<std::uint32_t>(std::countr_zero(mask))];
      if (warp.reason == StallReason::kDispatch) {
        enter(warp, StallReason::kNotSelected, now);
      }
    }
    issue_one(now);
  }
  fetch_one(now);
  compute_wake(now);
}

void SubCore::compute_wake(Cycle now) {
  Cycle wake = std::min(next_timer_, fetch_.next_fetch(now + 1));
  if (ready_ != 0) {
    wake = std::min(wake, dispatch_free_at_);
  }
  wake_ = std::max(wake, now + 1);
}

std::string SubCore::describe_stall() const {
  std::string text;
  for (WarpMask mask = resident_; mask != 0; mask &= mask - 1) {
    const auto index = static_cast<std::uint32_t>(std::countr_zero(mask));
    const Warp& warp = warps_[index];
    text += " warp " + std::to_string(index_) + "/" + std::to_string(index) + " " + to_string(warp.reason);
    if (warp.stream.next != warp.stream.end) {
      text += " at pc " + std::to_string(instruction_of(warp).pc);
    }
    text += " since " + std::to_string(warp.since) + ";";
  }
  return text;
}

}  // namespace warpsim
