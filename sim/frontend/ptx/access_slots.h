// The addresses of a block's accesses that are on their way through the machine, in slots that each warp uses in
// rotation.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/lane_addresses.h"
#include "base/types.h"

namespace warpsim {

class AccessSlots {
 public:
  // A slot is used again after `per_warp` further accesses of its warp.
  AccessSlots(std::uint32_t warps, std::uint32_t per_warp);

  // Addresses of the lanes of an access, at least one, in order of the lanes. Returns the slot.
  std::uint32_t add(std::uint32_t warp, const std::array<Address, kWarpSize>& addresses, std::uint32_t count);
  // The same of a texture or surface instruction, at least one address.
  std::uint32_t add_texels(std::uint32_t warp, const TexelAccess& access, const Address* addresses);
  const LaneAddresses& at(std::uint32_t slot) const { return slots_[slot]; }

 private:
  std::uint32_t take(std::uint32_t warp);

  std::uint32_t per_warp_;
  std::vector<std::uint32_t> next_;  // by warp
  std::vector<LaneAddresses> slots_;
  std::unique_ptr<Address[]> lists_;          // of each slot; most are never touched
  std::vector<std::vector<Address>> texels_;  // of each slot; empty: no instruction of the block had texels
};

}  // namespace warpsim
