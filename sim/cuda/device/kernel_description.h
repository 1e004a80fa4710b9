// What CUDA's calls tell of a kernel.
#pragma once

#include "codegen/machine_code.h"
#include "core/blocks/occupancy.h"
#include "cuda/device/device.h"
#include "emulator/code/kernel_image.h"

namespace warpsim::cuda {

// `module`: as it was loaded. `limits`: of the GPU that runs it.
KernelInfo describe_kernel(const ptx::Module& module, const KernelImage& image, const MachineCode& code,
                           const OccupancyConfig& limits);

}  // namespace warpsim::cuda
