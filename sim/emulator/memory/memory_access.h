// Translates the addresses of a warp's lanes to host bytes, with the checks of a sanitizer: inside an allocation,
// aligned, and (shared memory) initialised.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/execution/warp_context.h"
#include "emulator/operations/operation.h"

namespace warpsim {

enum class AccessKind : std::uint8_t { kRead, kWrite, kUpdate };

struct LanePointers {
  std::array<std::byte*, kWarpSize> lane;  // of active lanes
};

// The addresses of an operation's lanes as the program computes them: operand a plus the offset, in the operation's
// space.
void lane_addresses(const WarpContext& warp, const Operation& operation, LaneMask lanes, LaneValues& addresses);

// For OperationBuilder::second_address(); `list` is its result.
void second_addresses(const WarpContext& warp, std::uint32_t list, LaneMask lanes, LaneValues& addresses);

// `bytes`: of the whole access of a lane, which is also its alignment. Throws KernelFault.
LanePointers resolve(WarpContext& warp, const Operation& operation, LaneMask lanes, std::uint32_t bytes,
                     AccessKind kind);
// The same for addresses of the caller.
LanePointers resolve(WarpContext& warp, const Operation& operation, const LaneValues& addresses, LaneMask lanes,
                     std::uint32_t bytes, AccessKind kind);

// Any number of contiguous bytes that a lane accesses; they must be in one allocation.
struct ByteRange {
  Address address = 0;
  std::uint32_t bytes = 0;
  AccessKind kind = AccessKind::kRead;
};
// Addresses of shared memory are those of .shared::cluster. Throw KernelFault; the operation and lane are for messages.
std::byte* shared_range(WarpContext& warp, const Operation& operation, std::uint32_t lane, const ByteRange& range);
std::byte* global_range(WarpContext& warp, const Operation& operation, std::uint32_t lane, const ByteRange& range);

}  // namespace warpsim
