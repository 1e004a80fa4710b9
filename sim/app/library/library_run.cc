#include "app/library/library_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "app/launch_file/launch_file.h"
#include "app/simulation/ptx_run.h"
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
  SimulationOptions options;
  options.gpu.threads = run.threads;
  options.gpu.flush_before_launch = !run.keep_caches;
  options.gpu.max_cycles = run.max_cycles == 0 ? kNever : run.max_cycles;
  options.details.sample_interval = run.sample ? run.sample_interval : 0;
  return options;
}

void tell_end(const LibraryRun& run, const MetricCatalog& metrics, const LaunchRecord& record, const StatGroup& stats) {
  if (run.launch_done && !run.launch_done(LibraryLaunch(record, stats, metrics))) {
    throw StoppedByCaller();
  }
}

void tell_sample(const LibraryRun& run, const KernelLaunch& launch, Cycle cycle, const StatGroup& stats) {
  if (!run.sample(LibraryLaunch(launch.launch_index, launch.kernel, cycle, stats))) {
    throw StoppedByCaller();
  }
}

SimulationHooks hooks_of(const LibraryRun& run, const MetricCatalog& metrics) {
  SimulationHooks hooks;
  hooks.cancelled = [] { return false; };
  hooks.progress = [](std::uint32_t, const LaunchProgress&) {};
  hooks.launch_done = [&run, &metrics](const LaunchRecord& record, const StatGroup& stats, const LaunchDetails&) {
    tell_end(run, metrics, record, stats);
  };
  if (run.sample && run.sample_interval != 0) {
    hooks.sampled = [&run](const KernelLaunch& launch, Cycle cycle, bool /*last*/, const StatGroup& stats) {
      tell_sample(run, launch, cycle, stats);
    };
  }
  return hooks;
}

LibraryRunEnd run_trace(const LibraryRun& run, const MetricCatalog& metrics) {
  const SimulationOptions options = options_of(run);
  const std::shared_ptr<const SimulatedGpu> gpu = load_gpu(run.gpu, run.settings);
  const std::unique_ptr<Workload> workload = open_workload(run.trace, {.sass_file = {}, .infer_asynchronous = true});
  const SimulationResult result = simulate(*workload, gpu->config, options, LaunchSelection(), hooks_of(run, metrics));
  return result.status == RunStatus::kLimited ? LibraryRunEnd::kLimited : LibraryRunEnd::kComplete;
}

PtxRunOptions ptx_options_of(const LibraryRun& run) {
  PtxRunOptions options;
  options.ptx = run.trace;
  options.launch_file = run.launch_file;
  options.gpu = run.gpu;
  options.overrides = run.settings;
  options.flush_caches = !run.keep_caches;
  options.threads = run.threads;
  if (run.max_cycles != 0) {
    options.max_cycles = run.max_cycles;
  }
  options.details.sample_interval = run.sample ? run.sample_interval : 0;
  return options;
}

LibraryRunEnd run_ptx(const LibraryRun& run, const MetricCatalog& metrics) {
  PtxRun::Tell tell{
      .printed = [](const std::string& text) { std::cout << text << std::flush; },
      .launched = [](const std::string& /*line*/) {},
      .remark = [](const std::string& /*line*/) {},
  };
  tell.listener.ended = [&](const LaunchRecord& record, const StatGroup& stats) {
    tell_end(run, metrics, record, stats);
  };
  if (run.sample && run.sample_interval != 0) {
    tell.listener.sampled = [&](const KernelLaunch& launch, Cycle cycle, const StatGroup& stats) {
      tell_sample(run, launch, cycle, stats);
    };
  }
  const PtxRunOptions options = ptx_options_of(run);
  const PtxRun::Result result = PtxRun(options, read_launch_file(run.launch_file), "", std::move(tell)).run();
  if (result.limited) {
    return LibraryRunEnd::kLimited;
  }
  if (!result.report.broken.empty()) {
    throw UserError(fmt::format("{}", fmt::join(result.report.broken, "\n")));
  }
  return LibraryRunEnd::kComplete;
}

}  // namespace

LibraryRunEnd run_in_library(const LibraryRun& run) {
  if (run.threads == 0 || run.threads > kMostThreads) {
    throw UsageError("threads: expected 1 to " + std::to_string(kMostThreads) + ", got " + std::to_string(run.threads));
  }
  const MetricCatalog metrics;
  try {
    return run.launch_file.empty() ? run_trace(run, metrics) : run_ptx(run, metrics);
  } catch (const StoppedByCaller&) {
    return LibraryRunEnd::kStopped;
  }
}

}  // namespace warpsim
