// Simulations that go into one database, worked off by several threads. Each is one trace on one GPU.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "app/options.h"
#include "app/stop_signals.h"
#include "config/config_tree.h"
#include "core/gpu_config.h"
#include "frontend/workload.h"
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
  std::string refusal;  // why the GPU cannot run a kernel of the trace, if that ends the job and not all of them
  std::exception_ptr error;
};

// Opens the trace; the run is called as the options say, or after the trace.
SimulationJob open_job(const std::string& trace, std::shared_ptr<const SimulatedGpu> gpu, const RunOptions& options);

struct JobSettings {
  const RunOptions& options;
  const std::string& command;  // as typed
  bool keep_going = false;
};
struct JobsResult {
  double seconds = 0;                              // of the host
  int signal = 0;                                  // that ended the jobs before they were finished; 0: none
  std::shared_ptr<StopSignals> signals = nullptr;  // then: more of them are still held back
};

// Runs all jobs and stores their launches. A run that the database holds already is continued if it is of the same
// command, and nothing is done for one that is finished. An error of the first job that has one is thrown when all
// threads have ended; with `keep_going` a kernel that a GPU cannot run is no error but the refusal of its job. SIGINT,
// SIGTERM and SIGHUP end all jobs; what they have stored is kept and can be continued.
JobsResult run_jobs(std::vector<SimulationJob>& jobs, const JobSettings& settings);

// What to tell after a signal: what is stored, and how to go on.
std::string stopped_text(const std::vector<SimulationJob>& jobs, const JobSettings& settings, int signal);

}  // namespace warpsim
