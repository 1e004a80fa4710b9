// Addresses of a warp's lanes as an instruction carries them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/lane_addresses.h"

namespace warpsim::test {

inline LaneAddresses strided(Address base, std::int64_t stride) {
  return {LaneAddresses::Kind::kStrided, base, stride, nullptr};
}
// From one address per active lane; `list` must outlive the result.
inline LaneAddresses listed(const std::vector<Address>& list) {
  return {LaneAddresses::Kind::kList, 0, 0, list.data()};
}

}  // namespace warpsim::test
