#include "frontend/ptx/access_slots.h"

#include <algorithm>
#include <cstddef>

namespace warpsim {

AccessSlots::AccessSlots(std::uint32_t warps, std::uint32_t per_warp)
    : per_warp_(per_warp),
      next_(warps, 0),
      slots_(std::size_t{warps} * per_warp),
      lists_(std::make_unique_for_overwrite<Address[]>(slots_.size() * kWarpSize)) {}

std::uint32_t AccessSlots::take(std::uint32_t warp) {
  std::uint32_t& next = next_[warp];
  const std::uint32_t slot = warp * per_warp_ + next;
  next = next + 1 == per_warp_ ? 0 : next + 1;
  return slot;
}

std::uint32_t AccessSlots::add(std::uint32_t warp, const std::array<Address, kWarpSize>& addresses,
                               std::uint32_t count) {
  const std::uint32_t slot = take(warp);
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

std::uint32_t AccessSlots::add_texels(std::uint32_t warp, const TexelAccess& access, const Address* addresses) {
  const std::uint32_t slot = take(warp);
  texels_.resize(slots_.size());
  texels_[slot].assign(addresses, addresses + access.count);
  slots_[slot] = LaneAddresses::of_texels(access, texels_[slot].data());
  return slot;
}

}  // namespace warpsim
