#include "memory/tag_array.h"

#include "base/check.h"

namespace warpsim {

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, Replacement replacement)
    : ways_(ways),
      replacement_(replacement),
      divider_(sets),
      tags_(std::size_t{sets} * ways),
      slots_(std::size_t{sets} * ways) {
  SIM_CHECK(ways >= 1, "a cache has at least one way");
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
  if (replacement_ == Replacement::kRandom && slots_[oldest].stamp != 0) {
    return first + hash_below(clock_ + (std::uint64_t{set} << 32), ways_);
  }
  return oldest;
}

void TagArray::clear() {
  tags_.clear();
  slots_.clear();
  clock_ = 0;
}

}  // namespace warpsim
