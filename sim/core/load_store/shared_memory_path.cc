#include "core/load_store/shared_memory_path.h"

#include <algorithm>

namespace warpsim {

SharedMemoryPath::SharedMemoryPath(const LoadStoreConfig& config, const Units& units,
                                   LaunchStats<LoadStoreStats>& stats)
    : config_(config),
      banks_(config.shared_banks),
      textures_(&units.textures),
      passes_(&units.passes),
      constants_(&units.constants),
      async_(&units.async),
      events_(&units.events),
      stats_(&stats) {}

void SharedMemoryPath::start(const QueuedAccess& queued, Cycle now) {
  const MemoryInstruction& instruction = queued.instruction;
  const OpKind kind = instruction.info->kind;
  (*stats_)[instruction.seat].queueing.add(now - instruction.issued);
  free_at_ = now + 1;
  if (instruction.active == 0) {
    start_fixed(instruction, config_.predicated_off_latency_cycles, now);  // passes through, independent of its kind
  } else if (instruction.operations != nullptr) {
    start_asynchronous(instruction, now);
  } else if (kind == OpKind::kConstantLoad) {
    constants_->load(instruction, now - config_.address_latency_cycles, now);
  } else if (kind == OpKind::kTexture) {
    start_texture(instruction, now);
  } else if (kind == OpKind::kBulkCopy) {
    start_fixed(instruction, config_.bulk_copy_latency_cycles, now);
  } else if (instruction.addresses.kind == LaneAddresses::Kind::kNone && kind != OpKind::kLoadMatrix) {
    start_fixed(instruction, instruction.info->latency_cycles, now);  // SHFL, S2R, mbarrier operations, ...
  } else if (queued.space == MemorySpace::kCluster) {
    start_remote(instruction, now);
  } else {
    start_banked(instruction, now);
  }
}

void SharedMemoryPath::start_fixed(const MemoryInstruction& instruction, std::uint32_t latency, Cycle now) {
  const std::uint32_t initiation = std::max<std::uint32_t>(1, instruction.info->initiation_cycles);
  const Cycle begin = passes_->take(instruction.warp_number(), initiation, now);
  const std::uint32_t behind_stage = latency - std::min(latency, config_.address_latency_cycles);
  post_result(*events_, instruction, begin + std::max<std::uint32_t>(1, behind_stage));
  (*stats_)[instruction.seat].stage_busy_cycles += initiation;
  // Nsight Compute counts instructions that only exchange lanes, or have no effect, as a pass of shared memory.
  ++(*stats_)[instruction.seat].wavefronts;
  ++(*stats_)[instruction.seat].shared_wavefronts;
}

void SharedMemoryPath::start_texture(const MemoryInstruction& instruction, Cycle now) {
  const Cycle done = textures_->start(*instruction.info, {}, 0, now).at;
  start_fixed(instruction, static_cast<std::uint32_t>(done - now) + config_.address_latency_cycles, now);
  free_at_ = std::max(free_at_, textures_->accepts_at());
}

// Barriers in shared memory, and copies that the copy engine executes.
void SharedMemoryPath::start_asynchronous(const MemoryInstruction& instruction, Cycle now) {
  const bool bulk = instruction.info->kind == OpKind::kBulkCopy;
  if (!async_->start(instruction, now)) {
    if (instruction.info->space == MemorySpace::kShared) {
      start_banked(instruction, now);  // an ordinary access implements the barrier
      return;
    }
    const std::uint32_t latency = bulk ? 1 : async_->mbarrier_latency_cycles();
    post_result(*events_, instruction, std::max(instruction.issued + latency, now + 1));
  }
  ++(*stats_)[instruction.seat].stage_busy_cycles;
}

std::uint32_t SharedMemoryPath::extra_registers_latency(const IssueInfo& info) const {
  if (info.matrices != 0) {
    return (info.matrices - 1U) * config_.extra_matrix_latency_cycles;
  }
  const std::uint32_t registers = std::max(1U, (info.bytes_per_lane + 3U) / 4U);
  return (registers - 1) * config_.extra_register_latency_cycles;
}

void SharedMemoryPath::start_banked(const MemoryInstruction& instruction, Cycle now) {
  const IssueInfo& info = *instruction.info;
  const bool atomic = instruction.is_atomic();
  const BankPasses used = instruction.shared_passes(banks_);
  const auto [passes, least] = used;
  (*stats_)[instruction.seat].count_shared(instruction, used);
  const Cycle begin = passes_->take(instruction.warp_number(), passes, now);
  const std::uint32_t base = atomic ? config_.shared_atomic_latency_cycles : config_.shared_latency_cycles;
  const bool locks = atomic && config_.shared_banks.atomics == SharedAtomics::kLockLoop;
  const std::uint32_t rounds =
      locks ? SharedBanks::lock_rounds(instruction.addresses, instruction.active, info.bytes_per_lane) : 1;
  // A round of a loop of locks begins when the previous one has read its lock; its latency contains its passes.
  const std::uint32_t conflict_cycles =
      locks ? (rounds - 1) * base : (passes - least) * config_.shared_banks.conflict_latency_cycles;
  const Cycle done = begin + (base - config_.address_latency_cycles) + conflict_cycles + extra_registers_latency(info);
  if (!instruction.stores_to_shared()) {
    (*stats_)[instruction.seat].record_shared_latency(instruction, done - instruction.issued);
  }
  post_result(*events_, instruction, done);
}

// Shared memory of another block of the cluster. Atomics take the time of a load.
void SharedMemoryPath::start_remote(const MemoryInstruction& instruction, Cycle now) {
  const ClusterConfig& cluster = async_->cluster_config();
  const std::uint32_t passes = instruction.shared_passes(banks_).passes;
  const bool store = instruction.info->kind == OpKind::kStore || instruction.info->kind == OpKind::kReduction;
  const Cycle busy = Cycle{passes} * (store ? cluster.store_pass_cycles : 1);
  ++(store ? (*stats_)[instruction.seat].remote_store_requests : (*stats_)[instruction.seat].remote_load_requests);
  (*stats_)[instruction.seat].stage_busy_cycles += busy;
  post_result(*events_, instruction,
              store ? now + 1 : std::max(instruction.issued + cluster.load_latency_cycles, now) + passes - 1);
  free_at_ = now + busy;
}

}  // namespace warpsim
