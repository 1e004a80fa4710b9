// The limits of a device that programs set (cudaDeviceSetLimit) and their initial values.
#pragma once

#include <array>
#include <cstddef>

namespace warpsim::cuda {

enum DeviceLimit : int {
  kStackLimit = 0,
  kPrintfLimit = 1,
  kHeapLimit = 2,
  kSyncDepthLimit = 3,      // levels of grids whose kernels may wait for launches
  kPendingLaunchLimit = 4,  // launches from kernels that are not complete
  kPersistingL2Limit = 6,   // bytes of L2 for persisting lines
  kLastLimit = 6,           // that programs set
  kSharedBytesLimit = 7,    // of a block in a context that graphics and CUDA share; can only be read, like the next one
  kSharesGraphicsLimit = 8,
  kGraphicsFallbackLimit = 9,
};

// Source: observed on an H100 with driver 580. Those of other GPUs are assumed to be the same. The FIFO of printf has
// this size for each SM; the depth is 2 where kernels can wait for launches (CUDA programming guide 12, 9.3.1).
inline constexpr std::size_t kPrintfBytesPerSm = 64U << 10U;
inline constexpr std::array<std::size_t, kLastLimit + 1> kFirstLimits = {1024, 0, 8U << 20, 2, 2048, 64, 0};

}  // namespace warpsim::cuda
