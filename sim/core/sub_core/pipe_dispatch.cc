#include "core/sub_core/pipe_dispatch.h"

#include <algorithm>

namespace warpsim {

PipeDispatch::PipeDispatch(const SubCoreConfig& config, const ExecutionConfig& execution, const Parts& parts,
                           SharedPipe& address_unit)
    : operand_read_cycles_(config.operand_read_cycles),
      registers_(config.register_file),
      collectors_(config.register_file),
      units_(execution, parts.units),
      collects_(collectors_.present()),
      fp64_takes_all_slots_(config.issue.fp64_takes_all_slots),
      rules_beyond_units_(collects_ || fp64_takes_all_slots_),
      address_unit_(&address_unit),
      parts_(parts) {}

bool PipeDispatch::line_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  WarpLine& line = line_of(info.unit);
  const Cycle pipe_free = units_.free_at(info.unit);
  if (pipe_free <= now && line.lets_through(slot)) {
    return false;
  }
  line.join(slot);
  if (line.head() == slot) {
    parts_.states.wait_until(slot, StallReason::kMioThrottle, pipe_free, now);
  } else {
    parts_.states.wait(slot, StallReason::kMioThrottle, now);
  }
  return true;
}

// Whether the operands cannot be collected now, or the issue slots of other schedulers are needed but used.
bool PipeDispatch::slot_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  Cycle until = now;
  if (collects_) {
    until = collectors_.free_at();
  }
  if (fp64_takes_all_slots_ && info.double_precision && !parts_.issue_slots.all_unused(now)) {
    until = std::max(until, parts_.issue_slots.after(now));
  }
  if (until > now) {
    parts_.states.wait_until(slot, StallReason::kDispatch, until, now);
  }
  return until > now;
}

std::uint32_t PipeDispatch::dispatch(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
  const WarpInstruction& record = *warp.stream.next;
  const std::uint32_t held_back = registers_.read(slot, info.operands, now);
  const std::uint32_t initiation = std::max<std::uint32_t>(info.initiation_cycles, registers_.read_cycles());
  Cycle start = info.shared_pipe ? parts_.adu.take(initiation, now) : now;
  if (info.address_unit_cycles != 0) {
    start = address_unit_->take(info.address_unit_cycles, start);
  }
  const bool second_half = info.unit.unit != Pipe::kNone &&
                           units_.take(info.unit, static_cast<std::uint32_t>(start - now) + initiation, now) != 0;
  warp.stats->count_dispatch(info, record.active, second_half && info.unit.unit == Pipe::kFma);
  if (info.write_barrier != kNoBarrier && info.kind != OpKind::kAsyncCommit) {
    parts_.events.result_written(slot, warp, record.index, start + info.latency_cycles);
  } else {
    parts_.results.book(info.result, now + info.latency_cycles, now);
  }
  if (info.waits_in_line) {
    line_of(info.unit).served(slot);
    next_in_line(info.unit, now);
  }
  if (info.read_barrier != kNoBarrier) {
    parts_.events.sources_read(slot, warp, record.index, now + operand_read_cycles_);
  }
  return held_back;
}

// The first warp that waits for the pipe is examined again when it is free.
void PipeDispatch::next_in_line(UnitChoice unit, Cycle now) {
  const WarpLine& line = line_of(unit);
  if (!line.empty()) {
    parts_.states.wait_until(line.head(), StallReason::kMioThrottle, units_.free_at(unit), now);
  }
}

}  // namespace warpsim
