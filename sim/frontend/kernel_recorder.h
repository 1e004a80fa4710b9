// Records what a kernel executes that executes at issue (ptx_kernel.h), without time, as a native trace.
//
// As many blocks at once as the GPU holds, each for a while in turn, warp by warp, so that those who wait for each
// other make progress; a further block only when those before it still work. The order is fixed, so a trace is the same
// every time. Memory is bounded by the blocks at work and those that have overtaken them.
#pragma once

#include <cstdint>
#include <functional>

#include "core/instruction_source.h"
#include "frontend/wtrace_writer.h"

namespace warpsim {

// Throws KernelFault, of the kernel or of kind kDeadlock, and TraceError. The trace then lacks the kernel's end and
// cannot be finished.
// `turned` is called when every block at work has had its turn, with whether any warp has gone on; it may throw, too.
using RecordingTurn = std::function<void(bool any_went_on)>;
void record_kernel(KernelSource& kernel, std::uint32_t resident_blocks, WtraceWriter& writer,
                   const RecordingTurn& turned = {});

}  // namespace warpsim
