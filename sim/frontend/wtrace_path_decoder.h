// The paths of one group of the native trace format, expanded once and copied for every warp that runs them. What
// differs between warps on one path (masks of guarded instructions, addresses) is listed as patches.
#pragma once

#include <cstdint>
#include <vector>

#include "core/instruction_source.h"
#include "frontend/wtrace_stream.h"
#include "wtrace.pb.h"

namespace warpsim::wtrace {

// What must be filled in at one instruction of a path, in the order in which the group's streams hold it.
struct Patch {
  enum class Kind : std::uint8_t { kMask, kMaskAgain, kAddresses };
  std::uint32_t position = 0;  // in the path
  Kind kind = Kind::kMask;
  std::uint32_t column = 0;  // of mask_columns or address_columns
};

struct WarpPath {
  std::vector<WarpInstruction> instructions;
  std::vector<Patch> patches;
};

// Path 0 is the empty one. Throws StreamError.
std::vector<WarpPath> decode_paths(const trace::Group& group, std::uint32_t program_size);

}  // namespace warpsim::wtrace
