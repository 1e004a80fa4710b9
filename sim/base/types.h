// Vocabulary types shared by every component.
//
// A `Cycle` is a point in time or a duration counted in cycles of the clock domain of the component that holds it.
// Components of different domains never exchange cycles: a Link converts them (engine/link.h) with the picosecond-exact
// arithmetic of engine/clock_domain.h. Therefore the type carries no clock tag.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace warpsim {

using Cycle = std::uint64_t;
using Address = std::uint64_t;   // byte address in the device's virtual address space
using LaneMask = std::uint32_t;  // bit i stands for lane i of a warp

inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

inline constexpr std::uint32_t kWarpSize = 32;
inline constexpr std::uint32_t kSectorBytes = 32;
inline constexpr std::uint32_t kLineBytes = 128;
inline constexpr std::uint32_t kSectorsPerLine = kLineBytes / kSectorBytes;
inline constexpr LaneMask kAllLanes = 0xffffffffU;

// The lowest lane of a mask that is not empty.
constexpr std::uint32_t first_lane(LaneMask mask) {
  return static_cast<std::uint32_t>(std::countr_zero(mask));
}
constexpr Address line_of(Address byte) {
  return byte & ~Address{kLineBytes - 1};
}
constexpr std::uint32_t sector_in_line(Address byte) {
  return static_cast<std::uint32_t>(byte / kSectorBytes) % kSectorsPerLine;
}

struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend constexpr bool operator==(const Dim3&, const Dim3&) = default;
};

}  // namespace warpsim
