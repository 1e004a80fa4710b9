// The most usual accesses of a whole warp: its lanes access elements that follow each other in order, or all of them
// the same one, in an allocation of global memory that it used lately or in its block's own shared memory. They need
// one comparison of the addresses and one test of the bounds; all others are left to UsualAccess (usual_access.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/code/function_code.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/block_memory.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/generic_address.h"
#include "emulator/memory/memory_access.h"
#include "emulator/memory/usual_access.h"
#include "emulator/operations/operation.h"

namespace warpsim {

class LineAccess {
 public:
  // `bytes`: of the whole access of a lane, which is also its alignment. False: it is no such access, and nothing has
  // changed. Writes to one element by all lanes are none.
  bool find(WarpContext& warp, const Operation& operation, LaneMask lanes, std::uint32_t bytes, AccessKind kind) {
    if (lanes != kAllLanes || !UsualAccess::may_be_usual(warp, operation)) {
      return false;
    }
    const bool is_line = operation.address_bits == 32   ? is_line_of<std::uint32_t>(warp, operation, bytes)
                         : operation.a_high != kNoPlace ? is_line_of_pairs(warp, operation, bytes)
                                                        : is_line_of<std::uint64_t>(warp, operation, bytes);
    if (!is_line || (address_ & (bytes - 1)) != 0 || (stride_ == 0 && kind != AccessKind::kRead)) {
      return false;
    }
    return operation.space == ptx::StateSpace::kShared ? find_shared(warp, operation, bytes, kind)
                                                       : find_global(warp, bytes);
  }

  // The host's bytes of the first lane's element. Those of the other lanes follow it, or are the same.
  std::byte* begin() const { return begin_; }
  bool is_one() const { return stride_ == 0; }

 private:
  // Whether the values of all lanes are first + lane * stride; the stride, `bytes` or 0, follows from two of them.
  template <class Word>
  bool has_steps(const LaneWord<Word>* values, std::uint32_t bytes) {
    const Word first = values[0];
    const auto stride = static_cast<Word>(values[1] - first);
    if (stride != 0 && stride != bytes) {
      return false;
    }
    Word differences = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      differences |= static_cast<Word>(values[lane] ^ static_cast<Word>(first + static_cast<Word>(lane) * stride));
    }
    stride_ = static_cast<std::uint32_t>(stride);
    return differences == 0;
  }

  template <class Word>
  bool is_line_of(const WarpContext& warp, const Operation& operation, std::uint32_t bytes) {
    const auto* const base = warp.read<Word>(operation.a);
    address_ = static_cast<Word>(base[0] + static_cast<Word>(operation.offset));
    return has_steps<Word>(base, bytes);
  }

  bool is_line_of_pairs(const WarpContext& warp, const Operation& operation, std::uint32_t bytes) {
    const auto* const low = warp.read<std::uint32_t>(operation.a);
    const auto* const high = warp.read<std::uint32_t>(operation.a_high);
    std::uint32_t differences = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      differences |= high[lane] ^ high[0];
    }
    address_ = (Address{high[0]} << 32U | low[0]) + static_cast<Address>(operation.offset);
    // Low halves that pass 2^32 within the line would need another high half.
    return differences == 0 && has_steps<std::uint32_t>(low, bytes) && low[kWarpSize - 1] >= low[0];
  }

  std::uint64_t last() const { return std::uint64_t{kWarpSize - 1} * stride_; }  // distance of the last lane's element

  // Allocations and the windows of other memory in the generic space do not overlap.
  bool find_global(const WarpContext& warp, std::uint32_t bytes) {
    const RecentAllocation* const recent = warp.recent.find(address_, warp.launch->memory->generation());
    if (recent == nullptr || recent->bytes - (address_ - recent->begin) < last() + bytes) {
      return false;
    }
    begin_ = recent->host + (address_ - recent->begin);
    return true;
  }

  bool find_shared(const WarpContext& warp, const Operation& operation, std::uint32_t bytes, AccessKind kind) {
    BlockMemory& block = *warp.block;
    const bool is_machine_code = warp.code->has_convergence_barriers;
    if (is_machine_code ? operation.in_cluster && !block.cluster.empty() : address_ >> kSharedOffsetBits != 0) {
      return false;
    }
    constexpr std::uint32_t kOffsets = (std::uint32_t{1} << kSharedOffsetBits) - 1;
    const std::uint32_t offset = static_cast<std::uint32_t>(address_) & kOffsets;
    const auto whole = static_cast<std::uint32_t>(last()) + bytes;
    if (whole > block.shared_bytes() || offset > block.shared_bytes() - whole) {
      return false;
    }
    begin_ = block.shared(offset);
    if (kind == AccessKind::kRead) {
      return block.is_written(offset, whole);
    }
    block.mark_written(offset, whole);
    return true;
  }

  Address address_ = 0;  // the first lane's
  std::uint32_t stride_ = 0;
  std::byte* begin_ = nullptr;
};

}  // namespace warpsim
