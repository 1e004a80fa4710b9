// Masks of lanes from truth values of single lanes.
//
// Handlers compute a byte for each lane in a loop that compilers vectorise, and collect the bytes here; a loop that
// sets bits of a mask is not vectorised.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"

namespace warpsim {

using LaneTruths = std::array<std::uint8_t, kWarpSize>;  // 0 or 1 each

// Collects the lowest bits of eight bytes at once: the product moves each to the highest byte, without carries.
inline LaneMask mask_of_truths(const LaneTruths& is_true) {
  constexpr std::uint64_t kGather = 0x0102040810204080;
  LaneMask result = 0;
  for (std::uint32_t first = 0; first < kWarpSize; first += 8) {
    std::uint64_t eight = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
      eight |= std::uint64_t{is_true[first + i]} << (8 * i);
    }
    result |= static_cast<LaneMask>(eight * kGather >> 56U) << first;
  }
  return result;
}

}  // namespace warpsim
