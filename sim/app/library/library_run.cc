#include "app/library/library_run.h"

#include "app/simulation/simulation.h"
#include "base/error.h"
#include "config/config_tree.h"
#include "config/gpu_files.h"
#include "frontend/workload/workload.h"

namespace warpsim {
namespace {

// Thrown to abort a launch.
struct Stopped {};

SimulationOptions options_of(const LibraryRun& run) {
  constexpr std::uint32_t kMostThreads = 1024;
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

SimulationHooks hooks_of(const LibraryRun& run) {
  SimulationHooks hooks;
  hooks.cancelled = [] { return false; };
  hooks.progress = [](std::uint32_t, const LaunchProgress&) {};
  hooks.launch_done = [&run](const LaunchRecord& record, const StatGroup& stats, const LaunchDetails&) {
    if (run.launch_done && !run.launch_done(LibraryLaunch(record, stats))) {
      throw Stopped();
    }
  };
  if (run.sample && run.sample_interval != 0) {
    hooks.sampled = [&run](const KernelLaunch& launch, Cycle cycle, bool /*last*/, const StatGroup& stats) {
      if (!run.sample(LibraryLaunch(launch.launch_index, launch.kernel, cycle, stats))) {
        throw Stopped();
      }
    };
  }
  return hooks;
}

}  // namespace

LibraryRunEnd run_in_library(const LibraryRun& run) {
  const SimulationOptions options = options_of(run);
  const auto config = ConfigTree::load(find_gpu_file(run.gpu), run.settings).read<GpuConfig>();
  const std::unique_ptr<Workload> workload = open_workload(run.trace, {.sass_file = {}, .infer_asynchronous = true});
  try {
    const SimulationResult result = simulate(*workload, config, options, LaunchSelection(), hooks_of(run));
    return result.status == RunStatus::kLimited ? LibraryRunEnd::kLimited : LibraryRunEnd::kComplete;
  } catch (const Stopped&) {
    return LibraryRunEnd::kStopped;
  }
}

}  // namespace warpsim
