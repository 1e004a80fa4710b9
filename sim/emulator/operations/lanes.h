// Access of handlers to the lanes of registers (operation.h).
#pragma once

#include <array>
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

// The same for bodies that read and write nothing but their lane's elements of registers. Compilers must not suspect
// that a destination overlaps a source: two registers are the same or apart. Otherwise an instruction whose destination
// is one of its sources, as machine code often has it, would not execute the vectorised loop.
template <class Body>
inline void for_own_lanes(LaneMask lanes, Body&& body) {
  if (lanes == kAllLanes) {
#if !defined(__clang__)
#pragma GCC ivdep
#endif
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      body(lane);
    }
    return;
  }
  for_lanes(lanes, body);
}

// Sets the lanes of a destination to value(lane), which reads nothing but the lane's elements of registers. If some
// lanes are missing, and not most of them, values of all are computed in a loop that compilers vectorise.
template <class Word, class Value>
inline void set_lanes(Word* d, LaneMask lanes, Value&& value) {
  constexpr int kFewLanes = 10;
  if (lanes == kAllLanes || std::popcount(lanes) <= kFewLanes) {
    for_own_lanes(lanes, [=](std::uint32_t lane) { d[lane] = value(lane); });
    return;
  }
  std::array<Word, kWarpSize> values;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    values[lane] = value(lane);
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const Word kept = Word{0} - static_cast<Word>(lanes >> lane & 1U);
    d[lane] = (values[lane] & kept) | (d[lane] & ~kept);
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
