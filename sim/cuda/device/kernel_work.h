// A launch with all data for its execution at issue.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "codegen/machine_code.h"
#include "emulator/execution/launch_context.h"
#include "frontend/ptx/ptx_kernel.h"

namespace warpsim::cuda {

struct KernelWork {
  LaunchContext context;
  const MachineCode* code = nullptr;
  std::uint32_t local_bytes = 0;  // of a thread
  std::string kernel;
  std::uint32_t gpu = 0;
  std::uint64_t stream = 0;
  AccessWindow window = {};
};

// `accesses_in_flight`: see PtxKernelOptions.
inline std::unique_ptr<PtxKernel> make_ptx_kernel(const KernelWork& work, std::uint32_t launch_index,
                                                  std::uint32_t accesses_in_flight) {
  KernelLaunch launch;
  launch.launch_index = launch_index;
  launch.kernel = work.kernel;
  launch.gpu = work.gpu;
  launch.stream = work.stream;
  launch.window = work.window;
  return std::make_unique<PtxKernel>(
      work.context, *work.code,
      PtxKernelOptions{.local_bytes = work.local_bytes, .accesses_in_flight = accesses_in_flight}, std::move(launch));
}

}  // namespace warpsim::cuda
