#include "app/library/library_run.h"

#include "app/simulation/simulation.h"
#include "app/simulation/simulation_jobs.h"
#include "base/error.h"
#include "engine/worker_pool.h"
#include "frontend/workload/workload.h"
#include "stats/metric_catalog.h"

namespace warpsim {
namespace {

// Thrown to abort a launch.
struct StoppedByCaller {};

SimulationOptions options_of(const LibraryRun& run) {
  if (run.threads == 0 || run.threads > kMostThreads) {
    throw UsageError("threads: expected 1 to " + std::to_string(kMostThreads) + ", got " + std::to_string(run.threads));
  }
  SimulationOptions options;
  options.gpu.threads = run.threads;
  options.gpu.flush_before_launch = !run.keep_caches;
  options.gpu.max_cycles = run.max_cycles == 0 ? kNever : run.max_cycles;
  options.details.sample_interval = run.sample ? run.sample_interval : 0;
  return options;
}

SimulationHooks hooks_of(const LibraryRun& run, const MetricCatalog& metrics) {
  SimulationHooks hooks;
  hooks.cancelled = [] { return false; };
  hooks.progress = [](std::uint32_t, const LaunchProgress&) {};
  hooks.launch_done = [&run, &metrics](const LaunchRecord& record, const StatGroup& stats, const LaunchDetails&) {
    if (run.launch_done && !run.launch_done(LibraryLaunch(record, stats, metrics))) {
      throw StoppedByCaller();
    }
  };
  if (run.sample && run.sample_interval != 0) {
    hooks.sampled = [&run](const KernelLaunch& launch, Cycle cycle, bool /*last*/, const StatGroup& stats) {
      if (!run.sample(LibraryLaunch(launch.launch_index, launch.kernel, cycle, stats))) {
        throw StoppedByCaller();
      }
    };
  }
  return hooks;
}

}  // namespace

LibraryRunEnd run_in_library(const LibraryRun& run) {
  const SimulationOptions options = options_of(run);
  const std::shared_ptr<const SimulatedGpu> gpu = load_gpu(run.gpu, run.settings);
  const std::unique_ptr<Workload> workload = open_workload(run.trace, {.sass_file = {}, .infer_asynchronous = true});
  const MetricCatalog metrics;
  try {
    const SimulationResult result =
        simulate(*workload, gpu->config, options, LaunchSelection(), hooks_of(run, metrics));
    return result.status == RunStatus::kLimited ? LibraryRunEnd::kLimited : LibraryRunEnd::kComplete;
  } catch (const StoppedByCaller&) {
    return LibraryRunEnd::kStopped;
  }
}

}  // namespace warpsim
