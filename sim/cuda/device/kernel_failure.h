// Failures of kernels as the device reports them.
#pragma once

#include "cuda/device/device.h"
#include "emulator/execution/fault.h"

namespace warpsim::cuda {

Failure failure_of(FaultKind kind);

}  // namespace warpsim::cuda
