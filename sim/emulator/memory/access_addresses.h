// The addresses that an operation will access, for machines that time accesses: resolved as in memory_access.h, without
// checks.
#pragma once

#include <cstdint>

#include "emulator/execution/warp_context.h"
#include "emulator/operations/operation.h"

namespace warpsim {

struct AccessAddresses {
  ptx::StateSpace space = ptx::StateSpace::kGeneric;  // of the addresses
  LaneMask lanes = 0;                                 // that access memory
  LaneValues lane;                                    // of those lanes
};

// For an operation with `addresses`, before it is executed. A machine may need several accesses
// for it: `part` of `parts` equal ones, in order.
void find_access_addresses(const WarpContext& warp, const Operation& operation, LaneMask lanes, std::uint32_t part,
                           std::uint32_t parts, AccessAddresses& access);

// Adds to each lane's address of a matrix the offset of one element that the lane holds.
void add_fragment_offsets(const WarpContext& warp, const Operation& operation, std::uint32_t reg, std::uint32_t element,
                          LaneValues& addresses);

}  // namespace warpsim
