// The simulated GPU of a device with timing: launches one after another on one GPU, whose caches keep their contents
// from launch to launch, the host's queue, and the results.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "config/config_tree.h"
#include "core/launch/launch_queue.h"
#include "core/machine/launch_observer.h"
#include "core/machine/machine.h"
#include "cuda/device.h"
#include "cuda/kernel_work.h"
#include "cuda/run_results.h"
#include "frontend/lowering/code_of_others.h"

namespace warpsim::cuda {

class TimedMachine {
 public:
  // Throws UserError. `config` must outlive it.
  TimedMachine(const std::string& gpu_file, const ConfigTree& tree, const GpuConfig& config,
               const DeviceOptions& options);
  ~TimedMachine();
  TimedMachine(const TimedMachine&) = delete;
  TimedMachine& operator=(const TimedMachine&) = delete;

  // Runs to the end. Throws KernelFault, also for a kernel that cannot end; nothing can be launched afterwards. Throws
  // ConfigError if the GPU cannot run it.
  void run(const KernelWork& work);
  // Ends the run in the database: complete, unless a launch failed. Nothing can be launched afterwards. Throws
  // DatabaseError. Otherwise the destructor does this.
  void store_results();
  // The host copies bytes to or from the device.
  void copy(std::uint64_t bytes) { queue_.copy(bytes); }
  // The host has written device memory.
  void written(Address address, std::uint64_t bytes);

  double now_ns() const { return queue_.end(); }
  double mark_ns() { return queue_.mark(); }

 private:
  LaunchResult simulate(KernelSource& kernel);
  void fail();

  const GpuConfig& config_;
  DeviceOptions options_;
  std::unique_ptr<Machine> gpu_;  // null after a failure
  LaunchObserver observer_;
  LaunchQueue queue_;
  CodeOfOthers others_;
  std::unique_ptr<RunResults> results_;
  std::uint32_t launches_ = 0;
  RunStatus status_ = RunStatus::kComplete;
};

}  // namespace warpsim::cuda
