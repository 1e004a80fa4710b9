// Records the requested details of each launch in addition to its counters; one observer for all launches of a GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/machine/machine.h"
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

  // Runs the kernel as Machine::run does.
  LaunchResult run(KernelSource& kernel, const std::function<void(const LaunchProgress&)>& progress = {});
  // Of the latest launch; valid until the next one.
  LaunchDetails details() const;

 private:
  DetailOptions options_;
  Machine& gpu_;
  std::optional<Sampler> sampler_;
  std::optional<HotSpotTable> hot_spots_;
  ListedProgram program_;
  ShownLaunch shown_;
};

// A program as hot spots show it: opcodes if there is no disassembly.
ListedProgram list_program(const StaticProgram& program);

}  // namespace warpsim
