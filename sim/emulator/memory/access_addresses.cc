#include "emulator/memory/access_addresses.h"

#include "emulator/code/function_code.h"
#include "emulator/memory/memory_access.h"

namespace warpsim {

void add_fragment_offsets(const WarpContext& warp, const Operation& operation, std::uint32_t reg, std::uint32_t element,
                          LaneValues& addresses) {
  const Fragment& fragment = warp.product(operation.target).d;
  const std::uint32_t bits = bits_of(fragment.type);
  const auto* const strides = warp.read<std::uint32_t>(operation.b);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint32_t index = fragment.place(lane, reg, element);
    const std::uint32_t row = index / fragment.columns;
    const std::uint32_t column = index % fragment.columns;
    const std::uint64_t stride = strides[lane];
    const std::uint64_t offset = operation.variant != 0 ? column * stride + row : row * stride + column;
    addresses[lane] += offset * bits / 8;
  }
}

void find_access_addresses(const WarpContext& warp, const Operation& operation, LaneMask lanes, std::uint32_t part,
                           std::uint32_t parts, AccessAddresses& access) {
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
    const std::uint32_t registers = warp.product(operation.target).d.registers;
    add_fragment_offsets(warp, operation, part * registers / parts, 0, access.lane);
  } else if (part != 0) {
    const Address behind = Address{operation.bytes} * operation.count * part / parts;
    for_lanes(lanes, [&](std::uint32_t lane) { access.lane[lane] += behind; });
  }
}

}  // namespace warpsim
