// The simulated GPUs of a process with timing: their streams and what runs in them (timed_queue.h puts it there),
// caches that keep their contents from launch to launch, the host's time, and the results.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/machine/launch_observer.h"
#include "core/machine/machine.h"
#include "cuda/device/device.h"
#include "cuda/device/gpu_description.h"
#include "cuda/device/pending_launch.h"
#include "cuda/device/run_results.h"
#include "cuda/device/timed_children.h"
#include "device/managed/managed_memory.h"
#include "device/observed_run.h"
#include "frontend/lowering/code_of_others.h"

namespace warpsim::cuda {

class TimedMachine final {
 public:
  // `homes`, `managed` and `selection` outlive it; the last one has notes and ranges for the results. Throws UserError.
  TimedMachine(const std::vector<GpuDescription>& gpus, const DeviceOptions& options, const MemoryHomes* homes,
               ManagedMemory& managed, const LaunchSelection& selection);
  ~TimedMachine();
  TimedMachine(const TimedMachine&) = delete;
  TimedMachine& operator=(const TimedMachine&) = delete;

  const GpuConfig& config(std::uint32_t gpu) const { return configs_[gpu]; }

  // Throws ConfigError if the GPU cannot run it. A failure of the kernel, also that it cannot end, is known when the
  // device has run so far; nothing can be done on the device afterwards.
  WorkHandle launch(const std::shared_ptr<PendingLaunch>& launch, WorkPlace place);
  // The same by a kernel, while the device runs; and other work.
  WorkHandle launch_from_kernel(const std::shared_ptr<PendingLaunch>& launch, const TimedChildren::Place& place);
  WorkHandle put_from_kernel(Work work, const TimedChildren::Place& place);
  // A warp of a kernel waits for what its block has launched, or no longer does.
  void note_wait(const WorkHandle& grid, const TimedChildren::WarpWait& wait);
  // The device's time at a core cycle of a GPU, while it runs.
  double time_of(Cycle cycle, std::uint32_t gpu) const {
    return run_ == nullptr ? 0 : run_->device().time_of(cycle, gpu);
  }
  // Any other work; null after a failure.
  WorkHandle submit(Work work);
  // Something that may run the devices; a failure ends them. Nothing happens after a failure.
  using Attempt = std::function<void(DeviceRun&)>;
  void attempt(const Attempt& function);
  // The same while the host waits for it.
  void attempt_waiting(const Attempt& function);
  // A thread of the host waits until done(). In a program with several threads the wait is interrupted when others may
  // be about to call (interrupt_for()), or when another one has what it waits for; then the thread calls this again.
  void wait(std::uint32_t gpu, const std::function<bool()>& done);
  void interrupt_for(std::function<bool()> time_stops) { time_stops_ = std::move(time_stops); }
  // The host waits, without a call, until everything is done.
  void finish();
  // Why the device has failed, once.
  Outcome take_failure();
  // Only one piece of work is left, and the host waits for it.
  bool is_alone() const;

  // Ends the run in the database: complete, unless a launch failed. Nothing can be launched afterwards. Throws
  // DatabaseError. Otherwise the destructor does this.
  void store_results();
  // See Device; at the host's time.
  void set_aside_l2(std::uint32_t gpu, std::uint32_t sixteenths);
  void end_l2_persistence(std::uint32_t gpu);
  // The host has written memory of a GPU.
  void written(Address address, std::uint64_t bytes, std::uint32_t gpu);

  bool idle(std::uint32_t gpu) const { return run_ == nullptr || run_->device().idle(gpu); }
  bool holds_waits() const { return !options_.checks.races; }
  bool is_stuck() const { return run_ != nullptr && run_->device().is_stuck(); }
  bool is_interrupted() const { return run_ != nullptr && run_->device().is_interrupted(); }
  double now_ns() const { return run_ == nullptr ? 0 : run_->device().now_ns(); }

 private:
  void fail(Outcome failure);
  bool another_thread_can_go_on() const;
  Work work_of(const std::shared_ptr<PendingLaunch>& launch);
  void begins(const KernelLaunch& launch);
  void ended(const ObservedRun::Ended& launch);

  std::vector<GpuConfig> configs_;
  DeviceOptions options_;
  std::map<std::uint32_t, std::shared_ptr<PendingLaunch>> pending_;  // by launch index; not ended
  std::unique_ptr<ObservedRun> run_;  // has the kernels, so it exists longer than the machine; null after a failure
  std::unique_ptr<Machine> gpus_;
  std::unique_ptr<LaunchObserver> observer_;
  std::vector<CodeOfOthers> others_;  // by GPU
  std::unique_ptr<RunResults> results_;
  const LaunchSelection& selection_;
  std::uint32_t launches_ = 0;
  RunStatus status_ = RunStatus::kComplete;
  Outcome failure_;
  bool host_waits_ = false;
  struct HostWait {
    std::function<bool()> done;
    bool is_interrupted = false;
  };
  std::map<std::thread::id, HostWait> host_waits_for_;
  std::function<bool()> time_stops_;
  std::chrono::steady_clock::duration busy_ = {};  // of this process, since a launch ended
};

}  // namespace warpsim::cuda
