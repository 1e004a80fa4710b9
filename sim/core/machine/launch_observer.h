// Records the requested details of each launch in addition to its counters; one observer for all launches of a GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/machine/machine.h"
#include "core/machine/observed_launch.h"
#include "stats/detail_options.h"
#include "stats/launch_details.h"

namespace warpsim {

// Selects the launch that a timeline records.
struct ShownLaunch {
  TimelineRequest request;                         // without a timeline, none is recorded
  std::optional<std::uint32_t> launch;             // launch index; none: the first that runs
  std::function<void(const KernelLaunch&)> taken;  // called when the launch has run; may be empty
};

class LaunchObserver {
 public:
  // `gpu` outlives it.
  LaunchObserver(const DetailOptions& options, Machine& gpu, ShownLaunch shown = {});

  // Runs the kernel as Machine::run does. `sampled` is called after each sample of a time series, with the counters of
  // the machine as of `cycle` of the launch.
  LaunchResult run(KernelSource& kernel, const std::function<void(const LaunchProgress&)>& progress = {},
                   const std::function<void(Cycle cycle, bool last)>& sampled = {});
  // Of the latest launch; valid until the next one.
  LaunchDetails details() const { return latest_->details(); }

  // For a launch that runs beside others: the caller gives its hooks to the machine, and tells its end.
  std::unique_ptr<ObservedLaunch> observe(const KernelLaunch& launch);
  void ended(const KernelLaunch& launch);

 private:
  bool is_shown(const KernelLaunch& launch) const;

  DetailOptions options_;
  Machine& gpu_;
  ShownLaunch shown_;
  std::optional<std::uint32_t> shown_launch_;
  std::unique_ptr<ObservedLaunch> latest_;
};

}  // namespace warpsim
