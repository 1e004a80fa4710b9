// Access of handlers to the lanes of registers (operation.h).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/types.h"

namespace warpsim {

// Calls body(lane) for the lanes of the mask; with all 32 it is a loop that compilers vectorise.
template <class Body>
inline void for_lanes(LaneMask lanes, Body&& body) {
  if (lanes == kAllLanes) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      body(lane);
    }
    return;
  }
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    body(static_cast<std::uint32_t>(std::countr_zero(rest)));
  }
}

// 128 bits of a lane.
struct Wide {
  std::uint64_t low;
  std::uint64_t high;
  bool operator==(const Wide&) const = default;
};

// The representation of a value of type T in a lane.
template <class T>
struct LaneStorage {
  using Word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  static T get(Word word) {
    if constexpr (sizeof(T) == sizeof(Word)) {
      return std::bit_cast<T>(word);
    } else if constexpr (sizeof(T) == 2) {
      return std::bit_cast<T>(static_cast<std::uint16_t>(word));
    } else {
      return std::bit_cast<T>(static_cast<std::uint8_t>(word));
    }
  }
  static Word put(T value) {
    if constexpr (sizeof(T) == sizeof(Word)) {
      return std::bit_cast<Word>(value);
    } else if constexpr (sizeof(T) == 2) {
      return std::bit_cast<std::uint16_t>(value);
    } else {
      return std::bit_cast<std::uint8_t>(value);
    }
  }
};
template <class T>
using LaneWord = typename LaneStorage<T>::Word;

}  // namespace warpsim
