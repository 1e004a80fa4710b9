#include "memory/caches/l1_cache.h"

#include <algorithm>
#include <bit>

namespace warpsim {

void describe(ConfigSection& section, L1Config& config) {
  section.integer("sets", config.sets, 1, 4096, "sets; the number of ways follows from the capacity");
  describe_parts(section, "line_bytes", config.line_bytes,
                 "a line: 32, 64 or 128; a load or store looks up each line that it touches");
  section.integer("capacity_kib", config.capacity_kib, 0, 1U << 20,
                  "capacity, whatever shared memory takes; 0: what the launch's carve-out leaves, as on hardware");
  section.integer("mshr_entries", config.mshr_entries, 1, 1U << 16, "outstanding lines");
  section.integer("mshr_waiters", config.mshr_waiters, 1, 1U << 16, "instructions that can wait for one line");
  section.boolean("unlimited_mshrs", config.unlimited_mshrs, "any number of outstanding lines");
  section.boolean("misses_take_lines", config.misses_take_lines,
                  "a missed line takes the place of a line until its load has all of its data, and a load waits if the "
                  "capacity has no more; not those of asynchronous copies that bypass L1");
  describe_parts(section, "fill_bytes", config.fill_bytes,
                 "a cached load that misses fetches this aligned block: 32 for the needed sectors, 64 or 128");
  section.nested("policy", config.policy, "which accesses L1 caches");
  describe_mechanism(section, "replacement", config.replacement, {{"lru", Replacement::kLru}}, Replacement::kMechanism,
                     config.replacement_mechanism, "which line of a set is replaced");
  describe_mechanism(section, "prefetcher", config.prefetcher, "lines that are requested before a load needs them");
  describe_mechanism(section, "insertion", config.insertion,
                     "how lines that a load misses enter; none: all that the policy caches are kept");
  describe_mechanism(section, "sector_fetch", config.sector_fetch,
                     "which sectors of a line a miss fetches; none: those of fill_bytes");
  describe_mechanism(section, "miss_admission", config.miss_admission,
                     "which misses have to wait although there is an entry for them; none: none");
  describe_mechanism(section, "write_policy", config.write_policy,
                     "what becomes of stored data; none: as write_allocate and policy say");
  section.boolean("write_allocate", config.write_allocate, "fully written sectors of an absent line become valid");
  section.integer("hit_latency_cycles", config.hit_latency_cycles, 1, 1000, "4-byte load that hits, issue to use");
  section.integer("fill_latency_cycles", config.fill_latency_cycles, 1, 1000, "from a response's arrival to use");
  section.boolean("perfect", config.perfect, "every load hits, in no more passes than data from L2 take");
  check_fill(section, config.fill_bytes, config.line_bytes);
}

L1Cache::L1Cache(const L1Config& config, LaunchStatsNode& parent, const char* name)
    : config_(config),
      lines_(config.line_bytes),
      fills_(config.fill_bytes),
      stats_(parent, name),
      replacement_(config.replacement_mechanism, mechanism::CacheLevel::kL1, stats_),
      mechanisms_({config.sector_fetch, config.write_policy}, mechanism::CacheLevel::kL1, stats_),
      tags_(config.sets, 1, config.replacement),
      mshrs_({config.mshr_entries, config.mshr_waiters, config.unlimited_mshrs}),
      admission_(config.miss_admission, mechanism::CacheLevel::kL1, config.unlimited_mshrs ? 0 : config.mshr_entries,
                 stats_) {
  replacement_.apply(tags_);
  mechanisms_.empty(tags_.num_slots());
}

void L1Cache::configure(std::uint64_t capacity_bytes) {
  const std::uint64_t fixed_bytes = std::uint64_t{config_.capacity_kib} * 1024;
  const std::uint64_t lines = (fixed_bytes != 0 ? fixed_bytes : capacity_bytes) / config_.line_bytes;
  const std::uint64_t ways = std::max<std::uint64_t>(1, lines / config_.sets);
  if (ways == tags_.ways()) {
    tags_.clear();
  } else {
    tags_ = TagArray(config_.sets, static_cast<std::uint32_t>(ways), config_.replacement);
    replacement_.apply(tags_);
  }
  mechanisms_.empty(tags_.num_slots());
  if (owners_) {
    owners_.empty(tags_.num_slots());
  }
}

std::uint8_t L1Cache::missing_sectors(Address line, std::uint8_t sectors, bool bypass) const {
  if (config_.perfect) {
    return 0;
  }
  if (bypass) {
    return sectors;
  }
  const std::uint32_t slot = tags_.find(line);
  return slot == TagArray::kNoSlot ? sectors : static_cast<std::uint8_t>(sectors & ~tags_[slot].valid);
}

void L1Cache::touch(Address line, std::uint8_t sectors, LaunchSeat seat) {
  const std::uint32_t slot = tags_.find(line);
  if (slot != TagArray::kNoSlot) {
    replacement_.select(seat);
    tags_.touch(slot);
    if (mechanisms_) [[unlikely]] {
      mechanisms_.use(slot, sectors);
    }
  }
}

// Of the absent sectors of the entry's line.
std::uint8_t L1Cache::fetched_by_mechanism(std::uint32_t entry, bool new_entry, std::uint8_t sectors,
                                           const Load& load) {
  SectorFetchMechanism& mechanism = mechanisms_.sector_fetch();
  const Address line = mshrs_[entry].line;
  const std::uint8_t pending = mshrs_[entry].pending;
  const auto needed = static_cast<std::uint8_t>(sectors & ~pending);
  std::uint8_t fetched = 0;
  if (needed != 0) {
    const auto absent = static_cast<std::uint8_t>(missing_sectors(line, lines_.covered(line), false) & ~pending);
    fetched =
        mechanism.fetch({line, needed, absent, load.pc, load.warp}, {entry, new_entry, tags_.find(line)}, load.seat);
  }
  mechanism.wait_for(entry, sectors);
  return fetched;
}

// The line has that entry, or none.
mechanism::MissOffer L1Cache::offer_of(const MshrTable<Waiter>& mshrs, std::uint32_t entry, Address line,
                                       std::uint8_t sectors, const Load& load) {
  const bool joins = entry != MshrTable<Waiter>::kNone;
  return {.line = line,
          .sectors = sectors,
          .used = mshrs.used(),
          .joins = joins,
          .waiting = joins ? mshrs[entry].waiters : 0,
          .requester = load.warp,
          .pc = load.pc};
}

L1Cache::Miss L1Cache::miss(Address line, std::uint8_t sectors, bool bypass, const Load& load) {
  // Each load that bypasses L1 sends requests of its own.
  std::uint32_t entry = bypass ? MshrTable<Waiter>::kNone : mshrs_.find(line);
  const bool found = entry != MshrTable<Waiter>::kNone;
  const bool holds = !found && holds_lines() && !load.past_data;
  if (found ? !mshrs_.can_merge(entry) : !has_space(holds, load.held_lines)) {
    stats_[load.seat].mshr_refusals += refused_ ? 0 : 1;
    refused_ = true;
    return {};
  }
  mechanism::MissOffer offer;
  if (admission_) [[unlikely]] {
    offer = offer_of(mshrs_, entry, line, sectors, load);
    if (!admission_.admits(offer, load.seat)) {
      return {};
    }
  }
  if (!found) {
    entry = bypass ? mshrs_.allocate_apart(line, 0) : mshrs_.allocate(line, 0);
    held_lines_ += holds ? 1 : 0;
    if (admission_) [[unlikely]] {
      admission_.begin(entry, offer, load.seat);
    }
    if (owners_) [[unlikely]] {
      owners_.begin(entry, load.warp);
    }
  }
  std::uint8_t fetched = sectors;
  if (mechanisms_.sector_fetch() && !bypass) [[unlikely]] {
    fetched = fetched_by_mechanism(entry, !found, sectors, load);
  } else if (!bypass && config_.fill_bytes != kSectorBytes) {
    fetched = missing_sectors(line, fills_.around(sectors), false);
  }
  const auto wanted = static_cast<std::uint8_t>(fetched & ~mshrs_[entry].pending);
  mshrs_[entry].pending = static_cast<std::uint8_t>(mshrs_[entry].pending | wanted);
  mshrs_.add_waiter(entry, {load.waiter, sectors});
  stats_[load.seat].requested_sectors += static_cast<std::uint32_t>(std::popcount(wanted));
  stats_[load.seat].merged_misses += wanted == 0 ? 1 : 0;
  return {true, wanted, entry, holds};
}

L1Cache::Prefetch L1Cache::prefetch(Address line, std::uint8_t sectors, bool space, LaunchSeat seat) {
  const std::uint8_t absent = missing_sectors(line, sectors, false);
  if (absent == 0 || mshrs_.find(line) != MshrTable<Waiter>::kNone) {
    return {Prefetch::Result::kPresent};
  }
  const bool holds = holds_lines();
  if (!space || !has_space(holds, 0)) {
    return {Prefetch::Result::kNoSpace};
  }
  const std::uint32_t entry = mshrs_.allocate(line, 0);
  mshrs_[entry].pending = absent;
  mshrs_[entry].mark = holds ? kPrefetch | kHoldsLine : kPrefetch;
  held_lines_ += holds ? 1 : 0;
  if (mechanisms_.sector_fetch()) [[unlikely]] {
    mechanisms_.sector_fetch().begin_without(entry);
  }
  if (owners_) [[unlikely]] {
    owners_.begin_without(entry);
  }
  stats_[seat].requested_sectors += static_cast<std::uint32_t>(std::popcount(absent));
  return {Prefetch::Result::kRequested, absent, entry};
}

L1Cache::Prefetched L1Cache::use_prefetched(Address line) {
  if (const std::uint32_t slot = tags_.find(line); slot != TagArray::kNoSlot && tags_[slot].mark != 0) {
    tags_[slot].mark = 0;
    return Prefetched::kPresent;
  }
  const std::uint32_t entry = mshrs_.find(line);
  if (entry != MshrTable<Waiter>::kNone && (mshrs_[entry].mark & kPrefetch) != 0) {
    mshrs_[entry].mark = static_cast<std::uint8_t>(mshrs_[entry].mark & ~kPrefetch);
    return Prefetched::kOnItsWay;
  }
  return Prefetched::kNo;
}

std::uint32_t L1Cache::slot_for(Address line, LaunchSeat seat, bool keep) {
  replacement_.select(seat);
  const std::uint32_t set = tags_.set_of(line);
  std::uint32_t slot = tags_.find(set, line);
  if (slot == TagArray::kNoSlot) {
    slot = tags_.victim(set);
    stats_[seat].evictions += tags_.present(slot) ? 1 : 0;
    if (tags_[slot].dirty != 0) {
      stats_[seat].writeback_sectors += static_cast<std::uint32_t>(std::popcount(tags_[slot].dirty));
      writebacks_.push({tags_.line(slot), tags_[slot].dirty, seat});
    }
    if (mechanisms_) [[unlikely]] {
      mechanisms_.leave(slot, tags_.line(slot), tags_[slot].valid, seat);
    }
    if (owners_) [[unlikely]] {
      owners_.replace(slot, tags_.line(slot), seat);
    }
    tags_.insert(slot, line, keep);
  }
  return slot;
}

void L1Cache::keep_sectors(std::uint32_t tag, std::uint8_t sectors, LaunchSeat seat) {
  stats_[seat].filled_sectors += static_cast<std::uint32_t>(std::popcount(sectors));
  if (mshrs_[tag].apart) {
    return;
  }
  const std::uint8_t mark = mshrs_[tag].mark;
  const bool keep = (mark & kLeavesFirst) == 0;
  const std::uint32_t slot = slot_for(mshrs_[tag].line, seat, keep);
  tags_[slot].valid = static_cast<std::uint8_t>(tags_[slot].valid | sectors);
  if (keep) {
    tags_.refresh(slot);
  }
  if (mechanisms_.sector_fetch()) [[unlikely]] {
    mechanisms_.sector_fetch().arrive(tag, slot);
  }
  if (owners_) [[unlikely]] {
    owners_.arrive(tag, slot);
  }
  if ((mark & kPrefetch) != 0) [[unlikely]] {
    tags_[slot].mark = 1;
  }
}

void L1Cache::write(Address line, std::uint8_t sectors, std::uint8_t full_sectors, LaunchSeat seat) {
  std::uint32_t slot = tags_.find(line);
  if (slot != TagArray::kNoSlot) {
    stats_[seat].store_sectors_present += static_cast<std::uint32_t>(std::popcount(sectors));
    if (config_.policy.global_stores == GlobalStores::kInvalidate) {
      remove(slot, seat);
      return;
    }
  } else if (config_.write_allocate && full_sectors != 0) {
    slot = slot_for(line, seat);
  } else {
    return;
  }
  tags_[slot].valid = static_cast<std::uint8_t>(tags_[slot].valid | full_sectors);
}

void L1Cache::write_by_policy(Address line, std::uint8_t sectors, std::uint8_t full_sectors, const Store& store) {
  WritePolicyMechanism& policy = mechanisms_.write_policy();
  std::uint32_t slot = tags_.find(line);
  const bool present = slot != TagArray::kNoSlot;
  const std::uint8_t valid_before = present ? tags_[slot].valid : std::uint8_t{0};
  const mechanism::WriteWay way =
      policy.way_of({line, sectors, full_sectors, present, valid_before, 0, store.pc, store.warp}, slot, store.seat);
  if (present) {
    stats_[store.seat].store_sectors_present += static_cast<std::uint32_t>(std::popcount(sectors));
  } else if (way == mechanism::WriteWay::kThrough && full_sectors != 0) {
    slot = slot_for(line, store.seat);
  } else {
    return;
  }
  std::uint8_t& valid = tags_[slot].valid;
  if (way != mechanism::WriteWay::kInvalidate) {
    valid = static_cast<std::uint8_t>(valid | full_sectors);
    policy.stay(slot, full_sectors);
    return;
  }
  valid = static_cast<std::uint8_t>(valid & ~sectors);
  if (valid == 0) {
    remove(slot, store.seat);
  }
}

std::uint8_t L1Cache::write_local(Address line, std::uint8_t sectors, std::uint8_t full_sectors, LaunchSeat seat) {
  std::uint32_t slot = tags_.find(line);
  const std::uint8_t valid = slot != TagArray::kNoSlot ? tags_[slot].valid : std::uint8_t{0};
  const auto kept = static_cast<std::uint8_t>(sectors & (full_sectors | valid));
  if (kept != 0) {
    slot = slot_for(line, seat);
    tags_[slot].valid = static_cast<std::uint8_t>(valid | kept);
    tags_[slot].dirty = static_cast<std::uint8_t>(tags_[slot].dirty | kept);
    tags_.touch(slot);
  }
  return static_cast<std::uint8_t>(sectors & ~kept);
}

void L1Cache::remove(std::uint32_t slot, LaunchSeat seat) {
  if (mechanisms_) [[unlikely]] {
    mechanisms_.leave(slot, tags_.line(slot), tags_[slot].valid, seat);
  }
  if (owners_) [[unlikely]] {
    owners_.remove(slot);
  }
  tags_.remove(slot);
}

void L1Cache::drop(Address line, LaunchSeat seat) {
  const std::uint32_t slot = tags_.find(line);
  if (slot != TagArray::kNoSlot) {
    remove(slot, seat);
  }
}

void L1Cache::discard(Address line, std::uint8_t sectors) {
  lines_.for_each(line, sectors, [this](Address part, std::uint8_t changed) {
    const std::uint32_t slot = tags_.find(part);
    if (slot != TagArray::kNoSlot) {
      tags_[slot].valid = static_cast<std::uint8_t>(tags_[slot].valid & ~changed);
    }
  });
}

}  // namespace warpsim
