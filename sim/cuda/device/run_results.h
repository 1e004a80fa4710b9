// The statistics of a program's launches, stored as `warpsim run` stores those of a trace.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/creating_process.h"
#include "cuda/device/device.h"
#include "cuda/device/gpu_description.h"
#include "stats/range_record.h"
#include "stats/results_writer.h"

namespace warpsim::cuda {

// The stored data of a program's run on these GPUs, at least one.
RunRecord run_record(const std::vector<GpuDescription>& gpus, const DeviceOptions& options);

class RunResults {
 public:
  // Begins an incomplete run in the database of `options`, or takes over the one that was begun, unless another process
  // of the program has. Throws DatabaseError.
  RunResults(const std::vector<GpuDescription>& gpus, const DeviceOptions& options);
  ~RunResults();
  RunResults(const RunResults&) = delete;
  RunResults& operator=(const RunResults&) = delete;

  void add(const LaunchRecord& launch, const StatGroup& stats, const LaunchDetails& details);
  void add(const WorkRecord& work) { works_.push_back(work); }
  // Numbers of ranges in which a launch was requested, and the ranges of the program.
  void add(std::uint32_t launch_index, const std::vector<std::uint64_t>& ranges);
  void add(std::vector<RangeRecord> ranges) { ranges_.ranges = std::move(ranges); }
  // The program has ended normally. Not called in forked processes.
  void finish(RunStatus status, const std::vector<std::string>& notes);

 private:
  std::unique_ptr<ResultsWriter> writer_;
  std::int64_t run_id_ = 0;
  CreatingProcess creator_;
  double host_seconds_ = 0;  // of the launches
  std::vector<WorkRecord> works_;
  RunRanges ranges_;
};

}  // namespace warpsim::cuda
