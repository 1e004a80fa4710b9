#include "frontend/ptx/block_accesses.h"

#include <array>

#include "emulator/memory/generic_address.h"
#include "emulator/memory/shared_place.h"
#include "emulator/textures/texture_access.h"

namespace warpsim {

namespace {

constexpr Address kSharedOffsets = (Address{1} << kSharedOffsetBits) - 1;

}  // namespace

// From the emulator's address spaces to the machine's (address_windows.h), whose windows have the emulator's addresses:
// there is a window of shared memory for each block of the cluster.
Address BlockAccesses::translated(const WarpContext& context, const Operation& operation, std::uint32_t lane,
                                  MemorySpace to) const {
  const ptx::StateSpace from = access_.space;
  const Address address = access_.lane[lane];
  const bool shared =
      from == ptx::StateSpace::kShared || (from == ptx::StateSpace::kGeneric && is_in(kSharedWindow, address));
  if (shared && to == MemorySpace::kShared) {
    return address & kSharedOffsets;
  }
  if (shared && to == MemorySpace::kGeneric) {
    const SharedPlace place = shared_place(context, operation, address);
    return kSharedWindow + (Address{place.rank} << kSharedOffsetBits) + place.offset;
  }
  const Address window = from == ptx::StateSpace::kLocal ? kLocalWindow : 0;
  return to == MemorySpace::kConstant ? code_.constants().offset_of(from, address) : window + address;
}

bool BlockAccesses::add(const WarpContext& context, const Operation& operation, LaneMask lanes,
                        const PtxCode::Access& part, WarpInstruction& instruction) {
  if (of_texels(operation.addresses)) {
    return add_texels(context, operation, lanes, part, instruction);
  }
  find_access_addresses(context, operation, lanes, {part.part, part.parts, part.by_rows}, access_);
  instruction.active = access_.lanes;
  if (access_.lanes == 0) {
    return false;
  }
  std::uint32_t count = 0;
  std::array<Address, kWarpSize> found;
  for_lanes(access_.lanes,
            [&](std::uint32_t lane) { found[count++] = translated(context, operation, lane, part.space); });
  instruction.addresses = slots_.add(context.index, found, count);
  return true;
}

// The first of several instructions for one operation fetches its texels.
bool BlockAccesses::add_texels(const WarpContext& context, const Operation& operation, LaneMask lanes,
                               const PtxCode::Access& part, WarpInstruction& instruction) {
  if (part.part != 0) {
    return false;
  }
  find_texels(context, operation, lanes, texels_);
  const TexelAccess access = texels_.access();
  if (access.count != 0) {
    instruction.addresses = slots_.add_texels(context.index, access, texels_.addresses());
  }
  return access.count != 0;
}

}  // namespace warpsim
