// Determines whether the shared memory that a trace states for a block includes the driver's reserve.
//
// Hardware: from compute capability 9.0 on, the lowest 1024 bytes of a block's shared window belong to the driver and
// the block's own data begins after them. Tracers state the driver's value; for code of older compilers that is
// only the block's own bytes, for code of newer ones (nvcc 13 for sm_90, static shared memory) they are 1024 more.
// Rule: own data of S bytes lies in [1024, 1024 + S). An access that ends above the stated number proves that the
// reserve is not in it; if all accesses lie in [1024, stated), it is.
// Evidence: of 70 recorded H200 launches with known sizes, 27 use shared memory; all begin at 1024, 24 state 1024 too
// much, and the three of other compilers (16 + 2048, 24 and 231868 bytes) end at stated + 1024.
// Wrong by 1024 bytes if the reserve is not included and the first blocks of the file leave the last 1024 bytes of
// their memory unused, or if it is included and they access none of it (bulk copies, for example, are recorded without
// addresses of shared memory). Below capability 9.0 the layout is not known, so nothing is subtracted.
// A header line `-shmem reserve = N` states it explicitly; the text writer writes that line.
#pragma once

#include <cstdint>
#include <string>

#include "base/types.h"
#include "frontend/accelsim/accelsim_header.h"

namespace warpsim {

// The range of shared memory that a block accesses: byte offsets in the window.
struct SharedExtent {
  Address begin = UINT64_MAX;
  Address end = 0;

  bool empty() const { return end == 0; }
  void add(Address address, std::uint32_t bytes);
};

// Bytes of `stated` that belong to the driver: 1024 or 0.
std::uint32_t shared_reserve(std::uint32_t stated, const SharedExtent& extent);

// As above for an Accel-Sim kernel file, from its first blocks (at most four). A malformed block
// ends the search: it is reported when the blocks are read.
std::uint32_t find_shared_reserve(const std::string& path, const AccelsimHeader& header);

}  // namespace warpsim
