#include "core/sub_core/memory_dispatch.h"

namespace warpsim {

// Returns true: the warp waits.
bool MemoryDispatch::wait_in_line(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  line_.join(slot);
  states_->wait_elsewhere(slot,
                          info.kind == OpKind::kTexture ? StallReason::kTexThrottle
                          : info.long_latency           ? StallReason::kLgThrottle
                                                        : StallReason::kMioThrottle,
                          now);
  return true;
}

void MemoryDispatch::dispatch(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
  const WarpInstruction& record = *warp.stream.next;
  warp.stats->count_dispatch(info, record.active, false);
  MemoryInstruction instruction;
  instruction.info = &info;
  instruction.addresses = warp.start.source->addresses(record);
  instruction.active = record.active;
  instruction.instruction = record.index;
  instruction.sub_core = static_cast<std::uint8_t>(sub_core_);
  instruction.warp = static_cast<std::uint8_t>(slot);
  instruction.issued = now;
  if (info.address_unit_cycles != 0) {
    instruction.address_unit_at = address_unit_->take(info.address_unit_cycles, now + 1);
  }
  instruction.block_slot = static_cast<std::uint8_t>(warp.start.block_slot);
  instruction.seat = warp.start.seat;
  if (record.operation != 0) {
    instruction.operations = warp.start.source->operations(record);
    if (instruction.operations->after_copies && warp.copies.any_outstanding()) {
      warp.copies.arrive_after_copies(instruction.operations);
      instruction.operations = nullptr;
    }
  }
  warp.expect(2);  // sources read, result written
  if (info.kind == OpKind::kAsyncCopy) {
    instruction.copy_group = warp.copies.copy_issued();
  }
  if (info.space == MemorySpace::kShared) {
    barriers_->note_shared_access(warp.start.block_slot);
  }
  lsu_->enqueue(instruction, warp.start.windows, now);
  line_.served(slot);
  if (!lsu_->queue_full(sub_core_)) {
    queue_freed(now);
  }
}

}  // namespace warpsim
