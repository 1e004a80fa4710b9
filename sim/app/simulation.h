// Runs one workload on a GPU of its own, launch by launch, and passes every finished launch to a sink.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/launch_selection.h"
#include "app/timeline_options.h"
#include "core/gpu.h"
#include "core/gpu_config.h"
#include "frontend/workload.h"
#include "stats/detail_options.h"
#include "stats/results_writer.h"

namespace warpsim {

struct SimulationOptions {
  GpuOptions gpu;
  DetailOptions details;
  TimelineOptions timeline;
  bool strict = false;
};

struct SimulationHooks {
  std::function<void(const LaunchRecord&, const StatGroup&, const LaunchDetails&)> launch_done;
  std::function<void(std::uint32_t launch_index, const LaunchProgress&)> progress;
  std::function<bool()> cancelled;  // asked before each launch
};

struct SimulationResult {
  RunStatus status = RunStatus::kIncomplete;  // incomplete: cancelled
  std::vector<std::string> notes;
};

// Stops at the first launch that reaches the cycle limit: what would follow depends on its end. Throws TraceError,
// ConfigError; UsageError if the selection names launches that the trace does not have.
// Code of another architecture than the GPU's is lowered to what that has (frontend/lowered_kernel.h); if `options` are
// strict, what it lacks is an error.
SimulationResult simulate(Workload& workload, const GpuConfig& config, const SimulationOptions& options,
                          const LaunchSelection& selection, const SimulationHooks& hooks);

}  // namespace warpsim
