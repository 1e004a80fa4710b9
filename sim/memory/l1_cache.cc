#include "memory/l1_cache.h"

#include <algorithm>
#include <bit>

namespace warpsim {

void describe(ConfigSection& section, L1Config& config) {
  section.integer("sets", config.sets, 1, 4096, "sets; the number of ways follows from the carve-out");
  section.integer("mshr_entries", config.mshr_entries, 1, 1U << 16, "outstanding lines");
  section.integer("mshr_waiters", config.mshr_waiters, 1, 1U << 16, "instructions that can wait for one line");
  section.boolean("unlimited_mshrs", config.unlimited_mshrs, "any number of outstanding lines");
  section.integer("fill_bytes", config.fill_bytes, kSectorBytes, kLineBytes,
                  "bytes that a cached load fetches on a miss: 32 for the needed sectors, 128 for the whole line");
  section.nested("policy", config.policy, "which accesses L1 caches");
  section.boolean("write_allocate", config.write_allocate, "fully written sectors of an absent line become valid");
  section.integer("hit_latency_cycles", config.hit_latency_cycles, 1, 1000, "4-byte load that hits, issue to use");
  section.integer("fill_latency_cycles", config.fill_latency_cycles, 1, 1000, "from a response's arrival to use");
  section.boolean("perfect", config.perfect, "every load hits");
  if (config.fill_bytes != kSectorBytes && config.fill_bytes != kLineBytes) {
    section.problem("fill_bytes", "must be 32 or 128");
  }
}

L1Cache::L1Cache(const L1Config& config, LaunchStatsNode& parent, const char* name)
    : config_(config),
      stats_(parent, name),
      tags_(config.sets, 1, Replacement::kLru),
      mshrs_({config.mshr_entries, config.mshr_waiters, config.unlimited_mshrs}) {}

void L1Cache::configure(std::uint64_t capacity_bytes) {
  const std::uint64_t lines = capacity_bytes / kLineBytes;
  const std::uint64_t ways = std::max<std::uint64_t>(1, lines / config_.sets);
  if (ways == tags_.ways()) {
    tags_.clear();
  } else {
    tags_ = TagArray(config_.sets, static_cast<std::uint32_t>(ways), Replacement::kLru);
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

void L1Cache::touch(Address line) {
  const std::uint32_t slot = tags_.find(line);
  if (slot != TagArray::kNoSlot) {
    tags_.touch(slot);
  }
}

L1Cache::Miss L1Cache::miss(Address line, std::uint8_t sectors, bool bypass, std::uint32_t waiter, LaunchSeat seat) {
  // Each load that bypasses L1 sends requests of its own.
  std::uint32_t entry = bypass ? MshrTable<Waiter>::kNone : mshrs_.find(line);
  const bool found = entry != MshrTable<Waiter>::kNone;
  if (found ? !mshrs_.can_merge(entry) : mshrs_.full()) {
    stats_[seat].mshr_refusals += refused_ ? 0 : 1;
    refused_ = true;
    return {};
  }
  if (!found) {
    entry = bypass ? mshrs_.allocate_apart(line, 0) : mshrs_.allocate(line, 0);
  }
  const std::uint8_t fetched =
      bypass || config_.fill_bytes == kSectorBytes ? sectors : missing_sectors(line, 0xf, false);
  const auto wanted = static_cast<std::uint8_t>(fetched & ~mshrs_[entry].pending);
  mshrs_[entry].pending = static_cast<std::uint8_t>(mshrs_[entry].pending | wanted);
  mshrs_.add_waiter(entry, {waiter, sectors});
  stats_[seat].requested_sectors += static_cast<std::uint32_t>(std::popcount(wanted));
  stats_[seat].merged_misses += wanted == 0 ? 1 : 0;
  return {true, wanted, entry};
}

std::uint32_t L1Cache::slot_for(Address line, LaunchSeat seat) {
  const std::uint32_t set = tags_.set_of(line);
  std::uint32_t slot = tags_.find(set, line);
  if (slot == TagArray::kNoSlot) {
    slot = tags_.victim(set);
    stats_[seat].evictions += tags_.present(slot) ? 1 : 0;
    if (tags_[slot].dirty != 0) {
      stats_[seat].writeback_sectors += static_cast<std::uint32_t>(std::popcount(tags_[slot].dirty));
      writebacks_.push({tags_.line(slot), tags_[slot].dirty, seat});
    }
    tags_.insert(slot, line);
  }
  return slot;
}

void L1Cache::keep_sectors(std::uint32_t tag, std::uint8_t sectors, LaunchSeat seat) {
  stats_[seat].filled_sectors += static_cast<std::uint32_t>(std::popcount(sectors));
  if (mshrs_[tag].apart) {
    return;
  }
  const std::uint32_t slot = slot_for(mshrs_[tag].line, seat);
  tags_[slot].valid = static_cast<std::uint8_t>(tags_[slot].valid | sectors);
  tags_.touch(slot);
}

void L1Cache::write(Address line, std::uint8_t sectors, std::uint8_t full_sectors, LaunchSeat seat) {
  std::uint32_t slot = tags_.find(line);
  if (slot != TagArray::kNoSlot) {
    stats_[seat].store_sectors_present += static_cast<std::uint32_t>(std::popcount(sectors));
    if (config_.policy.global_stores == GlobalStores::kInvalidate) {
      tags_.remove(slot);
      return;
    }
  } else if (config_.write_allocate && full_sectors != 0) {
    slot = slot_for(line, seat);
  } else {
    return;
  }
  tags_[slot].valid = static_cast<std::uint8_t>(tags_[slot].valid | full_sectors);
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

void L1Cache::drop(Address line) {
  const std::uint32_t slot = tags_.find(line);
  if (slot != TagArray::kNoSlot) {
    tags_.remove(slot);
  }
}

void L1Cache::discard(Address line, std::uint8_t sectors) {
  const std::uint32_t slot = tags_.find(line);
  if (slot != TagArray::kNoSlot) {
    tags_[slot].valid = static_cast<std::uint8_t>(tags_[slot].valid & ~sectors);
  }
}

}  // namespace warpsim
