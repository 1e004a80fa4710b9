// Kernels without a host program: the launches of a launch file in order on one device, and the comparison of their
// results with those that the file expects.
//
// Everything that can be checked is checked before the first kernel runs: kernels, parameters and textures against the
// PTX.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/launch_file/launch_checks.h"
#include "app/launch_file/launch_file.h"
#include "app/launch_file/launch_memory.h"
#include "app/options/options.h"
#include "app/simulation/timeline_file.h"
#include "cuda/device/device.h"
#include "ptx/module.h"

namespace warpsim {

class PtxRun {
 public:
  // What it tells while it runs. All but `listener` must be set.
  struct Tell {
    std::function<void(const std::string&)> printed;   // text of the kernels
    std::function<void(const std::string&)> launched;  // one line for each launch that has ended well
    std::function<void(const std::string&)> remark;    // about the code and what it does; one line each
    cuda::LaunchListener listener = {};
  };
  struct Result {
    CheckReport report;
    std::string checked;   // what the checks of `options.bounds` found in short; empty: nothing was checked
    bool limited = false;  // a launch has reached a limit
    bool races = false;
  };

  // `command` is stored in the database; `options` outlives the run. Throws UserError.
  PtxRun(const PtxRunOptions& options, const LaunchFile& file, const std::string& command, Tell tell);
  ~PtxRun();

  // Once.
  Result run();

 private:
  struct Prepared {
    const KernelLaunchRequest* request = nullptr;
    cuda::KernelId kernel = 0;
    Dim3 cluster;
    std::vector<std::byte> parameters;
  };

  void remark_capability(const ptx::Module& module) const;
  void prepare(const KernelLaunchRequest& request);
  // False: the launch failed.
  bool run(const Prepared& prepared, bool last);
  void run_all();
  void judge_failure(const cuda::Outcome& outcome, const KernelLaunchRequest& request, bool expected);

  const PtxRunOptions& options_;
  LaunchFile file_;
  std::string ptx_;
  Tell tell_;
  TimelineFile timeline_;  // outlives the device
  std::unique_ptr<cuda::Device> device_;
  cuda::ModuleId module_ = 0;
  std::unique_ptr<LaunchMemory> memory_;
  std::vector<Prepared> launches_;
  std::string printed_;
  Result result_;
};

}  // namespace warpsim
