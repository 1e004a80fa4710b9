// Copies and fills that kernels request (cudaMemcpyAsync, cudaMemsetAsync in kernels).
#pragma once

#include "emulator/execution/device_launches.h"
#include "emulator/memory/device_memory.h"

namespace warpsim::cuda {

// Throws KernelFault for a row that is not in one allocation.
void run_transfer(const DeviceTransfer& transfer, const DeviceMemory& memory);

}  // namespace warpsim::cuda
