#include "frontend/ptx/access_slots.h"

#include <algorithm>
#include <cstddef>

namespace warpsim {

AccessSlots::AccessSlots(std::uint32_t warps, std::uint32_t per_warp)
    : per_warp_(per_warp),
      next_(warps, 0),
      slots_(std::size_t{warps} * per_warp),
      lists_(std::make_unique_for_overwrite<Address[]>(slots_.size() * kWarpSize)) {}

std::uint32_t AccessSlots::add(std::uint32_t warp, const std::array<Address, kWarpSize>& addresses,
                               std::uint32_t count) {
  std::uint32_t& next = next_[warp];
  const std::uint32_t slot = warp * per_warp_ + next;
  next = next + 1 == per_warp_ ? 0 : next + 1;
  const auto stride = count > 1 ? static_cast<std::int64_t>(addresses[1] - addresses[0]) : 0;
  bool strided = true;
  for (std::uint32_t i = 2; i < count; ++i) {
    strided = strided && static_cast<std::int64_t>(addresses[i] - addresses[i - 1]) == stride;
  }
  if (strided) {
    slots_[slot] = {LaneAddresses::Kind::kStrided, addresses[0], stride, nullptr};
  } else {
    Address* const list = lists_.get() + std::size_t{slot} * kWarpSize;
    std::copy_n(addresses.begin(), count, list);
    slots_[slot] = {LaneAddresses::Kind::kList, 0, 0, list};
  }
  return slot;
}

}  // namespace warpsim
