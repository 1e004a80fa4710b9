#include "memory/access/lane_array.h"

#include <bit>

namespace warpsim {

std::uint32_t expand(const LaneAddresses& addresses, LaneMask active, LaneArray& out) {
  const auto count = static_cast<std::uint32_t>(std::popcount(active));
  if (addresses.kind == LaneAddresses::Kind::kNone) {
    return 0;
  }
  if (addresses.kind == LaneAddresses::Kind::kList) {
    for (std::uint32_t i = 0; i < count; ++i) {
      out[i] = addresses.base + addresses.list[i];
    }
    return count;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    out[i] = addresses.base + static_cast<Address>(addresses.stride * std::int64_t{i});
  }
  return count;
}

LaneArray expand_by_lane(const LaneAddresses& addresses, LaneMask active) {
  LaneArray in_order;
  expand(addresses, active, in_order);
  LaneArray lanes;
  std::uint32_t next = 0;
  for (LaneMask mask = active; mask != 0; mask &= mask - 1) {
    lanes[static_cast<std::uint32_t>(std::countr_zero(mask))] = in_order[next++];
  }
  return lanes;
}

}  // namespace warpsim
