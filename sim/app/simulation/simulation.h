// Runs one workload on a GPU of its own, launch by launch, and passes every finished launch to a sink.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/options/launch_selection.h"
#include "app/options/timeline_options.h"
#include "core/gpu/gpu_config.h"
#include "core/machine/machine.h"
#include "frontend/workload/workload.h"
#include "stats/detail_options.h"
#include "stats/results_writer.h"

namespace warpsim {

struct SimulationOptions {
  MachineOptions gpu;
  DetailOptions details;
  TimelineOptions timeline;
  bool strict = false;
  bool recorded_streams = false;  // launches run beside each other as their streams allow; else one after another
  std::vector<StoredLaunch> stored = {};  // by an earlier process, in order of the launches
};

struct SimulationHooks {
  std::function<void(const LaunchRecord&, const StatGroup&, const LaunchDetails&)> launch_done;
  std::function<void(std::uint32_t launch_index, const LaunchProgress&)> progress;
  std::function<bool()> cancelled;  // called before each launch
  // After each sample of a time series, with all counters as of `cycle` of the launch; `last`: at its end. May be
  // empty. Not called for launches that run beside each other.
  std::function<void(const KernelLaunch&, Cycle cycle, bool last, const StatGroup&)> sampled = {};
};

struct SimulationResult {
  RunStatus status = RunStatus::kIncomplete;  // incomplete: cancelled
  std::vector<std::string> notes;
  std::vector<WorkRecord> works;  // if launches run beside each other
};

// Stops at the first launch that reaches the cycle limit: later launches depend on its end. Throws TraceError,
// ConfigError; UsageError if the selection names launches that the trace does not have.
// Stored launches are not simulated again if caches are emptied before each launch: no launch depends on them then.
// Otherwise they are, to bring the machine into the state after them. Launches with asynchronous copies, whose
// inference the summary reports, and the launch of a timeline are also simulated again. None of them is passed to the
// sink again. Throws UserError if the cycles of one differ from the stored ones. Code of another architecture than the
// GPU's is lowered to the GPU's instructions (frontend/lowering/lowered_kernel.h); if `options` are strict, missing
// instructions are an error.
SimulationResult simulate(Workload& workload, const GpuConfig& config, const SimulationOptions& options,
                          const LaunchSelection& selection, const SimulationHooks& hooks);

// Throws UserError if a launch that is stored has taken other cycles.
void require_same_cycles(const StoredLaunch& stored, const LaunchResult& result);

}  // namespace warpsim
