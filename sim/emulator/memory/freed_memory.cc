#include "emulator/memory/freed_memory.h"

#include <algorithm>
#include <utility>

namespace warpsim {

void FreedMemory::add(Range range) {
  bytes_ += range.bytes;
  oldest_.emplace(next_, range.begin);
  const Address begin = range.begin;
  ranges_[begin] = {std::move(range), next_++};
}

void FreedMemory::remove(Ranges::iterator entry) {
  bytes_ -= entry->second.range.bytes;
  oldest_.erase(entry->second.order);
  ranges_.erase(entry);
}

std::optional<FreedMemory::Range> FreedMemory::take_oldest() {
  if (oldest_.empty()) {
    return std::nullopt;
  }
  const auto entry = ranges_.find(oldest_.begin()->second);
  Range range = entry->second.range;
  remove(entry);
  return range;
}

const FreedMemory::Range* FreedMemory::find(Address byte) const {
  const auto next = ranges_.upper_bound(byte);
  if (next == ranges_.begin()) {
    return nullptr;
  }
  const Range& range = std::prev(next)->second.range;
  return byte - range.begin < std::max<std::uint64_t>(range.bytes, 1) ? &range : nullptr;
}

void FreedMemory::forget(Address begin, std::uint64_t bytes) {
  auto entry = ranges_.lower_bound(begin);
  if (entry != ranges_.begin() && std::prev(entry)->second.range.end() > begin) {
    --entry;
  }
  while (entry != ranges_.end() && entry->first < begin + bytes) {
    remove(entry++);
  }
}

}  // namespace warpsim
