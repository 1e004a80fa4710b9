#include "core/load_store_unit.h"

#include <algorithm>
#include <bit>

namespace warpsim {

namespace {

bool is_write(OpKind kind) {
  return kind == OpKind::kStore || kind == OpKind::kReduction;
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(const LoadStoreConfig& config, const L1Config& l1_config, std::uint32_t sub_cores,
                             std::uint16_t port, SmEvents& events, ConstantCaches& constants, AsyncUnit& async,
                             Link<MemRequest>& to_memory, StatGroup& parent)
    : config_(config),
      port_(port),
      events_(&events),
      constants_(&constants),
      async_(&async),
      to_memory_(&to_memory),
      stats_(parent, "lsu"),
      l1_(l1_config, parent),
      queues_(sub_cores, Queue(config.queue_entries + config.stage_queue_entries)),
      output_(std::max(config.output_entries, config.output_atomic_sectors) + CoalescedAccess::kMaxLines) {}

void LoadStoreUnit::enqueue(const MemoryInstruction& instruction, const AddressWindows& windows, Cycle now) {
  Queue& queue = queues_[instruction.sub_core];
  const Cycle enters = std::max(now + 1, queue.address_stage_free_at);
  queue.address_stage_free_at = enters + (instruction.info->indexed_constant ? config_.constant_interval_cycles
                                                                             : config_.address_interval_cycles);
  Queued queued{instruction, windows, enters + config_.address_latency_cycles - 1};
  queued.instruction.acknowledged = acknowledge_writes_ && is_write(instruction.info->kind);
  if (queued.instruction.acknowledged) {
    writes_.add(instruction.warp_number(), 1);  // until it has left the stage
  }
  queue.entries.push(queued);
}

std::uint32_t LoadStoreUnit::extra_registers_latency() const {
  if (const std::uint32_t matrices = stage_.instruction.info->matrices; matrices != 0) {
    return (matrices - 1) * config_.extra_matrix_latency_cycles;
  }
  const std::uint32_t registers = std::max(1U, (stage_.instruction.info->bytes_per_lane + 3U) / 4U);
  return (registers - 1) * config_.extra_register_latency_cycles;
}

void LoadStoreUnit::post_sources_read(const MemoryInstruction& instruction, Cycle at) {
  events_->add(at, {SmEvent::Kind::kSourcesRead, instruction.sub_core, instruction.warp, 0, instruction.instruction});
}

void LoadStoreUnit::post_result(const MemoryInstruction& instruction, Cycle at) {
  events_->add(at, {SmEvent::Kind::kResultWritten, instruction.sub_core, instruction.warp, instruction.copy_group,
                    instruction.instruction});
}

// --- entry of the SM's stage ---

// One sub-core's next instruction reads its registers and gets in line for the stage.
std::uint32_t LoadStoreUnit::read_registers(Cycle now) {
  if (waiting_for_stage_ == config_.stage_queue_entries) {
    return 0;
  }
  const auto count = static_cast<std::uint32_t>(queues_.size());
  for (std::uint32_t step = 0; step < count; ++step) {
    const std::uint32_t index = (next_queue_ + step) % count;
    Queue& queue = queues_[index];
    if (queue.unread() != 0 && queue.entries.at(queue.read).ready <= now) {
      const MemoryInstruction& instruction = queue.entries.at(queue.read).instruction;
      const bool groups_reads = instruction.operations != nullptr &&
                                instruction.operations->kind == AsyncOperation::Kind::kCommit &&
                                instruction.active != 0;
      if (!groups_reads) {  // the copy engine tells when a group has been read
        // An instruction that waited reads late.
        post_sources_read(instruction, std::max(instruction.issued + config_.source_read_cycles, now + 1));
      }
      ++queue.read;
      ++waiting_for_stage_;
      next_queue_ = (index + 1) % count;
      return 1U << index;
    }
  }
  return 0;
}

void LoadStoreUnit::take_from_queue(Cycle now) {
  const auto count = static_cast<std::uint32_t>(queues_.size());
  for (std::uint32_t step = 0; step < count; ++step) {
    const std::uint32_t index = (next_in_stage_ + step) % count;
    Queue& queue = queues_[index];
    if (queue.read != 0 && queue.passes_end_at <= now) {
      const Queued queued = queue.entries.front();
      queue.entries.pop();
      --queue.read;
      --waiting_for_stage_;
      next_in_stage_ = (index + 1) % count;
      start(queued, now);
      return;
    }
  }
}

void LoadStoreUnit::start(const Queued& queued, Cycle now) {
  stage_.busy = true;
  stage_.instruction = queued.instruction;
  stage_.space = queued.windows.space_of(queued.instruction.info->space, queued.instruction.addresses);
  stage_.started = now;
  stage_.next_line = 0;
  stage_.waiting = kNone;
  const MemoryInstruction& instruction = stage_.instruction;
  stats_.queueing.add(now - instruction.issued);
  const OpKind kind = instruction.info->kind;
  if (instruction.active == 0) {
    start_fixed(config_.predicated_off_latency_cycles, now);  // passes through, whatever it is
  } else if (instruction.operations != nullptr) {
    start_asynchronous(now);
  } else if (kind == OpKind::kConstantLoad) {
    constants_->load(instruction.sub_core, instruction.warp, instruction.instruction,
                     instruction.info->constant_address, now - config_.address_latency_cycles, now);
    leave_stage();
  } else if (kind == OpKind::kTexture) {
    start_fixed(config_.texture_latency_cycles, now);
  } else if (kind == OpKind::kBulkCopy) {
    start_fixed(config_.bulk_copy_latency_cycles, now);
  } else if (instruction.addresses.kind == LaneAddresses::Kind::kNone && kind != OpKind::kLoadMatrix) {
    start_fixed(instruction.info->latency_cycles, now);  // SHFL, S2R, mbarrier operations, ...
  } else if (stage_.space == MemorySpace::kShared) {
    start_banked(now);
  } else if (stage_.space == MemorySpace::kCluster) {
    start_remote(now);
  } else {
    if (stage_.space == MemorySpace::kLocal) {
      stage_.instruction.addresses =
          queued.windows.spread_local(instruction.addresses, instruction.info->bytes_per_lane);
    }
    start_lines(now);
  }
}

void LoadStoreUnit::start_fixed(std::uint32_t latency, Cycle now) {
  const Cycle done = std::max(stage_.instruction.issued + latency, now + 1);
  post_result(stage_.instruction, done);
  leave_stage();
  const std::uint32_t initiation = std::max<std::uint32_t>(1, stage_.instruction.info->initiation_cycles);
  stage_free_at_ = now + initiation;
  stats_.stage_busy_cycles += initiation;
  // Nsight Compute counts what only crosses the lanes, or does nothing, as a pass of shared memory.
  ++stats_.wavefronts;
  ++stats_.shared_wavefronts;
}

// Barriers in shared memory, and copies that the copy engine takes over.
void LoadStoreUnit::start_asynchronous(Cycle now) {
  const bool bulk = stage_.instruction.info->kind == OpKind::kBulkCopy;
  if (!async_->start(stage_.instruction, now)) {
    const std::uint32_t latency = bulk ? 1 : async_->mbarrier_latency_cycles();
    post_result(stage_.instruction, std::max(stage_.instruction.issued + latency, now + 1));
  }
  leave_stage();
  stage_free_at_ = now + 1;
  ++stats_.stage_busy_cycles;
}

void LoadStoreUnit::start_banked(Cycle now) {
  const MemoryInstruction& instruction = stage_.instruction;
  const IssueInfo& info = *instruction.info;
  const bool atomic = instruction.is_atomic();
  const bool store = info.kind == OpKind::kStore || info.kind == OpKind::kStoreMatrix;
  const auto [passes, least] = instruction.shared_passes();
  ++(atomic ? stats_.shared_atomic_requests : store ? stats_.shared_store_requests : stats_.shared_load_requests);
  (atomic  ? stats_.shared_atomic_conflicts
   : store ? stats_.shared_store_conflicts
           : stats_.shared_load_conflicts) += passes - least;
  stats_.shared_wavefronts += passes;
  stats_.wavefronts += passes;
  stats_.stage_busy_cycles += passes;
  const std::uint32_t base = atomic ? config_.shared_atomic_latency_cycles : config_.shared_latency_cycles;
  const std::uint32_t conflict_cycles = (passes - least) * config_.conflict_latency_cycles;
  const Cycle done = now + (base - config_.address_latency_cycles) + conflict_cycles + extra_registers_latency();
  if (!store) {
    stats_.latency_shared.add(done - instruction.issued);
  }
  post_result(instruction, done);
  if (atomic) {
    queues_[instruction.sub_core].passes_end_at = now + Cycle{passes} * config_.conflict_latency_cycles;
  }
  leave_stage();
  stage_free_at_ = now + passes;
}

// Shared memory of another block of the cluster. Atomics take the time of a load.
void LoadStoreUnit::start_remote(Cycle now) {
  const MemoryInstruction& instruction = stage_.instruction;
  const ClusterConfig& cluster = async_->cluster_config();
  const auto [passes, least] = instruction.shared_passes();
  const bool store = instruction.info->kind == OpKind::kStore || instruction.info->kind == OpKind::kReduction;
  const Cycle busy = Cycle{passes} * (store ? cluster.store_pass_cycles : 1);
  ++(store ? stats_.remote_store_requests : stats_.remote_load_requests);
  stats_.stage_busy_cycles += busy;
  post_result(instruction,
              store ? now + 1 : std::max(instruction.issued + cluster.load_latency_cycles, now) + passes - 1);
  leave_stage();
  stage_free_at_ = now + busy;
}

void LoadStoreUnit::leave_stage() {
  stage_.busy = false;
  if (stage_.instruction.acknowledged) {
    writes_.remove(stage_.instruction.warp_number(), 1);
  }
}

std::uint32_t LoadStoreUnit::tick(Cycle now) {
  send_output(now);
  const std::uint32_t freed = read_registers(now);
  if (stage_free_at_ <= now) {
    if (stage_.busy) {
      work_on_lines(now);
    } else {
      take_from_queue(now);
    }
  } else if (stage_.busy) {
    stage_.blocked = false;  // what has made room by now was not tried
  }
  return freed;
}

Cycle LoadStoreUnit::next_work(Cycle now) const {
  if (!output_.empty() && !output_refused_) {
    return now + 1;
  }
  const bool reads = waiting_for_stage_ < config_.stage_queue_entries;
  Cycle next = stage_.busy && !stage_.blocked ? stage_free_at_ : kNever;
  for (const Queue& queue : queues_) {
    if (reads && queue.unread() != 0) {
      next = std::min(next, queue.entries.at(queue.read).ready);
    }
    if (!stage_.busy && queue.read != 0) {  // a busy stage is blocked: the crossbar or a fill makes room
      next = std::min(next, std::max(queue.passes_end_at, stage_free_at_));
    }
  }
  return next == kNever ? kNever : std::max(next, now + 1);
}

bool LoadStoreUnit::idle() const {
  return outstanding_ == 0 && writes_.total() == 0 && output_.empty() && !stage_.busy &&
         std::all_of(queues_.begin(), queues_.end(), [](const Queue& queue) { return queue.entries.empty(); });
}

}  // namespace warpsim
