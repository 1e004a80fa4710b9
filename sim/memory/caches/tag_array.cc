#include "memory/caches/tag_array.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/error.h"

namespace warpsim {

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, Replacement replacement)
    : ways_(ways),
      replacement_(replacement),
      divider_(sets),
      tags_(std::size_t{sets} * ways),
      slots_(std::size_t{sets} * ways) {
  SIM_CHECK(ways >= 1, "a cache has at least one way");
  constexpr std::uint32_t kMostBlocks = 64;
  while ((kMostBlocks << block_shift_) < num_slots()) {
    ++block_shift_;
  }
}

std::uint32_t TagArray::victim(std::uint32_t set) const {
  const std::uint32_t first = set * ways_;
  std::uint32_t oldest = first;
  for (std::uint32_t slot = first; slot < first + ways_; ++slot) {
    if (tags_[slot] == 0) {
      return slot;
    }
    if (slots_[slot].stamp < slots_[oldest].stamp) {
      oldest = slot;
    }
  }
  if (mechanism_) [[unlikely]] {
    return victim_of_mechanism(set);
  }
  if (replacement_ == Replacement::kRandom && slots_[oldest].stamp != 0) {
    return first + hash_below(clock_ + (std::uint64_t{set} << 32), ways_);
  }
  return oldest;
}

std::uint32_t TagArray::victim_of_lines(std::uint32_t set) const {
  SIM_CHECK(mechanism_ == nullptr, "a replacement mechanism chooses among full sets only");
  const std::uint32_t oldest = oldest_of(set, [](std::uint32_t) { return true; });
  if (replacement_ != Replacement::kRandom || oldest == kNoSlot || slots_[oldest].stamp == 0) {
    return oldest;
  }
  const std::uint64_t* const tags = &tags_[std::size_t{set} * ways_];
  const auto lines = ways_ - static_cast<std::uint32_t>(std::count(tags, tags + ways_, 0));
  std::uint32_t before = hash_below(clock_ + (std::uint64_t{set} << 32), lines);
  std::uint32_t slot = set * ways_;
  while (!present(slot) || before-- != 0) {
    ++slot;
  }
  return slot;
}

std::uint32_t TagArray::victim_of_mechanism(std::uint32_t set) const {
  const std::uint32_t way = mechanism_->victim(set);
  if (way >= ways_) {
    throw ConfigError(fmt::format("replacement '{}' chose way {}, expected 0 to {}", mechanism_name_, way, ways_ - 1));
  }
  return set * ways_ + way;
}

void TagArray::clear_marks(std::uint8_t bits) {
  for (std::uint64_t blocks = used_blocks_; blocks != 0; blocks &= blocks - 1) {
    const Range range = block(static_cast<std::uint32_t>(std::countr_zero(blocks)));
    for (std::uint32_t slot = range.begin; slot < range.end; ++slot) {
      slots_[slot].mark = static_cast<std::uint8_t>(slots_[slot].mark & ~bits);
    }
  }
}

void TagArray::clear() {
  // The arrays are kept: a launch soon uses the same blocks, whose pages are costly to obtain again.
  for (; used_blocks_ != 0; used_blocks_ &= used_blocks_ - 1) {
    const Range range = block(static_cast<std::uint32_t>(std::countr_zero(used_blocks_)));
    for (std::uint32_t slot = range.begin; slot < range.end; ++slot) {
      tags_[slot] = 0;
      slots_[slot] = Slot{};
    }
  }
  clock_ = 0;
  if (mechanism_) {
    mechanism_->cleared();
  }
}

}  // namespace warpsim
