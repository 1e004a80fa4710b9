// Whether a GPU allows a launch: the sizes of its grid, blocks and clusters, and what a block needs.
#pragma once

#include <cstdint>

#include "core/gpu/gpu_config.h"
#include "cuda/device/device.h"

namespace warpsim::cuda {

// `sms`: of the GPU. Sets the number of blocks that are resident at once if the launch is allowed, or too large only as
// a cooperative one.
Outcome check_shape(const GpuConfig& config, std::uint32_t sms, const KernelInfo& kernel, const Launch& launch,
                    std::uint32_t& resident_blocks);

}  // namespace warpsim::cuda
