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

LaneAddresses AddressWindows::spread_local(const LaneAddresses& addresses, std::uint32_t bytes_per_lane) const {
  constexpr std::uint32_t kWordBytes = 4;
  const std::uint32_t unit = std::max(kWordBytes, bytes_per_lane);
  const Address offset = addresses.of_lane(0) % kWindowBytes;
  const Address row = local_backing + offset / unit * unit * kWarpSize;
  return {LaneAddresses::Kind::kStrided, row + offset % unit, unit, nullptr};
}

}  // namespace warpsim
