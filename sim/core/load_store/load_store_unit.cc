#include "core/load_store/load_store_unit.h"

#include <algorithm>
#include <bit>

namespace warpsim {

namespace {

bool is_write(OpKind kind) {
  return kind == OpKind::kStore || kind == OpKind::kReduction;
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(const LoadStoreConfig& config, const Caches& caches, std::uint32_t sub_cores,
                             std::uint16_t port, SmEvents& events, ConstantCaches& constants, AsyncUnit& async,
                             Link<MemRequest>& to_memory, StatGroup& parent)
    : config_(config),
      port_(port),
      events_(&events),
      constants_(&constants),
      async_(&async),
      to_memory_(&to_memory),
      stats_(parent, "lsu"),
      l1_(caches.l1, parent),
      queues_(sub_cores, Queue(config.queue_entries)),
      waiting_lines_(config.stage_queue_entries),
      waiting_other_(config.stage_queue_entries),
      banks_(config.shared_banks),
      passes_(config.pass_interval_cycles, config.pass_window_entries, config.shared_banks.pass_cycles),
      output_(std::max(config.output_entries, config.output_atomic_sectors) + CoalescedAccess::kMaxLines) {
  if (caches.read_only.kib != 0) {
    read_only_.emplace(l1_config_of(caches.read_only, caches.l1), parent, "read_only_cache");
    read_only_->configure(std::uint64_t{caches.read_only.kib} * 1024);
  }
}

void LoadStoreUnit::enqueue(const MemoryInstruction& instruction, const AddressWindows& windows, Cycle now) {
  changed_ = true;
  Queue& queue = queues_[instruction.sub_core];
  const IssueInfo& info = *instruction.info;
  const Cycle begin = std::max(now + 1, queue.registers_free_at);
  const std::uint32_t reading = std::max<std::uint32_t>(1, info.source_registers) * config_.register_read_cycles;
  queue.registers_free_at = begin + (info.indexed_constant ? config_.constant_interval_cycles : reading);
  // The latency is that of an address in two registers.
  const std::uint32_t further = reading - std::min(reading, 2 * config_.register_read_cycles);
  Queued queued{instruction, windows, windows.space_of(info.space, instruction.addresses),
                begin - 1 + config_.address_latency_cycles + further, begin - 1 + config_.source_read_cycles + reading};
  queued.instruction.acknowledged = acknowledge_writes_ && is_write(info.kind);
  if (queued.instruction.acknowledged) {
    writes_.add(instruction.warp_number(), 1);  // until it has left the stage
  }
  queue.entries.push(queued);
}

std::uint32_t LoadStoreUnit::extra_registers_latency(const IssueInfo& info) const {
  if (info.matrices != 0) {
    return (info.matrices - 1U) * config_.extra_matrix_latency_cycles;
  }
  const std::uint32_t registers = std::max(1U, (info.bytes_per_lane + 3U) / 4U);
  return (registers - 1) * config_.extra_register_latency_cycles;
}

void LoadStoreUnit::post_sources_read(const MemoryInstruction& instruction, Cycle at) {
  events_->add(at, {SmEvent::Kind::kSourcesRead, instruction.sub_core, instruction.warp, 0, instruction.instruction});
}

void LoadStoreUnit::post_result(const MemoryInstruction& instruction, Cycle at) {
  events_->add(at, {SmEvent::Kind::kResultWritten, instruction.sub_core, instruction.warp, instruction.copy_group,
                    instruction.instruction});
}

// --- entry of the SM's stages ---

bool LoadStoreUnit::has_lines(const Queued& queued) {
  const MemoryInstruction& instruction = queued.instruction;
  const OpKind kind = instruction.info->kind;
  return instruction.active != 0 && instruction.operations == nullptr &&
         instruction.addresses.kind != LaneAddresses::Kind::kNone && queued.space != MemorySpace::kShared &&
         queued.space != MemorySpace::kCluster && kind != OpKind::kConstantLoad && kind != OpKind::kTexture &&
         kind != OpKind::kBulkCopy && kind != OpKind::kLoadMatrix;
}

// One sub-core's next instruction has read its registers and enters the queue.
std::uint32_t LoadStoreUnit::read_registers(Cycle now) {
  if (waiting_lines_.size() + waiting_other_.size() == config_.stage_queue_entries) {
    return 0;
  }
  const auto count = static_cast<std::uint32_t>(queues_.size());
  for (std::uint32_t step = 0; step < count; ++step) {
    const std::uint32_t index = (next_queue_ + step) % count;
    Queue& queue = queues_[index];
    if (!queue.entries.empty() && queue.entries.front().ready <= now) {
      const Queued& queued = queue.entries.front();
      const MemoryInstruction& instruction = queued.instruction;
      const bool groups_reads = instruction.operations != nullptr &&
                                instruction.operations->kind == AsyncOperation::Kind::kCommit &&
                                instruction.active != 0;
      if (!groups_reads) {  // the copy engine reports when a group has been read
        post_sources_read(instruction, std::max(queued.sources_read, now + 1));  // late if it waited
      }
      (has_lines(queued) ? waiting_lines_ : waiting_other_).push(queued);
      queue.entries.pop();
      next_queue_ = (index + 1) % count;
      return 1U << index;
    }
  }
  return 0;
}

// The oldest of each queue may start if there is a free pass; the other one waits for it.
void LoadStoreUnit::start_waiting(Cycle now) {
  for (int tries = 0; tries < 2; ++tries) {
    if (!passes_.has_room(stage_.busy ? 1 : 0, now)) {
      return;
    }
    if (lines_go_first_ == (tries == 0)) {
      if (!waiting_lines_.empty() && !stage_.busy && stage_free_at_ <= now) {
        start_lines(waiting_lines_.front(), now);
        waiting_lines_.pop();
        lines_go_first_ = false;
      }
    } else if (!waiting_other_.empty() && other_free_at_ <= now) {
      start_other(waiting_other_.front(), now);
      waiting_other_.pop();
      lines_go_first_ = true;
    }
  }
}

void LoadStoreUnit::note_started(const MemoryInstruction& instruction) {
  if (instruction.acknowledged) {
    writes_.remove(instruction.warp_number(), 1);
  }
}

void LoadStoreUnit::start_other(const Queued& queued, Cycle now) {
  const MemoryInstruction& instruction = queued.instruction;
  const OpKind kind = instruction.info->kind;
  stats_.queueing.add(now - instruction.issued);
  other_free_at_ = now + 1;
  if (instruction.active == 0) {
    start_fixed(instruction, config_.predicated_off_latency_cycles, now);  // passes through, independent of its kind
  } else if (instruction.operations != nullptr) {
    start_asynchronous(instruction, now);
  } else if (kind == OpKind::kConstantLoad) {
    constants_->load(instruction.sub_core, instruction.warp, instruction.instruction,
                     instruction.info->constant_address, now - config_.address_latency_cycles, now);
  } else if (kind == OpKind::kTexture) {
    start_fixed(instruction, config_.texture_latency_cycles, now);
  } else if (kind == OpKind::kBulkCopy) {
    start_fixed(instruction, config_.bulk_copy_latency_cycles, now);
  } else if (instruction.addresses.kind == LaneAddresses::Kind::kNone && kind != OpKind::kLoadMatrix) {
    start_fixed(instruction, instruction.info->latency_cycles, now);  // SHFL, S2R, mbarrier operations, ...
  } else if (queued.space == MemorySpace::kCluster) {
    start_remote(instruction, now);
  } else {
    start_banked(instruction, now);
  }
  note_started(instruction);
}

void LoadStoreUnit::start_fixed(const MemoryInstruction& instruction, std::uint32_t latency, Cycle now) {
  const std::uint32_t initiation = std::max<std::uint32_t>(1, instruction.info->initiation_cycles);
  const Cycle begin = passes_.take(instruction.warp_number(), initiation, now);
  post_result(instruction, std::max(instruction.issued + latency, begin + 1));
  stats_.stage_busy_cycles += initiation;
  // Nsight Compute counts instructions that only exchange lanes, or have no effect, as a pass of shared memory.
  ++stats_.wavefronts;
  ++stats_.shared_wavefronts;
}

// Barriers in shared memory, and copies that the copy engine executes.
void LoadStoreUnit::start_asynchronous(const MemoryInstruction& instruction, Cycle now) {
  const bool bulk = instruction.info->kind == OpKind::kBulkCopy;
  if (!async_->start(instruction, now)) {
    if (instruction.info->space == MemorySpace::kShared) {
      start_banked(instruction, now);  // an ordinary access implements the barrier
      return;
    }
    const std::uint32_t latency = bulk ? 1 : async_->mbarrier_latency_cycles();
    post_result(instruction, std::max(instruction.issued + latency, now + 1));
  }
  ++stats_.stage_busy_cycles;
}

void LoadStoreUnit::start_banked(const MemoryInstruction& instruction, Cycle now) {
  const IssueInfo& info = *instruction.info;
  const bool atomic = instruction.is_atomic();
  const bool store = info.kind == OpKind::kStore || info.kind == OpKind::kStoreMatrix;
  const auto [passes, least] = instruction.shared_passes(banks_);
  ++(atomic ? stats_.shared_atomic_requests : store ? stats_.shared_store_requests : stats_.shared_load_requests);
  (atomic  ? stats_.shared_atomic_conflicts
   : store ? stats_.shared_store_conflicts
           : stats_.shared_load_conflicts) += passes - least;
  stats_.shared_wavefronts += passes;
  stats_.wavefronts += passes;
  stats_.stage_busy_cycles += passes;
  const Cycle begin = passes_.take(instruction.warp_number(), passes, now);
  const std::uint32_t base = atomic ? config_.shared_atomic_latency_cycles : config_.shared_latency_cycles;
  const bool locks = atomic && config_.shared_banks.atomics == SharedAtomics::kLockLoop;
  const std::uint32_t rounds =
      locks ? SharedBanks::lock_rounds(instruction.addresses, instruction.active, info.bytes_per_lane) : 1;
  // A round of a loop of locks begins when the previous one has read its lock; its latency contains its passes.
  const std::uint32_t conflict_cycles =
      locks ? (rounds - 1) * base : (passes - least) * config_.shared_banks.conflict_latency_cycles;
  const Cycle done = begin + (base - config_.address_latency_cycles) + conflict_cycles + extra_registers_latency(info);
  if (!store) {
    stats_.latency_shared.add(done - instruction.issued);
  }
  if (hot_spots_ != nullptr) {
    HotSpot& spot = (*hot_spots_)[instruction.instruction];
    spot.add(HotSpotColumn::kRequests);
    spot.add(HotSpotColumn::kSharedWavefronts, passes);
    spot.add(HotSpotColumn::kSharedConflicts, passes - least);
    if (!store) {
      spot.add_load(done - instruction.issued);
    }
  }
  post_result(instruction, done);
}

// Shared memory of another block of the cluster. Atomics take the time of a load.
void LoadStoreUnit::start_remote(const MemoryInstruction& instruction, Cycle now) {
  const ClusterConfig& cluster = async_->cluster_config();
  const auto [passes, least] = instruction.shared_passes(banks_);
  const bool store = instruction.info->kind == OpKind::kStore || instruction.info->kind == OpKind::kReduction;
  const Cycle busy = Cycle{passes} * (store ? cluster.store_pass_cycles : 1);
  ++(store ? stats_.remote_store_requests : stats_.remote_load_requests);
  stats_.stage_busy_cycles += busy;
  post_result(instruction,
              store ? now + 1 : std::max(instruction.issued + cluster.load_latency_cycles, now) + passes - 1);
  other_free_at_ = now + busy;
}

std::uint32_t LoadStoreUnit::tick(Cycle now) {
  changed_ = true;
  send_output(now);
  const std::uint32_t freed = read_registers(now);
  if (stage_.busy) {
    if (stage_free_at_ <= now) {
      work_on_lines(now);
    } else {
      stage_.blocked = false;  // space that has become free since then was not tried
    }
  }
  if (!waiting_lines_.empty() || !waiting_other_.empty()) {
    start_waiting(now);
  }
  return freed;
}

Cycle LoadStoreUnit::next_work(Cycle now) const {
  if ((!output_.empty() || !l1_.writebacks().empty()) && !output_refused_) {
    return now + 1;
  }
  Cycle next = stage_.busy && !stage_.blocked ? stage_free_at_ : kNever;
  if (waiting_lines_.size() + waiting_other_.size() < config_.stage_queue_entries) {
    for (const Queue& queue : queues_) {
      if (!queue.entries.empty()) {
        next = std::min(next, queue.entries.front().ready);
      }
    }
  }
  // A busy stage that is blocked waits for the crossbar or a fill.
  const Cycle room_at = passes_.room_at(stage_.busy ? 1 : 0);
  if (!waiting_lines_.empty() && !stage_.busy) {
    next = std::min(next, std::max(stage_free_at_, room_at));
  }
  if (!waiting_other_.empty()) {
    next = std::min(next, std::max(other_free_at_, room_at));
  }
  return next == kNever ? kNever : std::max(next, now + 1);
}

std::uint64_t LoadStoreUnit::instructions_queued() const {
  std::uint64_t count = waiting_lines_.size() + waiting_other_.size();
  for (const Queue& queue : queues_) {
    count += queue.entries.size();
  }
  return count;
}

bool LoadStoreUnit::idle() const {
  return outstanding_ == 0 && writes_.total() == 0 && output_.empty() && l1_.writebacks().empty() && !stage_.busy &&
         waiting_lines_.empty() && waiting_other_.empty() &&
         std::all_of(queues_.begin(), queues_.end(), [](const Queue& queue) { return queue.entries.empty(); });
}

}  // namespace warpsim
