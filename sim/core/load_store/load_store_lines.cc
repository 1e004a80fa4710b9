// The load/store unit's global and local accesses in the stage, line by line.
#include <algorithm>
#include <bit>

#include "core/load_store/load_store_unit.h"

namespace warpsim {
namespace {

bool is_load(OpKind kind) {
  return kind == OpKind::kLoad || kind == OpKind::kAsyncCopy;
}

}  // namespace

void LoadStoreUnit::start_lines(const Queued& queued, Cycle now) {
  stage_.busy = true;
  stage_.instruction = queued.instruction;
  stage_.space = queued.space;
  stage_.started = now;
  stage_.next_line = 0;
  stage_.waiting = kNone;
  MemoryInstruction& instruction = stage_.instruction;
  stats_.queueing.add(now - instruction.issued);
  if (stage_.space == MemorySpace::kLocal) {
    instruction.addresses = queued.windows.spread_local(instruction.addresses, instruction.info->bytes_per_lane);
  }
  const OpKind kind = instruction.info->kind;
  const bool atomic = instruction.is_atomic();
  const bool store = kind == OpKind::kStore;
  const std::uint32_t bytes = instruction.info->bytes_per_lane;
  if (atomic) {
    packets_ = split_atomic(instruction.addresses, instruction.active, bytes, access_);
  } else {
    coalesce_by(config_.coalescing, instruction.addresses, instruction.active, bytes,
                store ? AccessNeeds::kByteMasks : AccessNeeds::kSectors, access_);
    stage_.route = route_of_load(l1_.config().policy, stage_.space == MemorySpace::kLocal, instruction.info->cache_op);
    const bool whole_lines =
        is_load(kind) && stage_.route != LoadRoute::kPastL1 && cache_of(stage_.route).config().fill_bytes == kLineBytes;
    stats_.count_transactions(transactions_of(config_.coalescing, access_, whole_lines),
                              static_cast<std::uint32_t>(std::popcount(instruction.active)) * bytes);
  }

  stats_.count_access(kind, stage_.space == MemorySpace::kLocal, access_.sector_count);
  if (hot_spots_ != nullptr) {
    HotSpot& spot = (*hot_spots_)[instruction.instruction];
    spot.add(HotSpotColumn::kRequests);
    spot.add(HotSpotColumn::kSectors, access_.sector_count);
  }
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
    stage_free_at_ = now + (tags != 0 ? line_cycles() : 1);
  }
}

