// The allocations of global memory that a warp used last, so that an access to one of several arrays in turn does not
// search all allocations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/types.h"

namespace warpsim {

struct RecentAllocation {
  Address begin = 0;
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;
};

// Invariant: all entries are of one generation of the memory (DeviceMemory::generation); entries without bytes are
// free.
class RecentAllocations {
 public:
  // The entry that holds the byte, or null.
  const RecentAllocation* find(Address byte, std::uint64_t generation) const {
    if (generation != generation_) {
      return nullptr;
    }
    for (const RecentAllocation& entry : entries_) {
      if (byte - entry.begin < entry.bytes) {
        return &entry;
      }
    }
    return nullptr;
  }
  // Replaces the oldest entry, and all that are of another generation.
  const RecentAllocation& keep(const RecentAllocation& allocation, std::uint64_t generation) {
    if (generation != generation_) {
      entries_ = {};
      generation_ = generation;
    }
    RecentAllocation& entry = entries_[oldest_];
    oldest_ = (oldest_ + 1) % kEntries;
    entry = allocation;
    return entry;
  }

 private:
  // Kernels that use more arrays in turn are rare; each further entry is a comparison of a miss.
  static constexpr std::uint32_t kEntries = 4;
  std::array<RecentAllocation, kEntries> entries_ = {};
  std::uint64_t generation_ = ~std::uint64_t{0};
  std::uint32_t oldest_ = 0;
};

}  // namespace warpsim
