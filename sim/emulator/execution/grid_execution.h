// Executes a launch without timing: as many blocks at once as the device holds, in turn, so that blocks that wait for
// each other make progress. The order is fixed, so results are reproducible.
#pragma once

#include <cstdint>

#include "emulator/execution/launch_context.h"

namespace warpsim {

struct GridExecutionOptions {
  std::uint32_t resident_blocks = 1;  // at once on the device
  std::uint32_t local_bytes = 0;      // per thread: stack and local variables
};

struct ExecutedWork {
  std::uint64_t warp_operations = 0;
  std::uint64_t thread_operations = 0;
};

// Throws KernelFault.
ExecutedWork execute_grid(const LaunchContext& launch, const GridExecutionOptions& options);

}  // namespace warpsim
