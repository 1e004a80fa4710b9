// Keeps what is asked for of each launch beside its counters: one for all launches of a GPU.
#pragma once

#include <functional>
#include <optional>

#include "core/gpu.h"
#include "stats/detail_options.h"
#include "stats/launch_details.h"

namespace warpsim {

class LaunchObserver {
 public:
  // `gpu` outlives it.
  LaunchObserver(const DetailOptions& options, Gpu& gpu);
  // Shows the next launch.
  void show_next(const TimelineRequest& request) { timeline_ = request; }

  // Runs the kernel as Gpu::run does.
  LaunchResult run(KernelSource& kernel, const std::function<void(const LaunchProgress&)>& progress = {});
  // Of the launch that has ended last; valid until the next.
  LaunchDetails details() const;

 private:
  DetailOptions options_;
  Gpu& gpu_;
  std::optional<Sampler> sampler_;
  std::optional<HotSpotTable> hot_spots_;
  ListedProgram program_;
  TimelineRequest timeline_;
};

// A program as hot spots show it: opcodes where there is no disassembly.
ListedProgram list_program(const StaticProgram& program);

}  // namespace warpsim
