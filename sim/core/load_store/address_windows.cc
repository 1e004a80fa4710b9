#include "core/load_store/address_windows.h"

#include <algorithm>

namespace warpsim {

namespace {

bool inside(Address address, Address base) {
  return base != 0 && address >= base && address - base < AddressWindows::kWindowBytes;
}

}  // namespace

MemorySpace AddressWindows::space_of(MemorySpace space, const LaneAddresses& addresses) const {
  if (space != MemorySpace::kGeneric || addresses.kind == LaneAddresses::Kind::kNone) {
    return space;
  }
  const Address address = addresses.of_lane(0);
  if (shared_base != 0 && address >= shared_base && address - shared_base < cluster_blocks * kWindowBytes) {
    return (address - shared_base) / kWindowBytes == cluster_rank ? MemorySpace::kShared : MemorySpace::kCluster;
  }
  return inside(address, local_base) ? MemorySpace::kLocal : MemorySpace::kGlobal;
}

LaneAddresses AddressWindows::spread_local(const LaneAddresses& addresses, LaneMask active,
                                           std::uint32_t bytes_per_lane, LaneArray& storage) const {
  constexpr std::uint32_t kWordBytes = 4;
  const std::uint32_t unit = std::max(kWordBytes, bytes_per_lane);
  const auto of_first_lane = [&](Address address) {
    const Address offset = address % kWindowBytes;
    return local_backing + offset / unit * unit * kWarpSize + offset % unit;
  };
  if (addresses.kind != LaneAddresses::Kind::kList && addresses.stride == 0 && active == kAllLanes) {
    return {LaneAddresses::Kind::kStrided, of_first_lane(addresses.of_lane(0)), unit, nullptr};
  }
  std::uint32_t count = 0;
  for (LaneMask mask = active; mask != 0; mask &= mask - 1) {
    storage[count] = of_first_lane(addresses.of_lane(count)) + Address{first_lane(mask)} * unit;
    ++count;
  }
  return {LaneAddresses::Kind::kList, 0, 0, storage.data()};
}

}  // namespace warpsim
