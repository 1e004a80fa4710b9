#include "core/load_store_unit.h"

#include <algorithm>
#include <bit>

namespace warpsim {

namespace {

bool is_write(OpKind kind) {
  return kind == OpKind::kStore || kind == OpKind::kReduction;
}
bool is_load(OpKind kind) {
  return kind == OpKind::kLoad || kind == OpKind::kAsyncCopy;
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
      queues_(sub_cores, Queue(config.queue_entries)),
      output_(config.output_entries + CoalescedAccess::kMaxLines) {}

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

std::uint32_t LoadStoreUnit::take_from_queue(Cycle now) {
  const auto count = static_cast<std::uint32_t>(queues_.size());
  for (std::uint32_t step = 0; step < count; ++step) {
    const std::uint32_t index = (next_queue_ + step) % count;
    Queue& queue = queues_[index];
    if (!queue.entries.empty() && queue.entries.front().ready <= now) {
      const Queued queued = queue.entries.front();
      queue.entries.pop();
      next_queue_ = (index + 1) % count;
      start(queued, now);
      return 1U << index;
    }
  }
  return 0;
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
  // The register read follows the queue: an instruction that waited reads late.
  const Cycle earliest_read = instruction.issued + config_.source_read_cycles;
  const bool groups_reads = instruction.operations != nullptr &&
                            instruction.operations->kind == AsyncOperation::Kind::kCommit && instruction.active != 0;
  if (!groups_reads) {  // the copy engine tells when a group has been read
    post_sources_read(instruction, std::max(earliest_read, now + 1));
  }

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

// --- global and local accesses, line by line ---

void LoadStoreUnit::start_lines(Cycle now) {
  const MemoryInstruction& instruction = stage_.instruction;
  const OpKind kind = instruction.info->kind;
  const bool atomic = instruction.is_atomic();
  const bool store = kind == OpKind::kStore;
  const AccessNeeds needs = atomic ? AccessNeeds::kLanes : store ? AccessNeeds::kByteMasks : AccessNeeds::kSectors;
  coalesce(instruction.addresses, instruction.active, instruction.info->bytes_per_lane, needs, access_);

  stats_.count_access(kind, stage_.space == MemorySpace::kLocal, access_.sector_count);
  if (is_load(kind) || kind == OpKind::kAtomic) {
    stage_.waiting = waiting_.take({.instruction = instruction});
  }
  work_on_lines(now);
}

void LoadStoreUnit::work_on_lines(Cycle now) {
  bool used_miss_port = false;
  std::uint32_t tags = 0;
  while (stage_.next_line < access_.line_count && tags < config_.tags_per_cycle) {
    if (!process_line(access_.lines[stage_.next_line], used_miss_port)) {
      break;
    }
    ++stage_.next_line;
    ++tags;
  }
  if (stage_.next_line == access_.line_count) {
    finish_lines(now);
  } else {
    stage_.blocked = tags == 0;
    stage_free_at_ = now + 1;
  }
}

// Returns false if the line has to wait for another cycle.
bool LoadStoreUnit::process_line(const LineAccess& line, bool& used_miss_port) {
  const OpKind kind = stage_.instruction.info->kind;
  if (is_load(kind)) {
    return load_line(line, used_miss_port);
  }
  if (used_miss_port || output_.size() >= config_.output_entries) {
    return false;
  }
  used_miss_port = true;
  if (kind == OpKind::kStore) {
    store_line(line);
  } else {
    atomic_line(line);
  }
  return true;
}

bool LoadStoreUnit::load_line(const LineAccess& line, bool& used_miss_port) {
  const bool bypass = stage_.instruction.info->cache_op == CacheOp::kBypassL1;
  const std::uint8_t missing = l1_.missing_sectors(line.line, line.sector_mask, bypass);
  std::uint8_t asked_for = 0;
  if (missing != 0) {
    if (used_miss_port || output_.size() >= config_.output_entries) {
      return false;
    }
    const L1Cache::Miss miss = l1_.miss(line.line, missing, bypass, stage_.waiting);
    if (!miss.accepted) {
      return false;
    }
    asked_for = miss.request_sectors;
    used_miss_port = true;
    ++waiting_[stage_.waiting].parts;
    if (miss.request_sectors != 0) {
      LineAccess wanted = line;
      wanted.sector_mask = miss.request_sectors;
      push_output(make_request(wanted, MemOp::kRead, miss.tag));
    }
  }
  if (missing != line.sector_mask) {
    l1_.touch(line.line);
  }
  if (stage_.space == MemorySpace::kGlobal) {
    // Like Nsight Compute, sectors that are under way for an earlier load count as hits.
    const auto misses = static_cast<std::uint32_t>(std::popcount(asked_for));
    stats_.global_load_sector_misses += misses;
    stats_.global_load_sector_hits += static_cast<std::uint32_t>(std::popcount(line.sector_mask)) - misses;
  }
  return true;
}

void LoadStoreUnit::store_line(const LineAccess& line) {
  std::uint8_t full = 0;
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    if (line.byte_mask[sector] == 0xffffffffU) {
      full = static_cast<std::uint8_t>(full | 1U << sector);
    }
  }
  l1_.write(line.line, line.sector_mask, full);
  push_output(make_request(line, MemOp::kWrite, stage_.instruction.warp_number()));
}

void LoadStoreUnit::atomic_line(const LineAccess& line) {
  l1_.discard(line.line, line.sector_mask);
  const bool returns = stage_.instruction.info->kind == OpKind::kAtomic;
  if (returns) {
    waiting_[stage_.waiting].parts += static_cast<std::uint32_t>(std::popcount(line.sector_mask));
  }
  push_output(returns ? make_request(line, MemOp::kAtomic, stage_.waiting)
                      : make_request(line, MemOp::kReduction, stage_.instruction.warp_number()));
}

void LoadStoreUnit::finish_lines(Cycle now) {
  const MemoryInstruction& instruction = stage_.instruction;
  const IssueInfo& info = *instruction.info;
  const auto [passes, least] = instruction.global_passes();
  stats_.global_conflicts += passes - least;
  stats_.wavefronts += passes;
  stage_free_at_ = std::max(now + 1, stage_.started + passes);
  stats_.stage_busy_cycles += stage_free_at_ - stage_.started;
  leave_stage();
  if (stage_.waiting == kNone) {
    post_result(instruction, now + 1);  // stores and reductions: nothing to write back
    return;
  }
  Waiting& waiting = waiting_[stage_.waiting];
  waiting.all_lines_sent = true;
  // Registers are handed out pass by pass, those of lanes with one address not sooner.
  const std::uint32_t steps = std::max(passes, (info.bytes_per_lane + 3U) / 4U) - 1;
  waiting.hand_out_cycles = steps + static_cast<std::uint32_t>(steps * config_.load_pass_latency_cycles);
  if (waiting.parts == 0) {
    const std::uint32_t after_stage = l1_.config().hit_latency_cycles - config_.address_latency_cycles;
    const Cycle done = stage_free_at_ - passes + after_stage + waiting.hand_out_cycles;
    stats_.record_latency(info.kind, waiting.served_by, done - instruction.issued);
    post_result(instruction, done);
    waiting_.give_back(stage_.waiting);
  }
}

std::uint32_t LoadStoreUnit::tick(Cycle now) {
  send_output(now);
  if (stage_free_at_ > now) {
    return 0;
  }
  if (stage_.busy) {
    work_on_lines(now);
    return 0;
  }
  return take_from_queue(now);
}

Cycle LoadStoreUnit::next_work(Cycle now) const {
  if ((!output_.empty() && !output_refused_) || (stage_.busy && !stage_.blocked)) {
    return now + 1;
  }
  if (stage_.busy) {
    return kNever;  // only the crossbar or a fill can make room
  }
  Cycle next = kNever;
  for (const Queue& queue : queues_) {
    if (!queue.entries.empty()) {
      next = std::min(next, queue.entries.front().ready);
    }
  }
  return next == kNever ? kNever : std::max({next, stage_free_at_, now + 1});
}

bool LoadStoreUnit::idle() const {
  return outstanding_ == 0 && writes_.total() == 0 && output_.empty() && !stage_.busy &&
         std::all_of(queues_.begin(), queues_.end(), [](const Queue& queue) { return queue.entries.empty(); });
}

}  // namespace warpsim
