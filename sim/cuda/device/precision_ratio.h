// The attribute that runtimes before 13 require of a device.
#pragma once

#include "core/gpu/gpu_config.h"

namespace warpsim::cuda {

// Multiply-adds of single precision in the time of one of double precision, rounded; 0 without double precision.
int precision_ratio(const GpuConfig& gpu);

}  // namespace warpsim::cuda
