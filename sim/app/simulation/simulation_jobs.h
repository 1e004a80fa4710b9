// Simulations for one database, executed by several threads. Each is one trace on one GPU.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "app/options/options.h"
#include "app/simulation/stop_signals.h"
#include "config/config_tree.h"
#include "core/gpu/gpu_config.h"
#include "frontend/workload/workload.h"
#include "stats/results_writer.h"

namespace warpsim {

// A GPU to simulate on, as it was described.
struct SimulatedGpu {
  std::string file;
  ConfigTree tree;
  GpuConfig config;
};
// Throws UsageError or ConfigError.
std::shared_ptr<const SimulatedGpu> load_gpu(const std::string& gpu, const std::vector<std::string>& overrides);

struct SimulationJob {
  std::string trace;
  std::shared_ptr<const SimulatedGpu> gpu;
  std::unique_ptr<Workload> workload;
  RunRecord record;
  std::int64_t run_id = 0;
  RunStatus status = RunStatus::kIncomplete;
  std::vector<StoredLaunch> stored;  // by an earlier process, whose run this job continues
  std::size_t launches_stored = 0;   // in all
  std::string refusal;               // why the GPU cannot run a kernel of the trace, if that ends only this job
  std::exception_ptr error;
};

// Opens the trace; the run has the name of the options, or that of the trace.
SimulationJob open_job(const std::string& trace, std::shared_ptr<const SimulatedGpu> gpu, const RunOptions& options);

struct JobSettings {
  const RunOptions& options;
  const std::string& command;  // as typed
  bool keep_going = false;
};
struct JobsResult {
  double seconds = 0;                              // of the host
  int signal = 0;                                  // the signal that stopped the jobs; 0: none
  std::shared_ptr<StopSignals> signals = nullptr;  // then set: further signals are still held back
};

// Runs all jobs and stores their launches. An existing run of the same command is continued; a finished one is left
// unchanged. The first job's error is thrown when all threads have ended; with `keep_going` a kernel that a GPU cannot
// run is not an error but the refusal of its job. SIGINT, SIGTERM and SIGHUP end all jobs; the stored launches remain
// and can be continued.
JobsResult run_jobs(std::vector<SimulationJob>& jobs, const JobSettings& settings);

// The message after a signal: what is stored, and how to continue.
std::string stopped_text(const std::vector<SimulationJob>& jobs, const JobSettings& settings, int signal);

}  // namespace warpsim
