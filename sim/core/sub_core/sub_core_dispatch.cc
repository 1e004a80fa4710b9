// The second half of the sub-core: handling of an instruction that has been chosen to issue.
#include "core/sub_core/sub_core.h"

#include <algorithm>

namespace warpsim {

void SubCore::dispatch(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  const WarpInstruction& record = *warps_[slot].stream.next;
  dispatch_free_at_ = every_cycle_ ? now + 1 : neighbours_.issue_slots.after(now);
  if (config_.issue.fp64_takes_all_slots) {
    neighbours_.issue_slots.use(now);
    if (info.double_precision) {
      neighbours_.issue_slots.use_all(now);
    }
  }
  if (info.memory_queue) {
    warps_[slot].stats->count_dispatch(info, record.active, false);
    dispatch_to_lsu(slot, info, now);
    return;
  }
  if (info.warpgroup != WarpgroupRole::kNone) {
    dispatch_to_warpgroup(slot, info, now);
    return;
  }
  dispatch_to_pipe(slot, info, now);
  if (record.active == 0 && info.kind != OpKind::kAsyncCommit) {
    return;  // predicated off: no barrier, fence or sleep
  }
  switch (info.kind) {
    case OpKind::kBarrier:
      arrive_at_barrier(slot, info, now);
      break;
    case OpKind::kClusterArrive:
      neighbours_.async.cluster_arrive(warps_[slot].start.block_slot, index_ * kMaxWarpsPerSubCore + slot, now);
      break;
    case OpKind::kClusterWait:
      warps_[slot].hold = StallReason::kBarrier;
      ++warps_[slot].in_flight;
      neighbours_.async.cluster_wait(warps_[slot].start.block_slot, index_ * kMaxWarpsPerSubCore + slot, now);
      break;
    case OpKind::kMembar:
      hold(slot, StallReason::kMembar, info.block_scope ? 0 : kUntilWritesAcknowledged,
           now + (info.block_scope ? config_.membar_block_cycles : config_.membar_device_cycles));
      break;
    case OpKind::kSleep:
      hold(slot, StallReason::kSleeping, 0, now + info.latency_cycles);
      break;
    case OpKind::kAsyncCommit:
      ++warps_[slot].in_flight;
      warps_[slot].copies.close_group(record.index,
                                      record.operation != 0 ? warps_[slot].start.source->operations(record) : nullptr);
      finish_copies(warps_[slot], now);
      break;
    default:
      break;
  }
}

void SubCore::dispatch_to_pipe(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  const WarpInstruction& record = *warps_[slot].stream.next;
  const std::uint32_t held = registers_.read(slot, info.operands, now);
  const std::uint32_t initiation = std::max<std::uint32_t>(info.initiation_cycles, registers_.read_cycles());
  const Cycle start = info.shared_pipe ? neighbours_.adu.take(initiation, now) : now;
  const bool second_half = info.unit.unit != Pipe::kNone &&
                           units_.take(info.unit, static_cast<std::uint32_t>(start - now) + initiation, now) != 0;
  warps_[slot].stats->count_dispatch(info, record.active, second_half && info.unit.unit == Pipe::kFma);
  if (held != 0) {
    hold_back_dispatch(slot, held, now);
  }
  if (info.write_barrier != kNoBarrier && info.kind != OpKind::kAsyncCommit) {
    post(slot, {SmEvent::Kind::kResultWritten, {}, {}, 0, record.index}, start + info.latency_cycles);
  } else {
    results_.book(info.result, now + info.latency_cycles, now);
  }
  if (info.waits_in_line) {
    pipe_lines_[static_cast<std::size_t>(info.unit.unit)].served(slot);
    next_in_pipe_line(info.unit, now);
  }
  if (info.read_barrier != kNoBarrier) {
    post(slot, {SmEvent::Kind::kSourcesRead, {}, {}, 0, record.index}, now + config_.operand_read_cycles);
  }
}

// Examines the first warp that waits for space in the memory queue again.
void SubCore::next_in_memory_line(Cycle now) {
  if (!memory_line_.empty()) {
    wait_queue_ &= ~bit(memory_line_.head());
    examine_later(memory_line_.head(), now);
  }
}

// The first warp that waits for the pipe is examined again when it is free.
void SubCore::next_in_pipe_line(UnitChoice unit, Cycle now) {
  const WarpLine& line = pipe_lines_[static_cast<std::size_t>(unit.unit)];
  if (!line.empty()) {
    states_.wait_until(line.head(), StallReason::kMioThrottle, units_.free_at(unit), now);
  }
}

void SubCore::hold_back_dispatch(std::uint32_t slot, std::uint32_t cycles, Cycle now) {
  dispatch_free_at_ = neighbours_.issue_slots.slot_at(now + 1 + cycles);
  dispatch_held_back_ = true;
  warps_[slot].stats->register_conflict_cycles += cycles;
}

void SubCore::dispatch_to_lsu(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  Warp& warp = warps_[slot];
  const WarpInstruction& record = *warp.stream.next;
  MemoryInstruction instruction;
  instruction.info = &info;
  instruction.addresses = warp.start.source->addresses(record);
  instruction.active = record.active;
  instruction.instruction = record.index;
  instruction.sub_core = static_cast<std::uint8_t>(index_);
  instruction.warp = static_cast<std::uint8_t>(slot);
  instruction.issued = now;
  instruction.block_slot = static_cast<std::uint8_t>(warp.start.block_slot);
  instruction.seat = warp.start.seat;
  if (record.operation != 0) {
    instruction.operations = warp.start.source->operations(record);
  }
  warp.in_flight = static_cast<std::uint16_t>(warp.in_flight + 2);  // sources read, result written
  if (info.kind == OpKind::kAsyncCopy) {
    instruction.copy_group = warp.copies.copy_issued();
  }
  if (info.space == MemorySpace::kShared) {
    neighbours_.barriers.note_shared_access(warp.start.block_slot);
  }
  neighbours_.lsu.enqueue(instruction, warp.start.windows, now);
  memory_line_.served(slot);
  if (!neighbours_.lsu.queue_full(index_)) {
    next_in_memory_line(now);
  }
}

void SubCore::post(std::uint32_t slot, SmEvent event, Cycle at) {
  ++warps_[slot].in_flight;
  event.sub_core = static_cast<std::uint8_t>(index_);
  event.warp = static_cast<std::uint8_t>(slot);
  neighbours_.events.add(at, event);
}

void SubCore::hold(std::uint32_t slot, StallReason reason, std::uint32_t payload, Cycle until) {
  warps_[slot].hold = reason;
  post(slot, {SmEvent::Kind::kWarpReady, {}, {}, 0, payload}, until);
}

// Until its source has instructions for the warp.
void SubCore::hold_until_known(std::uint32_t slot, Cycle now) {
  const Warp& warp = warps_[slot];
  if (const Cycle known = warp.start.source->known_at(warp.stream); known > now) {
    hold(slot, StallReason::kWait, 0, known);
  } else {
    hold(slot, StallReason::kBarrier, 0, now + kAskAgainCycles);
  }
}

void SubCore::arrive_at_barrier(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  Warp& warp = warps_[slot];
  const bool waits = !info.arrive_only;
  if (waits) {
    ++warp.in_flight;
    if (info.defers_blocking && neighbours_.barriers.deferred_blocking()) {
      warp.at_barrier = true;
    } else {
      warp.hold = StallReason::kBarrier;
    }
  }
  std::uint32_t barrier = info.immediate < 0 ? 0 : static_cast<std::uint32_t>(info.immediate);
  std::uint32_t warps = info.barrier_warps;
  if (const WarpInstruction& record = *warp.stream.next; record.operation != 0) {
    const AsyncOperation& known = *warp.start.source->operations(record);
    barrier = known.barrier;
    warps = static_cast<std::uint32_t>(known.arrivals);
  }
  neighbours_.barriers.arrive(warp.start.block_slot, barrier, warps,
                              {static_cast<std::uint8_t>(index_), static_cast<std::uint8_t>(slot)}, waits, now);
}

}  // namespace warpsim
