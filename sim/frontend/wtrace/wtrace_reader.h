// Reads the native trace format (docs/trace-format.md): the commands in program order, each kernel with random access
// to its thread blocks. Memory is bounded by the groups of blocks that are being read, never by the file. Nothing in
// the file is trusted: every frame is checked against its xxHash64, every count against the related counts and
// against the existing bytes, before anything is allocated or indexed by it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/launch/instruction_source.h"
#include "frontend/workload/block_trace.h"

namespace warpsim {

// True if the file begins with the magic of a .wtrace. False for files that cannot be read.
bool is_wtrace(const std::string& path);

// Opens a .wtrace. Throws TraceError, with file, place and what was expected there; so do the returned
// source and its kernels, which may outlive it. `infer_asynchronous`: see WorkloadOptions.
std::unique_ptr<CommandSource> open_wtrace(const std::string& path, bool infer_asynchronous = false);

struct WtraceKernel {
  KernelLaunch launch;
  std::unique_ptr<BlockReader> blocks;
};

// One kernel of a .wtrace, found through the index: only its function and the groups requested are read.
WtraceKernel open_wtrace_kernel(const std::string& path, std::uint32_t launch_index);

}  // namespace warpsim
