#include "memory/l2_store.h"

#include <bit>

namespace warpsim {
namespace {

constexpr std::uint32_t kAllBytes = 0xffffffffU;

std::uint8_t without(std::uint8_t mask, std::uint8_t bits) {
  return static_cast<std::uint8_t>(mask & ~bits);
}

}  // namespace

L2Store::L2Store(const L2Config& config)
    : tags_(config.num_sets, config.num_ways, config.replacement), max_dirty_ways_(config.max_dirty_ways) {
  bytes_.resize(tags_.num_slots());
}

L2Store::Lookup L2Store::look_up(std::uint64_t line_number, Address line) const {
  const std::uint32_t slot = tags_.find(tags_.set_of_line_number(line_number), line);
  return {slot, slot == TagArray::kNoSlot ? std::uint8_t{0} : tags_[slot].valid};
}

void L2Store::clean(std::uint32_t slot, Consequence& consequence) {
  TagArray::Slot& state = tags_[slot];
  if (state.dirty != 0) {
    const std::uint8_t incomplete = static_cast<std::uint8_t>(state.dirty & state.partial);
    consequence.writebacks[consequence.count++] = {tags_.line(slot), state.dirty, incomplete};
    state.valid = static_cast<std::uint8_t>(state.valid | incomplete);
    state.partial = without(state.partial, incomplete);
    state.dirty = 0;
  }
}

std::uint32_t L2Store::obtain(std::uint32_t set, Address line, bool keep, Consequence& consequence) {
  std::uint32_t slot = tags_.find(set, line);
  if (slot == TagArray::kNoSlot) {
    slot = tags_.victim(set);
    if (tags_.present(slot)) {
      consequence.evicted = true;
      clean(slot, consequence);
    }
    tags_.insert(slot, line, keep);
  } else if (keep) {
    tags_.touch(slot);
  }
  return slot;
}

void L2Store::mark_dirty(std::uint32_t set, std::uint32_t slot, std::uint8_t sectors, Consequence& consequence) {
  const bool was_clean = tags_[slot].dirty == 0;
  tags_[slot].dirty = static_cast<std::uint8_t>(tags_[slot].dirty | sectors);
  if (!was_clean || max_dirty_ways_ == 0) {
    return;
  }
  const std::uint32_t first = set * tags_.ways();
  std::uint32_t dirty = 0;
  std::uint32_t oldest = slot;
  for (std::uint32_t other = first; other < first + tags_.ways(); ++other) {
    if (tags_[other].dirty != 0) {
      ++dirty;
      oldest = tags_[other].stamp < tags_[oldest].stamp ? other : oldest;
    }
  }
  if (dirty > max_dirty_ways_) {
    clean(oldest, consequence);
  }
}

L2Store::Consequence L2Store::fill(std::uint64_t line_number, Address line, std::uint8_t sectors, bool keep) {
  Consequence consequence;
  const std::uint32_t set = tags_.set_of_line_number(line_number);
  TagArray::Slot& state = tags_[obtain(set, line, keep, consequence)];
  state.valid = static_cast<std::uint8_t>(state.valid | sectors);
  state.partial = without(state.partial, sectors);
  return consequence;
}

L2Store::Consequence L2Store::write(std::uint64_t line_number, const MemRequest& request, bool dirty) {
  Consequence consequence;
  const std::uint32_t set = tags_.set_of_line_number(line_number);
  const std::uint32_t slot = obtain(set, request.line, !request.evict_first, consequence);
  TagArray::Slot& state = tags_[slot];
  for (std::uint32_t s = 0; s < kSectorsPerLine; ++s) {
    const std::uint8_t bit = static_cast<std::uint8_t>(1U << s);
    if ((request.sector_mask & bit) == 0 || (state.valid & bit) != 0) {
      continue;
    }
    std::uint32_t& bytes = bytes_[slot][s];
    bytes = (state.partial & bit) != 0 ? bytes | request.byte_mask[s] : request.byte_mask[s];
    const bool complete = bytes == kAllBytes;
    state.valid = static_cast<std::uint8_t>(state.valid | (complete ? bit : 0));
    state.partial = static_cast<std::uint8_t>(complete ? without(state.partial, bit) : (state.partial | bit));
  }
  if (dirty) {
    mark_dirty(set, slot, request.sector_mask, consequence);
  }
  return consequence;
}

L2Store::Consequence L2Store::make_dirty(std::uint64_t line_number, Address line, std::uint8_t sectors) {
  Consequence consequence;
  const std::uint32_t set = tags_.set_of_line_number(line_number);
  const std::uint32_t slot = tags_.find(set, line);
  if (slot != TagArray::kNoSlot) {
    mark_dirty(set, slot, sectors, consequence);
  }
  return consequence;
}

void L2Store::forget(std::uint64_t line_number, Address line, std::uint8_t sectors) {
  const std::uint32_t slot = tags_.find(tags_.set_of_line_number(line_number), line);
  if (slot != TagArray::kNoSlot) {
    tags_[slot].valid = without(tags_[slot].valid, sectors);
    tags_[slot].partial = without(tags_[slot].partial, sectors);
  }
}

std::uint64_t L2Store::clear() {
  std::uint64_t dirty = 0;
  for (std::uint32_t slot = 0; slot < tags_.num_slots(); ++slot) {
    dirty += static_cast<std::uint64_t>(std::popcount(tags_[slot].dirty));
  }
  tags_.clear();
  return dirty;
}

}  // namespace warpsim
