// Takes the whole record of a thread block out of a kernel source that knows the future of its warps: a trace.
#pragma once

#include <cstdint>

#include "core/instruction_source.h"
#include "frontend/block_trace.h"

namespace warpsim {

// Starts block `linear_index` of `kernel` and fills `out` with all that it executes.
void copy_block(KernelSource& kernel, std::uint64_t linear_index, BlockTrace& out);

}  // namespace warpsim
