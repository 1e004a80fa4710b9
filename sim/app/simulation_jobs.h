// Simulations for one database, executed by several threads. Each is one trace on one GPU.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "app/options.h"
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
  std::string refusal;  // why the GPU cannot run a kernel of the trace, if that ends the job and not all of them
  std::exception_ptr error;
};

// Opens the trace; the run is called as the options say, or after the trace.
SimulationJob open_job(const std::string& trace, std::shared_ptr<const SimulatedGpu> gpu, const RunOptions& options);

// Runs all jobs and stores their launches. An error of the first job that has one is thrown when all threads have
// ended; with `keep_going` a kernel that a GPU cannot run is no error but the refusal of its job.
struct JobSettings {
  const RunOptions& options;
  const std::string& command;  // as typed
  bool keep_going = false;
};
// Returns the host's seconds.
double run_jobs(std::vector<SimulationJob>& jobs, const JobSettings& settings);

}  // namespace warpsim