// Returns false if the line has to wait for another cycle.
bool LoadStoreUnit::process_line(const LineAccess& line, bool& used_miss_port) {
  const OpKind kind = stage_.instruction.info->kind;
  if (is_load(kind)) {
    return load_line(line, used_miss_port);
  }
  if (used_miss_port || !output_takes(line)) {
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

bool LoadStoreUnit::output_takes(const LineAccess& line) const {
  if (!stage_.instruction.is_atomic()) {
    return output_.size() < config_.output_entries;
  }
  const auto sectors = static_cast<std::uint32_t>(std::popcount(line.sector_mask));
  return output_atomic_sectors_ + sectors <= config_.output_atomic_sectors;
}

bool LoadStoreUnit::load_line(const LineAccess& line, bool& used_miss_port) {
  const bool bypass = stage_.route == LoadRoute::kPastL1;
  L1Cache& cache = cache_of(stage_.route);
  const std::uint8_t missing = cache.missing_sectors(line.line, line.sector_mask, bypass);
  std::uint8_t asked_for = 0;
  if (missing != 0) {
    if (used_miss_port || output_.size() >= config_.output_entries) {
      return false;
    }
    const L1Cache::Miss miss = cache.miss(line.line, missing, bypass, stage_.waiting);
    if (!miss.accepted) {
      return false;
    }
    asked_for = miss.request_sectors;
    used_miss_port = true;
    ++waiting_[stage_.waiting].parts;
    if (miss.request_sectors != 0) {
      LineAccess wanted = line;
      wanted.sector_mask = miss.request_sectors;
      const std::uint32_t tag = stage_.route == LoadRoute::kReadOnlyCache ? miss.tag | kReadOnlyTag : miss.tag;
      push_output(make_request(wanted, MemOp::kRead, tag));
    }
  }
  if (missing != line.sector_mask) {
    cache.touch(line.line);
    if (stage_.instruction.info->cache_op == CacheOp::kLastUse && stage_.space == MemorySpace::kLocal) {
      cache.drop(line.line);
    }
  }
  if (stage_.space == MemorySpace::kGlobal) {
    // Like Nsight Compute, sectors that are in flight for an earlier load count as hits.
    const auto misses =
        static_cast<std::uint32_t>(std::popcount(static_cast<std::uint8_t>(asked_for & line.sector_mask)));
    stats_.global_load_sector_misses += misses;
    const std::uint32_t hits = static_cast<std::uint32_t>(std::popcount(line.sector_mask)) - misses;
    stats_.global_load_sector_hits += hits;
    if (hot_spots_ != nullptr) {
      (*hot_spots_)[stage_.instruction.instruction].add(HotSpotColumn::kHitSectors, hits);
    }
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
  LineAccess through = line;
  if (stage_.space == MemorySpace::kLocal && l1_.config().policy.local == LocalMemory::kWrittenBack) {
    through.sector_mask = l1_.write_local(line.line, line.sector_mask, full);
    if (through.sector_mask == 0) {
      return;
    }
  } else {
    l1_.write(line.line, line.sector_mask, full);
  }
  push_output(make_request(through, MemOp::kWrite, stage_.instruction.warp_number()));
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

// Cycles for which the latest lines occupy the stage: operands of several lanes are read in two.
std::uint32_t LoadStoreUnit::line_cycles() const {
  return stage_.instruction.is_atomic() && !access_.lines[stage_.next_line - 1].single_lane ? 2 : 1;
}

BankPasses LoadStoreUnit::line_passes() const {
  if (stage_.instruction.is_atomic()) {
    return {packets_.bank_passes, packets_.groups};
  }
  // Up to 6.x an instruction is replayed for each further line or transaction, for any position of the words in it.
  return config_.coalescing == CoalescingRule::kWarpSectors ? stage_.instruction.global_passes()
                                                            : BankPasses{access_.line_count, access_.request_count};
}

// An asynchronous copy whose data go through L1 to shared memory.
bool LoadStoreUnit::copies_through_l1(const IssueInfo& info) {
  return info.kind == OpKind::kAsyncCopy && info.cache_op != CacheOp::kBypassL1;
}

std::uint32_t LoadStoreUnit::copy_latency(const IssueInfo& info) const {
  return copies_through_l1(info) ? config_.copy_through_l1_cycles : 0;
}

void LoadStoreUnit::finish_lines(Cycle now) {
  const MemoryInstruction& instruction = stage_.instruction;
  const IssueInfo& info = *instruction.info;
  const auto [passes, least] = line_passes();
  const bool returns = info.kind == OpKind::kAtomic;
  const std::uint64_t ways = returns ? 2 : 1;  // returned data take the same path
  stats_.global_conflicts += (passes - least) * ways;
  stats_.wavefronts += passes * ways;
  stage_.busy = false;
  stage_free_at_ = now + line_cycles();
  note_started(instruction);
  stats_.stage_busy_cycles += std::max(stage_free_at_, stage_.started + passes) - stage_.started;
  if (instruction.is_atomic()) {
    stage_free_at_ = std::max(stage_free_at_, stage_.started + passes);
  } else if (info.kind == OpKind::kStore) {
    passes_.take(instruction.warp_number(), passes, now);
  }
  if (stage_.waiting == kNone) {
    post_result(instruction, now + 1);  // stores and reductions: nothing to write back
    return;
  }
  Waiting& waiting = waiting_[stage_.waiting];
  waiting.all_lines_sent = true;
  // Data of loads from L2 pass by sectors, as many as fit a pass; data of copies are written lane by lane, and
  // so are results of atomics. Micro.csv cpasync.throughput.ldg_sts.L2 and mlp.l2 hold with it.
  constexpr std::uint32_t kSectorsOfPass = kLineBytes / kSectorBytes;
  waiting.return_passes =
      info.kind == OpKind::kLoad ? (access_.sector_count + kSectorsOfPass - 1) / kSectorsOfPass : passes;
  // Registers are written pass by pass, also those of lanes with one address.
  waiting.hand_out_cycles = (std::max(passes, (info.bytes_per_lane + 3U) / 4U) - 1) * passes_.interval();
  if (waiting.parts == 0) {
    // Read and written again: micro.csv cpasync.throughput.ca16.L1.warps8 to 32 is half of the rate of loads.
    const std::uint32_t turns = copies_through_l1(info) ? 2 : 1;
    const Cycle begin = passes_.take(instruction.warp_number(), passes * turns, now);
    const std::uint32_t after_stage =
        cache_of(stage_.route).config().hit_latency_cycles - config_.address_latency_cycles;
    const Cycle done = begin + after_stage + waiting.hand_out_cycles + copy_latency(info);
    note_result(instruction, waiting.served_by, done);
    post_result(instruction, done);
    waiting_.give_back(stage_.waiting);
  }
}

}  // namespace warpsim
