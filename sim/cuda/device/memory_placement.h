// Where a simulated device has its memory and the allocations in it.
#pragma once

#include "base/round_up.h"
#include "cuda/device/device.h"
#include "emulator/memory/device_memory.h"

namespace warpsim::cuda {

// Cycles depend on addresses, which are the driver's if launches are timed or recorded. Checks find more with gaps
// between allocations; what hardware tolerates beside them depends on the driver's.
inline DeviceMemory::Placement memory_placement(const DeviceOptions& options) {
  const bool checked = (options.functional_only && !options.tolerant) || options.checks.races;
  return checked && options.memory_at == 0 ? DeviceMemory::Placement::kWithGaps : DeviceMemory::Placement::kAsDriver;
}

// The first segment is the process's own, but for its last block.
inline Address memory_begin(const DeviceOptions& options) {
  constexpr std::uint64_t kSegment = DriverPlacement::kSegment;
  return options.memory_at == 0 ? DeviceMemory::kUsualBegin : round_up(options.memory_at, kSegment) - kSegment;
}

}  // namespace warpsim::cuda
