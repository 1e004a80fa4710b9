// The statistics of a program's launches, stored as `warpsim run` stores those of a trace.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/creating_process.h"
#include "config/config_tree.h"
#include "core/gpu/gpu_config.h"
#include "cuda/device.h"
#include "stats/results_writer.h"

namespace warpsim::cuda {

// The stored data of a program's run.
RunRecord run_record(const std::string& gpu_file, const ConfigTree& tree, const GpuConfig& config,
                     const DeviceOptions& options);

class RunResults {
 public:
  // Begins an incomplete run in the database of `options`, or takes over the one that was begun. Throws DatabaseError.
  RunResults(const std::string& gpu_file, const ConfigTree& tree, const GpuConfig& config,
             const DeviceOptions& options);
  ~RunResults();
  RunResults(const RunResults&) = delete;
  RunResults& operator=(const RunResults&) = delete;

  void add(const LaunchRecord& launch, const StatGroup& stats, const LaunchDetails& details);
  void add(const WorkRecord& work) { works_.push_back(work); }
  // The program has ended normally. Not called in forked processes.
  void finish(RunStatus status, const std::vector<std::string>& notes);

 private:
  std::unique_ptr<ResultsWriter> writer_;
  std::int64_t run_id_ = 0;
  CreatingProcess creator_;
  double host_seconds_ = 0;  // of the launches
  std::vector<WorkRecord> works_;
};

}  // namespace warpsim::cuda
