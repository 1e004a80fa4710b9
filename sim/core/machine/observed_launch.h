// What is recorded of one launch in addition to its counters: a time series, hot spots, a timeline.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/machine/launch_hooks.h"
#include "stats/detail_options.h"
#include "stats/launch_details.h"
#include "stats/stat_group.h"

namespace warpsim {

// A program as hot spots show it: opcodes if there is no disassembly.
ListedProgram list_program(const StaticProgram& program);

class ObservedLaunch {
 public:
  // `timeline`: without one, none is recorded.
  ObservedLaunch(const DetailOptions& options, const KernelLaunch& launch, const TimelineRequest& timeline);
  ObservedLaunch(const ObservedLaunch&) = delete;
  ObservedLaunch& operator=(const ObservedLaunch&) = delete;

  // For the machine, which uses this object until the launch is over. `sampled` is called after each sample.
  LaunchHooks hooks(std::function<void(const LaunchProgress&)> progress,
                    std::function<void(Cycle cycle, bool last)> sampled = {});
  // Its counters, all of them zero, before it runs.
  void begin(StatGroup& stats);
  // Valid as long as this object.
  LaunchDetails details() const;

 private:
  DetailOptions options_;
  TimelineRequest timeline_;
  std::optional<Sampler> sampler_;
  std::optional<HotSpotTable> hot_spots_;
  ListedProgram program_;
};

}  // namespace warpsim
