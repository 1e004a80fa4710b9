// The addresses of the lanes of a memory instruction, one per lane.
#pragma once

#include <array>
#include <cstdint>

#include "base/lane_addresses.h"
#include "base/types.h"

namespace warpsim {

using LaneArray = std::array<Address, kWarpSize>;

// Addresses of the active lanes in ascending lane order; returns their number.
std::uint32_t expand(const LaneAddresses& addresses, LaneMask active, LaneArray& out);
// Addresses by lane number; those of inactive lanes are undefined.
LaneArray expand_by_lane(const LaneAddresses& addresses, LaneMask active);

// Whether active lanes are adjacent.
inline bool is_dense(const LaneAddresses& addresses, std::uint32_t bytes) {
  return addresses.kind == LaneAddresses::Kind::kStrided && addresses.stride == static_cast<std::int64_t>(bytes);
}

}  // namespace warpsim
