#include "core/load_store/load_store_stats.h"

namespace warpsim {

void LoadStoreStats::count_access(const MemoryInstruction& instruction, bool local, std::uint32_t sectors) {
  count_by_kind(instruction.info->kind, local, sectors);
  note_request(instruction, sectors);
}

void LoadStoreStats::note_request(const MemoryInstruction& instruction, std::uint32_t sectors) {
  if (hot_spots_ != nullptr) {
    HotSpot& spot = (*hot_spots_)[instruction.instruction];
    spot.add(HotSpotColumn::kRequests);
    spot.add(HotSpotColumn::kSectors, sectors);
  }
}

void LoadStoreStats::count_by_kind(OpKind kind, bool local, std::uint32_t sectors) {
  switch (kind) {
    case OpKind::kReduction:
      ++global_reduction_requests;
      global_reduction_sectors += sectors;
      break;
    case OpKind::kAtomic:
      ++global_atomic_requests;
      global_atomic_sectors += sectors;
      break;
    case OpKind::kStore:
      ++(local ? local_store_requests : global_store_requests);
      (local ? local_store_sectors : global_store_sectors) += sectors;
      break;
    default:
      async_copy_requests += kind == OpKind::kAsyncCopy ? 1 : 0;
      ++(local ? local_load_requests : global_load_requests);
      (local ? local_load_sectors : global_load_sectors) += sectors;
      break;
  }
}

void LoadStoreStats::count_transactions(const Transactions& transactions, std::uint32_t requested_bytes) {
  transactions_32 += transactions.of_32_bytes;
  transactions_64 += transactions.of_64_bytes;
  transactions_128 += transactions.of_128_bytes;
  bytes_requested += requested_bytes;
  bytes_moved += transactions.bytes();
}

void LoadStoreStats::count_texels(const MemoryInstruction& instruction, const TexelDemand& demand) {
  texel_requests += demand.requests;
  texel_sectors += demand.sectors;
  note_request(instruction, demand.sectors);
}

void LoadStoreStats::count_shared(const MemoryInstruction& instruction, const BankPasses& passes) {
  const std::uint32_t conflicts = passes.passes - passes.least;
  if (instruction.is_atomic()) {
    ++shared_atomic_requests;
    shared_atomic_conflicts += conflicts;
  } else if (instruction.stores_to_shared()) {
    ++shared_store_requests;
    shared_store_conflicts += conflicts;
  } else {
    ++shared_load_requests;
    shared_load_conflicts += conflicts;
  }
  shared_wavefronts += passes.passes;
  wavefronts += passes.passes;
  stage_busy_cycles += passes.passes;
  if (hot_spots_ != nullptr) {
    HotSpot& spot = (*hot_spots_)[instruction.instruction];
    spot.add(HotSpotColumn::kRequests);
    spot.add(HotSpotColumn::kSharedWavefronts, passes.passes);
    spot.add(HotSpotColumn::kSharedConflicts, conflicts);
  }
}

void LoadStoreStats::record_shared_latency(const MemoryInstruction& instruction, Cycle latency) {
  latency_shared.add(latency);
  if (hot_spots_ != nullptr) {
    (*hot_spots_)[instruction.instruction].add_load(latency);
  }
}

Histogram& LoadStoreStats::latencies(OpKind kind, ServedBy served_by) {
  if (kind == OpKind::kAtomic) {
    return latency_atomic;
  }
  if (kind == OpKind::kTexture) {
    return latency_texture;
  }
  switch (served_by) {
    case ServedBy::kNone:
      break;
    case ServedBy::kL2Near:
      return latency_l2_near;
    case ServedBy::kL2Far:
      return latency_l2_far;
    case ServedBy::kDram:
      return latency_dram;
    case ServedBy::kPeer:
      return latency_peer;
    case ServedBy::kHost:
      return latency_host;
  }
  return latency_l1;
}

void LoadStoreStats::record_latency(const MemoryInstruction& instruction, ServedBy served_by, Cycle latency) {
  latencies(instruction.info->kind, served_by).add(latency);
  if (hot_spots_ != nullptr) {
    HotSpot& spot = (*hot_spots_)[instruction.instruction];
    spot.add_load(latency);
    if (served_by >= ServedBy::kPeer) {
      return;  // no column for other memories
    }
    spot.add(served_by == ServedBy::kNone   ? HotSpotColumn::kLoadsFromL1
             : served_by == ServedBy::kDram ? HotSpotColumn::kLoadsFromDram
                                            : HotSpotColumn::kLoadsFromL2);
  }
}

}  // namespace warpsim
