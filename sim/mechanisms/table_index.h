// The place of a key in a table without search, as tables of predictors have: multiplication by the golden ratio
// (Knuth, The Art of Computer Programming 3, 6.4), whose upper bits depend on all bits of the key.
#pragma once

#include <cstdint>

namespace warpsim::mechanism {

// In [0, entries), also for numbers of entries that are not powers of two.
inline std::uint32_t table_index(std::uint64_t key, std::uint32_t entries) {
  const std::uint64_t mixed = (key ^ (key >> 32U)) * 0x9e3779b97f4a7c15U;
  return static_cast<std::uint32_t>((mixed >> 32U) * entries >> 32U);
}

}  // namespace warpsim::mechanism
