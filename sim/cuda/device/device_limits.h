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
  kLastLimit = 6,
};

inline constexpr std::array<std::size_t, kLastLimit + 1> kFirstLimits = {1024, 1U << 20, 8U << 20, 2, 2048, 128, 0};

}  // namespace warpsim::cuda
