// Coalescing of compute capability 1.x, whose memory transactions of 32, 64 or 128 bytes serve half a warp each.
//
// Modelled: 1.0 and 1.1, where the k-th lane must access the k-th word of an aligned segment, otherwise each lane has a
// transaction of its own; 1.2 and 1.3, where lanes share segments in any order and a segment shrinks to the used part.
// Addresses are truncated to multiples of the access width, as on hardware. Evidence: CUDA C programming guide 4.2,
// F.3.2.1 and F.3.2.2. Invariant: each line of the result is one transaction; its sectors are what it moves.
#pragma once

#include "memory/access/coalescer.h"

namespace warpsim {

// 1.0 and 1.1.
void coalesce_strict(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, AccessNeeds needs,
                     CoalescedAccess& out);
// 1.2 and 1.3.
void coalesce_segments(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, AccessNeeds needs,
                       CoalescedAccess& out);

}  // namespace warpsim
