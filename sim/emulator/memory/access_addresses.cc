#include "emulator/memory/access_addresses.h"

#include <algorithm>

#include "emulator/code/function_code.h"
#include "emulator/memory/memory_access.h"

namespace warpsim {

namespace {

// Of elements in memory: which run of neighbouring ones, and which of them.
struct ElementPlace {
  std::uint32_t run = 0;
  std::uint32_t element = 0;
};

ElementPlace place_in_memory(const AccessPart& part, std::uint32_t lane, std::uint32_t runs, std::uint32_t at_once) {
  constexpr std::uint32_t kGroup = 4;  // lanes that access one run together
  constexpr std::uint32_t kGroups = kWarpSize / kGroup;
  if (part.by_rows) {
    const std::uint32_t piece = part.number * kWarpSize + lane;
    return {piece % runs, piece / runs * at_once};
  }
  const std::uint32_t blocks = std::max(1U, runs / kGroups);
  return {(lane / kGroup + kGroups * (part.number % blocks)) % runs,
          at_once * (lane % kGroup + kGroup * (part.number / blocks))};
}

void add_part_offsets(const WarpContext& warp, const Operation& operation, const AccessPart& part,
                      LaneValues& addresses) {
  constexpr std::uint32_t kRowBits = 128;
  const Fragment& fragment = warp.product(operation.target).d;
  const std::uint32_t bits = bits_of(fragment.type);
  const std::uint32_t runs = operation.variant != 0 ? fragment.columns : fragment.rows;
  const std::uint32_t length = fragment.rows * fragment.columns / runs;
  const std::uint32_t at_once =
      part.by_rows ? kRowBits / bits : std::max(1U, fragment.rows * fragment.columns / (kWarpSize * part.of));
  const auto* const strides = warp.read<std::uint32_t>(operation.b);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const ElementPlace place = place_in_memory(part, lane, runs, at_once);
    addresses[lane] += (std::uint64_t{place.run} * strides[lane] + place.element % length) * bits / 8;
  }
}

}  // namespace

void find_access_addresses(const WarpContext& warp, const Operation& operation, LaneMask lanes, const AccessPart& part,
                           AccessAddresses& access) {
  access.space = operation.space;
  access.lanes = lanes;
  if (operation.addresses == AddressForm::kCopySource) {
    access.space = ptx::StateSpace::kGlobal;
    if (operation.p != kNoPlace) {
      access.lanes &= ~warp.predicate(operation.p);
    }
    if (operation.b != kNoPlace) {
      const auto* const bytes = warp.read<std::uint32_t>(operation.b);
      for_lanes(lanes, [&](std::uint32_t lane) {
        if (bytes[lane] == 0) {
          access.lanes &= ~(LaneMask{1} << lane);
        }
      });
    }
    second_addresses(warp, operation.target, lanes, access.lane);
    return;
  }
  lane_addresses(warp, operation, lanes, access.lane);
  if (operation.addresses == AddressForm::kFragment) {
    add_part_offsets(warp, operation, part, access.lane);
  } else if (part.number != 0) {
    const Address behind = Address{operation.bytes} * operation.count * part.number / part.of;
    for_lanes(lanes, [&](std::uint32_t lane) { access.lane[lane] += behind; });
  }
}

}  // namespace warpsim
