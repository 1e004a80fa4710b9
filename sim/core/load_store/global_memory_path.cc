#include "core/load_store/global_memory_path.h"

#include <algorithm>
#include <bit>

#include "memory/access/texel_lines.h"
#include "memory/slice_message.h"

namespace warpsim {

GlobalMemoryPath::GlobalMemoryPath(const LoadStoreConfig& config, const DataCaches::Config& caches, const Units& units,
                                   LaunchStats<LoadStoreStats>& stats, LaunchStatsNode& parent)
    : coalescing_(config.coalescing),
      tags_per_cycle_(config.tags_per_cycle),
      address_latency_cycles_(config.address_latency_cycles),
      store_release_cycles_(config.store_release_cycles),
      passes_(&units.passes),
      port_(&units.port),
      returns_(&units.returns),
      textures_(&units.textures),
      events_(&units.events),
      stats_(&stats),
      caches_(caches, parent),
      mechanisms_(L1Mechanisms::make(caches.l1, parent)) {}

void GlobalMemoryPath::start(const QueuedAccess& queued, Cycle now) {
  busy_ = true;
  instruction_ = queued.instruction;
  space_ = queued.space;
  started_ = now;
  next_line_ = 0;
  return_number_ = kNone;
  if (mechanisms_) [[unlikely]] {
    mechanisms_->begin_lines();
  }
  stats().queueing.add(now - instruction_.issued);
  if (instruction_.is_texture()) {
    find_texels(now);
  } else {
    coalesce_lanes(queued);
  }
  if (instruction_.reads_lines() || instruction_.info->kind == OpKind::kAtomic) {
    return_number_ = returns_->begin(instruction_);
  }
  find_lines();
  work_on_lines(now);
}

// Only L1 has lines of other sizes. Atomics and loads by other routes do not look them up.
void GlobalMemoryPath::find_lines() {
  const LineParts& lines = caches_.l1().lines();
  const bool in_l1 = instruction_.reads_lines() ? route_ == LoadRoute::kL1 : !instruction_.is_atomic();
  line_parts_ = lines.divided() && in_l1 ? &lines : nullptr;
}

void GlobalMemoryPath::coalesce_lanes(const QueuedAccess& queued) {
  const OpKind kind = instruction_.info->kind;
  const std::uint32_t bytes = instruction_.info->bytes_per_lane;
  const bool local = space_ == MemorySpace::kLocal;
  if (local) {
    instruction_.addresses =
        queued.windows.spread_local(instruction_.addresses, instruction_.active, bytes, local_lanes_);
  }
  if (instruction_.is_atomic()) {
    packets_ = split_atomic(instruction_.addresses, instruction_.active, bytes, access_);
  } else {
    coalesce_by(coalescing_, instruction_.addresses, instruction_.active, bytes,
                kind == OpKind::kStore ? AccessNeeds::kByteMasks : AccessNeeds::kSectors, access_);
    route_ = route_of_load(caches_.l1().config().policy, local, instruction_.info->cache_op);
    const bool whole_lines =
        instruction_.is_load() && route_ != LoadRoute::kPastL1 && caches_.of(route_).config().fill_bytes == kLineBytes;
    stats().count_transactions(transactions_of(coalescing_, access_, whole_lines),
                               static_cast<std::uint32_t>(std::popcount(instruction_.active)) * bytes);
  }
  stats().count_access(instruction_, local, access_.sector_count);
}

void GlobalMemoryPath::find_texels(Cycle now) {
  const bool stores = instruction_.stores_texels();
  const TexelDemand demand = texel_demand(instruction_.addresses, instruction_.active, stores);
  stats().count_texels(instruction_, demand);
  texels_.result = textures_->start(*instruction_.info, instruction_.addresses.texels(), demand.passes, now);
  texels_.sectors = demand.sectors;
  texels_.misses = 0;
  route_ = caches_.route_of_texels();
  const AccessNeeds needs = stores ? AccessNeeds::kByteMasks : AccessNeeds::kSectors;
  texels_.next = texel_lines(instruction_.addresses, 0, needs, access_);
}

// Lines of a texture instruction that did not fit before.
bool GlobalMemoryPath::has_more_lines() {
  if (!instruction_.is_texture() || texels_.next == instruction_.addresses.texels().count) {
    return false;
  }
  texels_.next = texel_lines(instruction_.addresses, texels_.next, AccessNeeds::kSectors, access_);
  next_line_ = 0;
  return true;
}

void GlobalMemoryPath::work_on_lines(Cycle now) {
  bool used_miss_port = false;
  store_cycles_ = 1;
  std::uint32_t tags = 0;
  while (next_line_ < access_.line_count && tags < tags_per_cycle_ && process_next(used_miss_port, now)) {
    ++tags;
  }
  if (next_line_ == access_.line_count && !has_more_lines()) {
    finish_lines(now);
  } else {
    blocked_ = tags == 0;
    free_at_ = now + (tags != 0 ? line_cycles() : 1);
  }
}

// --- one line ---

// Looks up the next line of the cache. Returns false if it has to wait for another cycle.
bool GlobalMemoryPath::process_next(bool& used_miss_port, Cycle now) {
  const LineAccess& line = access_.lines[next_line_];
  if (line_parts_ == nullptr) [[likely]] {
    if (!process_line(line, used_miss_port, now)) {
      return false;
    }
    ++next_line_;
    return true;
  }
  LineAccess part = line;
  const LineParts::Part first = line_parts_->first_of(line.line, without(line.sector_mask, processed_sectors_));
  part.line = first.address;
  part.sector_mask = first.sectors;
  if (!process_line(part, used_miss_port, now)) {
    return false;
  }
  processed_sectors_ = static_cast<std::uint8_t>(processed_sectors_ | part.sector_mask);
  if (processed_sectors_ == line.sector_mask) {
    processed_sectors_ = 0;
    ++next_line_;
  }
  return true;
}

// Returns false if the line has to wait for another cycle.
bool GlobalMemoryPath::process_line(const LineAccess& line, bool& used_miss_port, Cycle now) {
  if (instruction_.reads_lines()) {
    return load_line(line, used_miss_port, now);
  }
  if (instruction_.info->kind == OpKind::kStore || instruction_.stores_texels()) {
    return store_line(line, used_miss_port, now);
  }
  if (used_miss_port || !port_->takes_atomic(static_cast<std::uint32_t>(std::popcount(line.sector_mask)))) {
    return false;
  }
  used_miss_port = true;
  atomic_line(line);
  return true;
}

MemRequest GlobalMemoryPath::make_request(const LineAccess& line, MemOp op, std::uint32_t tag) const {
  MemRequest request{.line = line_of(line.line), .tag = tag, .op = op, .sector_mask = line.sector_mask};
  request.wants_ack = instruction_.info->acknowledged;
  request.seat = instruction_.seat;
  request.system_scope = instruction_.info->cache_op == CacheOp::kSystem;
  request.priority =
      instruction_.info->cache_op == CacheOp::kEvictFirst ? LinePriority::kFirst : LinePriority::kUnstated;
  if (op != MemOp::kRead) {
    request.byte_mask = line.byte_mask;
    request.single_lane = line.single_lane;
  }
  return request;
}

bool GlobalMemoryPath::load_line(const LineAccess& line, bool& used_miss_port, Cycle now) {
  bool bypass = route_ == LoadRoute::kPastL1;
  L1Cache& cache = caches_.of(route_);
  const std::uint8_t missing = cache.missing_sectors(line.line, line.sector_mask, bypass);
  const bool by_mechanisms = mechanisms_ && route_ == LoadRoute::kL1 && !instruction_.is_texture();
  mechanism::Insertion insertion = mechanism::Insertion::kKeep;
  if (by_mechanisms) [[unlikely]] {
    insertion = mechanisms_->look_up(instruction_, line, lookup_number(line), missing == 0, now);
    bypass = insertion == mechanism::Insertion::kBypass;
  }
  std::uint8_t asked_for = 0;
  if (missing != 0) {
    if (used_miss_port || !port_->takes_request()) {
      return false;
    }
    const L1Cache::Miss miss =
        cache.miss(line.line, missing, bypass,
                   {return_number_, instruction_.seat, instruction_.info->pc, instruction_.warp_number(),
                    instruction_.copies_past_l1(), returns_->held_lines(return_number_)});
    if (!miss.accepted) {
      return false;
    }
    if (insertion == mechanism::Insertion::kLeaveFirst) [[unlikely]] {
      cache.let_leave_first(miss.tag);
    }
    asked_for = miss.request_sectors;
    used_miss_port = true;
    returns_->expect(return_number_, 1);
    if (miss.holds_line) {
      returns_->hold_line(return_number_);
    }
    if (miss.request_sectors != 0) {
      LineAccess wanted = line;
      wanted.sector_mask = miss.request_sectors;
      port_->push(make_request(wanted, MemOp::kRead, DataCaches::request_tag(route_, miss.tag)));
    }
  }
  if (missing != line.sector_mask) {
    cache.touch(line.line, line.sector_mask, instruction_.seat);
    if (instruction_.info->cache_op == CacheOp::kLastUse && space_ == MemorySpace::kLocal) {
      cache.drop(line.line, instruction_.seat);
    }
  }
  // Like Nsight Compute, sectors that are in flight for an earlier load count as hits.
  const std::uint32_t misses = sector_count(static_cast<std::uint8_t>(asked_for & line.sector_mask));
  if (instruction_.is_texture()) {
    texels_.misses += misses;
  } else if (space_ == MemorySpace::kGlobal) {
    stats().count_lookup(instruction_, static_cast<std::uint32_t>(std::popcount(line.sector_mask)) - misses, misses);
  }
  if (by_mechanisms) [[unlikely]] {
    prefetch_after(line);
  }
  if (listener_ != nullptr && route_ == LoadRoute::kL1 && !instruction_.is_texture()) [[unlikely]] {
    listener_->looked_up(
        {line.line, instruction_.info->pc, instruction_.warp_number(), instruction_.seat, missing == 0}, now);
  }
  return true;
}

void GlobalMemoryPath::prefetch_after(const LineAccess& line) {
  mechanisms_->prefetch(
      caches_.l1(), line.line, instruction_.seat, [this] { return port_->takes_request(); },
      [this](Address wanted, std::uint8_t sectors, std::uint32_t tag) {
        LineAccess request;
        request.line = wanted;
        request.sector_mask = sectors;
        port_->push(make_request(request, MemOp::kRead, DataCaches::request_tag(LoadRoute::kL1, tag)));
      });
}

// Returns false if the line has to wait for another cycle.
bool GlobalMemoryPath::store_line(const LineAccess& line, bool& used_miss_port, Cycle now) {
  L1Cache& l1 = caches_.l1();
  MemRequest request = make_request(line, MemOp::kWrite, instruction_.warp_number());
  const std::uint32_t place = port_->stores().line_for(request);
  const bool joins = place != StoreBuffer::kNone;
  if (!joins && (used_miss_port || port_->stores().full())) {
    return false;
  }
  const std::uint8_t full = complete_sectors(request);
  if (space_ == MemorySpace::kLocal && l1.config().policy.local == LocalMemory::kWrittenBack) {
    request.sector_mask = l1.write_local(line.line, line.sector_mask, full, instruction_.seat);
    if (request.sector_mask == 0) {
      return true;
    }
  } else if (l1.has_write_policy()) [[unlikely]] {
    l1.write_by_policy(line.line, line.sector_mask, full,
                       {instruction_.seat, instruction_.info->pc, instruction_.warp_number()});
  } else {
    l1.write(line.line, line.sector_mask, full, instruction_.seat);
  }
  const std::uint32_t line_cycles = port_->stores().line_cycles();
  port_->push_store(request, place, started_ + Cycle{access_.line_count} * line_cycles, now);
  if (joins) {
    ++stats().joined_store_lines;
  } else {
    used_miss_port = true;
    store_cycles_ = line_cycles;
  }
  return true;
}

void GlobalMemoryPath::atomic_line(const LineAccess& line) {
  caches_.l1().discard(line.line, line.sector_mask);
  const bool returns = instruction_.info->kind == OpKind::kAtomic;
  if (returns) {
    returns_->expect(return_number_, static_cast<std::uint32_t>(std::popcount(line.sector_mask)));
  }
  port_->push(returns ? make_request(line, MemOp::kAtomic, return_number_)
                      : make_request(line, MemOp::kReduction, instruction_.warp_number()));
}

// --- end of an instruction in the stage ---

// Cycles for which the latest lines occupy the stage: stores by whether they joined lines; operands of an atomic's
// lanes are read in two.
std::uint32_t GlobalMemoryPath::line_cycles() const {
  if (instruction_.info->kind == OpKind::kStore) {
    return store_cycles_;
  }
  return instruction_.is_atomic() && !access_.lines[next_line_ - 1].single_lane ? 2 : 1;
}

BankPasses GlobalMemoryPath::line_passes() const {
  if (instruction_.is_atomic()) {
    return {packets_.bank_passes, packets_.groups};
  }
  // Up to 6.x an instruction is replayed for each further line or transaction, for any position of the words in it.
  return coalescing_ == CoalescingRule::kWarpSectors ? instruction_.global_passes()
                                                     : BankPasses{access_.line_count, access_.request_count};
}

void GlobalMemoryPath::finish_texels(Cycle now) {
  busy_ = false;
  free_at_ = std::max(now + 1, textures_->accepts_at());
  port_->write_started(instruction_);
  stats().stage_busy_cycles += now + 1 - started_;
  if (return_number_ == kNone) {
    post_result(*events_, instruction_, std::max(texels_.result.at, now + store_release_cycles_));
    return;
  }
  stats().count_texel_lookups(instruction_, texels_.sectors - std::min(texels_.sectors, texels_.misses),
                              texels_.misses);
  const auto [result_at, latency] = texels_.result;
  const std::uint32_t hit_cycles = caches_.of(route_).config().hit_latency_cycles;
  const std::uint32_t behind = latency - std::min(latency, hit_cycles);
  if (!returns_->all_sent(return_number_, {.passes = 1, .behind_cycles = behind, .earliest = result_at})) {
    complete_return(result_at);
  }
}

void GlobalMemoryPath::finish_lines(Cycle now) {
  if (instruction_.is_texture()) {
    finish_texels(now);
    return;
  }
  const BankPasses used = line_passes();
  const auto [passes, least] = used;
  const OpKind kind = instruction_.info->kind;
  const std::uint64_t ways = kind == OpKind::kAtomic ? 2 : 1;  // returned data take the same path
  stats().global_conflicts += (passes - least) * ways;
  stats().wavefronts += passes * ways;
  busy_ = false;
  free_at_ = now + line_cycles();
  port_->write_started(instruction_);
  stats().stage_busy_cycles += std::max(free_at_, started_ + passes) - started_;
  if (instruction_.is_atomic()) {
    free_at_ = std::max(free_at_, started_ + passes);
  } else if (kind == OpKind::kStore) {
    passes_->take(instruction_.warp_number(), passes, now);
    free_at_ = std::max(free_at_, started_ + port_->stores().line_cycles());
  }
  if (return_number_ == kNone) {
    post_result(*events_, instruction_, now + store_release_cycles_);  // stores, reductions: nothing to write back
  } else {
    begin_return(used, now);
  }
}

void GlobalMemoryPath::begin_return(const BankPasses& used, Cycle now) {
  // Data of loads from L2 pass by sectors, as many as fit a pass; data of copies are written lane by lane, and
  // so are results of atomics. Micro.csv cpasync.throughput.ldg_sts.L2 and mlp.l2 hold with it.
  constexpr std::uint32_t kSectorsOfPass = kLineBytes / kSectorBytes;
  const IssueInfo& info = *instruction_.info;
  const std::uint32_t passes = used.passes;
  ReturnPath::Return back;
  back.passes = info.kind == OpKind::kLoad ? (access_.sector_count + kSectorsOfPass - 1) / kSectorsOfPass : passes;
  // Registers are written pass by pass, also those of lanes with one address.
  back.hand_out_cycles = (std::max(passes, (info.bytes_per_lane + 3U) / 4U) - 1) * passes_->interval();
  if (returns_->all_sent(return_number_, back)) {
    return;  // data_arrived() continues
  }
  // The data of a copy take one pass more than those of a load (tests/hardware/copy_passes).
  const std::uint32_t extra = instruction_.copies_through_l1() ? 1 : 0;
  // Hits of words in one bank take more passes than the same sectors from L2: a perfect L1 must not be the slower one.
  const bool perfect = caches_.of(route_).config().perfect;
  const std::uint32_t hit_passes = perfect ? std::min(passes, back.passes) : passes;
  const Cycle begin = passes_->take(instruction_.warp_number(), hit_passes + extra, now);
  const std::uint32_t after_stage = caches_.of(route_).config().hit_latency_cycles - address_latency_cycles_;
  complete_return(begin + after_stage);
}

void GlobalMemoryPath::complete_return(Cycle first_data) {
  caches_.l1().release(returns_->held_lines(return_number_));
  returns_->complete(return_number_, first_data);
}

void GlobalMemoryPath::data_arrived(const MemResponse& response, Cycle now) {
  if (response.op == MemOp::kAtomic) {
    const auto sectors = static_cast<std::uint32_t>(std::popcount(response.sector_mask));
    if (const std::uint32_t passes = returns_->arrived(response.tag, sectors, response.served_by, now).passes;
        passes != 0) {
      free_at_ = std::max(free_at_, now) + passes;
      (*stats_)[response.seat].stage_busy_cycles += passes;
    }
    return;
  }
  std::uint32_t held_lines = 0;
  caches_.fill(response, [&](std::uint32_t number) {
    held_lines += returns_->arrived(number, 1, response.served_by, now).held_lines;
  });
  caches_.l1().release(held_lines);
}

}  // namespace warpsim
