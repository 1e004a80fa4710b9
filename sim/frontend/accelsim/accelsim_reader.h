// Reads one kernel file of the Accel-Sim SASS trace format, tracer versions 1 to 5.
//
// The file is streamed: blocks are parsed when they are requested, in increasing linear index; blocks that are in the
// file before their turn wait in an unlinked temporary file, so memory is bounded by one block for any
// file size and order. Everything read is validated; an error is a TraceError `<file>:<line>: what; expected what`.
// Not supported: version 6 (text and .tracez), which is refused by name.
#pragma once

#include <memory>
#include <string>

#include "core/launch/instruction_source.h"
#include "frontend/workload/block_trace.h"

namespace warpsim {

struct AccelsimKernel {
  KernelLaunch launch;  // launch_index is left 0; `program` is complete
  std::unique_ptr<BlockReader> blocks;
  std::string listing;  // source file of the static program; empty: the trace itself
};

// `sass_file`: a listing to search for the kernel, or empty: the listings in the folder of `path` are searched. Without
// a listing with the kernel, the static program is collected from the trace itself, in a pass of its own.
AccelsimKernel open_accelsim_kernel(const std::string& path, const std::string& sass_file);

}  // namespace warpsim
