// The data from which special registers of a block follow.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "core/launch/instruction_source.h"

namespace warpsim {

struct BlockIdentity {
  Dim3 block;  // dimensions
  Dim3 grid;
  Dim3 index;
  std::uint32_t cluster_rank = 0;
  std::uint64_t linear_index = 0;
};

BlockIdentity identity_of(const KernelLaunch& launch, std::uint64_t linear_index);

}  // namespace warpsim
