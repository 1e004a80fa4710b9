// A warp whose block has left the SM: where it is in its program, and what it waits for.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "core/launch/instruction_source.h"

namespace warpsim {

struct SuspendedWarp {
  static constexpr std::uint32_t kNoBarrier = ~std::uint32_t{0};

  WarpStream stream;
  std::uint32_t behind = 0;            // the latest instruction, if the source does not know the next one
  std::uint32_t barrier = kNoBarrier;  // at which it waits; none: for grids that its block has launched
  LaneMask active_lanes = 0;           // these as in ResidentWarp
  bool suspended = false;
  bool at_barrier = false;
};

}  // namespace warpsim
