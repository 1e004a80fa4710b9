// Which block of a cluster an address in shared memory means, and where in its memory.
//
// PTX: the rank plus one is above the offset; addresses of the own block have none. Machine code: each address in
// generic or cluster-wide form has its rank above the offset, also the block's own; an access to .shared::cta means the
// own block.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "emulator/code/function_code.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/block_memory.h"
#include "emulator/memory/generic_address.h"
#include "emulator/operations/operation.h"

namespace warpsim {

struct SharedPlace {
  std::uint32_t offset = 0;
  std::uint32_t rank = 0;  // may be beyond the cluster
  bool own = true;
};

// `address`: in the window of shared memory.
inline SharedPlace shared_place(const WarpContext& warp, const Operation& operation, Address address) {
  constexpr std::uint32_t kOffsets = (1U << kSharedOffsetBits) - 1;
  const auto word = static_cast<std::uint32_t>(address);
  const std::uint32_t stated = word >> kSharedOffsetBits;
  const std::uint32_t own = warp.block->rank_in_cluster;
  std::uint32_t rank = own;
  if (!warp.code->has_convergence_barriers) {
    rank = stated == 0 ? own : stated - 1;
  } else if ((operation.space == ptx::StateSpace::kGeneric || operation.in_cluster) && !warp.block->cluster.empty()) {
    rank = stated;
  }
  return {word & kOffsets, rank, rank == own};
}

// The address of the same location in the shared memory of the block with this rank in the cluster.
inline Address in_block_of_rank(const WarpContext& warp, Address address, std::uint32_t rank) {
  constexpr Address kOffsets = (Address{1} << kSharedOffsetBits) - 1;
  const std::uint32_t stated = warp.code->has_convergence_barriers ? rank : rank + 1;
  return (address & kOffsets) | Address{stated} << kSharedOffsetBits;
}

}  // namespace warpsim
