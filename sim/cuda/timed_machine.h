// The simulated GPU of a device with timing: its streams and what runs in them, caches that keep their contents from
// launch to launch, the host's time, and the results.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "config/config_tree.h"
#include "core/machine/launch_observer.h"
#include "core/machine/machine.h"
#include "cuda/device.h"
#include "cuda/device_queue.h"
#include "cuda/pending_launch.h"
#include "cuda/run_results.h"
#include "cuda/timed_children.h"
#include "device/observed_run.h"
#include "frontend/lowering/code_of_others.h"

namespace warpsim::cuda {

class TimedMachine final : public DeviceQueue {
 public:
  // Throws UserError.
  TimedMachine(const std::string& gpu_file, const ConfigTree& tree, const GpuConfig& config,
               const DeviceOptions& options);
  ~TimedMachine() override;
  TimedMachine(const TimedMachine&) = delete;
  TimedMachine& operator=(const TimedMachine&) = delete;

  // Throws ConfigError if the GPU cannot run it. A failure of the kernel, also that it cannot end, is known when the
  // device has run so far; nothing can be done on the device afterwards.
  WorkHandle launch(const std::shared_ptr<PendingLaunch>& launch, WorkPlace place);
  // The same by a kernel, while the device runs; and other work.
  WorkHandle launch_from_kernel(const std::shared_ptr<PendingLaunch>& launch, const TimedChildren::Place& place);
  WorkHandle put_from_kernel(Work work, const TimedChildren::Place& place);
  // The device's time at a core cycle, while it runs.
  double time_of(Cycle cycle) const { return run_ == nullptr ? 0 : run_->device().time_of(cycle); }
  // The host waits, without a call, until everything is done.
  void finish();
  // Why the device has failed, once.
  Outcome take_failure();
  // Only one piece of work is left, and the host waits for it.
  bool is_alone() const;

  // Ends the run in the database: complete, unless a launch failed. Nothing can be launched afterwards. Throws
  // DatabaseError. Otherwise the destructor does this.
  void store_results();
  // The host has written device memory.
  void written(Address address, std::uint64_t bytes);

  void open_stream(std::uint64_t stream, const Streams::Traits& traits) override;
  void close_stream(std::uint64_t stream) override;
  void stream_waits(std::uint64_t stream, const WorkHandle& work, Dependence::Edge edge) override;
  WorkHandle submit(Work work) override;
  std::vector<Dependence> begin_graph(std::uint64_t stream) override;
  WorkHandle end_graph(WorkPlace place, std::function<void()> effect) override;
  void wait(const WorkHandle& work) override;
  void wait_for_stream(std::uint64_t stream) override;
  bool ask(const WorkHandle& work) override;
  bool ask_for_stream(std::uint64_t stream) override;
  void stage(std::uint64_t bytes) override;
  void drift(double ns) override;
  bool idle() const override { return run_ == nullptr || run_->device().idle(); }
  bool is_stuck() const override { return run_ != nullptr && run_->device().is_stuck(); }
  double now_ns() const override { return run_ == nullptr ? 0 : run_->device().now_ns(); }

 private:
  // Work that runs the device; a failure ends it.
  template <class Function>
  void attempt(const Function& function);
  // The same while the host waits for it.
  template <class Function>
  void attempt_waiting(const Function& function);
  void fail(Outcome failure);
  Work work_of(const std::shared_ptr<PendingLaunch>& launch);
  void begins(const KernelLaunch& launch);
  void ended(const ObservedRun::Ended& launch);

  GpuConfig config_;
  DeviceOptions options_;
  std::map<std::uint32_t, std::shared_ptr<PendingLaunch>> pending_;  // by launch index; not ended
  std::unique_ptr<ObservedRun> run_;  // has the kernels, so it exists longer than the machine; null after a failure
  std::unique_ptr<Machine> gpu_;
  std::unique_ptr<LaunchObserver> observer_;
  CodeOfOthers others_;
  std::unique_ptr<RunResults> results_;
  std::uint32_t launches_ = 0;
  RunStatus status_ = RunStatus::kComplete;
  Outcome failure_;
  bool host_waits_ = false;
  std::chrono::steady_clock::duration busy_ = {};  // of this process, since a launch ended
};

}  // namespace warpsim::cuda
