// Masks of lanes from truth values of single lanes.
//
// Handlers compute a byte for each lane in a loop that compilers vectorise, and collect the bytes here; a loop that
// sets bits of a mask is not vectorised.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace warpsim {

using LaneTruths = std::array<std::uint8_t, kWarpSize>;  // 0 or 1 each

// On x86-64 an instruction collects the highest bits of 16 bytes. Else the lowest bits of eight bytes are collected at
// once: the product moves each to the highest byte, without carries.
inline LaneMask mask_of_truths(const LaneTruths& is_true) {
#if defined(__SSE2__)
  constexpr int kToHighest = 7;
  const auto* const bytes = reinterpret_cast<const __m128i*>(is_true.data());
  const __m128i low = _mm_slli_epi16(_mm_loadu_si128(bytes), kToHighest);
  const __m128i high = _mm_slli_epi16(_mm_loadu_si128(bytes + 1), kToHighest);
  return static_cast<LaneMask>(_mm_movemask_epi8(low)) | static_cast<LaneMask>(_mm_movemask_epi8(high)) << 16U;
#else
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
#endif
}

}  // namespace warpsim
