// The record of a launch in the results database, collected from the launch, its result and the GPU.
#pragma once

#include "core/gpu/gpu_config.h"
#include "core/launch/instruction_source.h"
#include "core/machine/machine.h"
#include "stats/results_writer.h"

namespace warpsim {

LaunchRecord make_launch_record(const KernelLaunch& launch, const LaunchResult& result, const GpuConfig& config);

}  // namespace warpsim
