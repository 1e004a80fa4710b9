#include "core/load_store/memory_queues.h"

namespace warpsim {

bool QueuedAccess::has_lines() const {
  const OpKind kind = instruction.info->kind;
  return instruction.active != 0 && instruction.operations == nullptr &&
         instruction.addresses.kind != LaneAddresses::Kind::kNone && space != MemorySpace::kShared &&
         space != MemorySpace::kCluster && kind != OpKind::kConstantLoad && kind != OpKind::kBulkCopy &&
         kind != OpKind::kLoadMatrix &&
         (kind != OpKind::kTexture || instruction.addresses.kind == LaneAddresses::Kind::kTexels);
}

MemoryQueues::MemoryQueues(const LoadStoreConfig& config, std::uint32_t sub_cores, SmEvents& events)
    : stage_queue_entries_(config.stage_queue_entries),
      register_read_cycles_(config.register_read_cycles),
      address_latency_cycles_(config.address_latency_cycles),
      source_read_cycles_(config.source_read_cycles),
      access_interval_cycles_(config.access_interval_cycles),
      queues_(sub_cores, Queue(config.queue_entries)),
      with_lines_(config.stage_queue_entries),
      others_(config.stage_queue_entries),
      events_(&events) {}

void MemoryQueues::enqueue(const MemoryInstruction& instruction, const AddressWindows& windows, Cycle now) {
  Queue& queue = queues_[instruction.sub_core];
  const IssueInfo& info = *instruction.info;
  const std::uint32_t reading = std::max<std::uint32_t>(1, info.source_registers) * register_read_cycles_;
  Cycle begin = instruction.address_unit_at;
  if (info.address_unit_cycles == 0) {
    begin = std::max(now + 1, queue.registers_free_at);
    queue.registers_free_at = begin + reading;
  }
  // The latency is that of an address in two registers.
  const std::uint32_t further = reading - std::min(reading, 2 * register_read_cycles_);
  queue.entries.push({instruction, windows, windows.space_of(info.space, instruction.addresses),
                      begin - 1 + address_latency_cycles_ + further, begin - 1 + source_read_cycles_ + reading});
}

std::uint32_t MemoryQueues::read_registers(Cycle now) {
  if (!has_space() || entrance_free_at_ > now) {
    return 0;
  }
  const auto count = static_cast<std::uint32_t>(queues_.size());
  for (std::uint32_t step = 0; step < count; ++step) {
    const std::uint32_t index = (next_queue_ + step) % count;
    Queue& queue = queues_[index];
    if (!queue.entries.empty() && queue.entries.front().ready <= now) {
      const QueuedAccess& queued = queue.entries.front();
      const MemoryInstruction& instruction = queued.instruction;
      const bool groups_reads = instruction.operations != nullptr &&
                                instruction.operations->kind == AsyncOperation::Kind::kCommit &&
                                instruction.active != 0;
      if (!groups_reads) {  // the copy engine reports when a group has been read
        post_sources_read(*events_, instruction, std::max(queued.sources_read, now + 1));  // late if it waited
      }
      if (instruction.addresses.kind != LaneAddresses::Kind::kNone) {  // exchanges between lanes are not accesses
        entrance_free_at_ = now + access_interval_cycles_;
      }
      (queued.has_lines() ? with_lines_ : others_).push(queued);
      queue.entries.pop();
      next_queue_ = (index + 1) % count;
      return 1U << index;
    }
  }
  return 0;
}

std::uint64_t MemoryQueues::size() const {
  std::uint64_t count = with_lines_.size() + others_.size();
  for (const Queue& queue : queues_) {
    count += queue.entries.size();
  }
  return count;
}

}  // namespace warpsim
