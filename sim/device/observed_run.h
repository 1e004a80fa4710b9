// A device's run whose launches are recorded: counters, time series, hot spots and one timeline.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/machine/launch_observer.h"
#include "core/machine/launch_record.h"
#include "core/machine/machine.h"
#include "device/device_run.h"
#include "stats/launch_details.h"

namespace warpsim {

class ObservedRun {
 public:
  // A launch has ended. Its record has the times of the device: when the host had submitted it, when it left its queue,
  // when it ended; and how many launches were resident beside it.
  struct Ended {
    KernelSource& kernel;
    const LaunchResult& result;
    const LaunchRecord& record;
    const StatGroup& stats;
    const LaunchDetails& details;
  };
  struct Callbacks {
    std::function<void(const KernelLaunch&)> begins = {};                            // may be empty
    std::function<void(std::uint32_t launch, const LaunchProgress&)> progress = {};  // may be empty
    std::function<void(const Ended&)> ended;
    std::function<void(const WorkRecord&)> work = {};  // of any kind; may be empty
    // After each sample of a launch's time series, with its counters as of that cycle of it; may be empty.
    std::function<void(const KernelLaunch&, Cycle, const StatGroup&)> sampled = {};
  };
  // `machine` and `configs`, one for each GPU of it, outlive it.
  ObservedRun(Machine& machine, std::vector<const GpuConfig*> configs, LaunchObserver& observer, Callbacks callbacks,
              std::size_t most_waiting);

  DeviceRun& device() { return device_; }

 private:
  LaunchHooks begin(KernelSource& kernel);
  void end(KernelSource& kernel, const EndedLaunch& done, const StatGroup& stats);

  std::vector<const GpuConfig*> configs_;
  LaunchObserver& observer_;
  Callbacks callbacks_;
  struct Observed {
    std::unique_ptr<ObservedLaunch> launch;
    const StatGroup* stats = nullptr;  // once the launch is submitted
  };
  std::map<std::uint32_t, Observed> observed_;  // by launch index: those that have begun
  DeviceRun device_;
};

}  // namespace warpsim
