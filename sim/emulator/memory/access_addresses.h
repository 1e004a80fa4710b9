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

// One of the accesses that a machine needs for an operation, all equal and in order.
struct AccessPart {
  std::uint32_t number = 0;
  std::uint32_t of = 1;
  bool by_rows = false;  // of a matrix: each lane addresses 16 bytes next to each other, as LDSM does
};

// For an operation with `addresses`, before it is executed. Matrices that memory holds are distributed over lanes as
// hardware does it (PTX ISA, fragments of mma; wmma leaves it open): groups of four lanes hold neighbouring elements.
void find_access_addresses(const WarpContext& warp, const Operation& operation, LaneMask lanes, const AccessPart& part,
                           AccessAddresses& access);

}  // namespace warpsim
