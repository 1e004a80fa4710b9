// Copies the complete record of a thread block from a kernel source that knows all instructions of its warps: a trace.
#pragma once

#include <cstdint>

#include "core/launch/instruction_source.h"
#include "frontend/workload/block_trace.h"

namespace warpsim {

// The addresses of an instruction with these active lanes, as an entry of `to`.
std::uint32_t copy_addresses(const LaneAddresses& from, LaneMask active, AddressPool& to);

// Starts block `linear_index` of `kernel` and fills `out` with everything that it executes.
void copy_block(KernelSource& kernel, std::uint64_t linear_index, BlockTrace& out);

}  // namespace warpsim
