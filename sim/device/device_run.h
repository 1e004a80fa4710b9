// Launches of several streams on one GPU, in the device's time: from the submission of the first launch on.
//
// Modelled: the host submits launches at a fixed interval (launch_queue.h); each starts when its stream and the limits
// of the device allow (stream_queues.h) and runs beside those that are resident. A copy by the host waits for all
// launches before it, and the host for the copy. The machine's time stands still while nothing is resident. State: the
// launches that have not ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/gpu/gpu_config.h"
#include "core/machine/launch_record.h"
#include "core/machine/machine.h"
#include "device/stream_queues.h"

namespace warpsim {

// One that has ended.
struct DeviceLaunch {
  LaunchResult result;
  double submitted_ns = 0;
  double start_ns = 0;  // on the device, after what it waited for
  double end_ns = 0;
  std::uint32_t beside = 0;  // launches that were resident at the same time as it was
};

class DeviceRun {
 public:
  struct Hooks {
    // Before it starts; what the machine observes of it.
    std::function<LaunchHooks(KernelSource&)> begin;
    // Directly after its submission to the machine: its counters, all zero.
    std::function<void(KernelSource&, StatGroup&)> submitted;
    // After its end, with its counters.
    std::function<void(KernelSource&, const DeviceLaunch&, StatGroup&)> end;
  };
  // `machine` outlives it.
  DeviceRun(Machine& machine, const GpuConfig& config, Hooks hooks);

  // The host submits the next launch. Runs the device to this time, so that few launches are kept. Throws ConfigError
  // if the GPU cannot run the kernel.
  void launch(std::unique_ptr<KernelSource> kernel);
  // The host copies to the device when all launches so far have ended.
  void copy(const CopyToDevice& copy);
  // Runs until all launches have ended.
  void finish();
  // A launch has reached the limit of cycles; nothing is submitted afterwards.
  bool is_limited() const { return limited_; }

 private:
  struct Resident {
    std::unique_ptr<KernelSource> kernel;
    Machine::LaunchId id = {};
    double submitted_ns = 0;
    double start_ns = 0;
    std::uint32_t beside = 0;
    bool started = false;
  };

  bool run_to(double until_ns, std::size_t most_waiting);
  void start(std::uint64_t number);
  void end(Machine::LaunchId id);

  Machine& machine_;
  const LaunchQueueConfig host_;
  Hooks hooks_;
  StreamQueues queues_;
  std::map<std::uint64_t, Resident> launches_;
  std::uint64_t added_ = 0;
  double host_ns_ = 0;     // the host has submitted everything so far
  double now_ns_ = 0;      // of the device
  double machine_ns_ = 0;  // what the machine's time is behind the device's
  bool limited_ = false;
};

}  // namespace warpsim
