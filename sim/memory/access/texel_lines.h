// From the addresses of a texture or surface instruction to the lines that its SM looks up, and to the passes that its
// requests take in the texture units.
//
// Modelled: groups of lanes whose sectors are read together; sectors of one bank, which a group reads one after
// another; texels of linear memory, whose words pass the banks of L1 like those of loads; stores, whose sectors leave
// one after another. Evidence: tests/hardware/textures, tests/hardware/texture_traffic. Rules for coordinates without
// any order hold within a quarter.
#pragma once

#include <cstdint>

#include "base/lane_addresses.h"
#include "base/types.h"
#include "memory/access/coalescer.h"

namespace warpsim {

struct TexelDemand {
  std::uint32_t requests = 0;
  std::uint32_t sectors = 0;  // of each request
  std::uint32_t passes = 0;
};

// Of addresses of the kind kTexels. `active`: lanes that execute the instruction.
TexelDemand texel_demand(const LaneAddresses& addresses, LaneMask active, bool stores);

// The lines of the list from address `first` on, as many as fit. Returns the number of the first address that they do
// not contain: its length if there is none.
std::uint32_t texel_lines(const LaneAddresses& addresses, std::uint32_t first, AccessNeeds needs, CoalescedAccess& out);

}  // namespace warpsim
