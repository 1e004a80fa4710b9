// Records the instructions of a kernel that executes at issue (ptx_kernel.h), without timing, as a native trace.
//
// It runs as many blocks at once as the GPU holds, in turn, warp by warp, so that blocks that wait for each other make
// progress; another block starts only while earlier ones still run. The order is fixed, so traces are reproducible.
// Memory is bounded by the running blocks and those that have overtaken them.
#pragma once

#include <cstdint>
#include <functional>

#include "core/launch/instruction_source.h"
#include "frontend/wtrace/wtrace_writer.h"

namespace warpsim {

// Throws KernelFault, from the kernel or of kind kDeadlock, and TraceError. The trace then lacks the kernel's end and
// cannot be finished.
// `turned` is called after each round over the running blocks, with whether any warp continued; it may also throw.
using RecordingTurn = std::function<void(bool any_went_on)>;
void record_kernel(KernelSource& kernel, std::uint32_t resident_blocks, WtraceWriter& writer,
                   const RecordingTurn& turned = {});

}  // namespace warpsim
