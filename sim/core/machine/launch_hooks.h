// What the caller of a launch is told while it runs, and what it gets in the end.
#pragma once

#include <cstdint>
#include <functional>

#include "base/types.h"
#include "core/blocks/occupancy.h"
#include "core/launch/timeline_request.h"
#include "stats/hot_spot_table.h"

namespace warpsim {

// Progress of a launch; passed to the progress callback a few times a second of host time.
struct LaunchProgress {
  Cycle cycle = 0;  // since the launch began
  std::uint64_t instructions = 0;
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;
};

// What is reported during a launch.
struct LaunchHooks {
  std::function<void(const LaunchProgress&)> progress = {};
  // All counters are as of `cycle` of the launch: every `sample_interval` cycles and once at the end (`last`).
  std::function<void(Cycle cycle, bool last)> sample = {};
  Cycle sample_interval = kNever;
  // Has a row for each instruction of the kernel's program; null: not recorded.
  HotSpotTable* hot_spots = nullptr;
  TimelineRequest timeline = {};
};

struct LaunchResult {
  enum class Status : std::uint8_t { kComplete, kCycleLimit };
  Status status = Status::kComplete;
  // Core cycles since the simulation began. With caches emptied before each launch: sum over the previous launches.
  Cycle start_cycle = 0;
  Cycle elapsed_cycles = 0;  // core cycles from launch to completion, overhead included: gpc__cycles_elapsed
  double duration_ns = 0;    // the same, as time
  // Work of the host, not of the GPU: component-cycles ticked, of those that passed, by the whole machine.
  std::uint64_t component_ticks = 0;
  std::uint64_t component_cycles = 0;
  Occupancy occupancy;               // theoretical occupancy and its limits
  std::uint64_t l1_bytes = 0;        // L1 data capacity that the carve-out leaves
  std::uint64_t carveout_bytes = 0;  // shared memory configured per SM
  // Warps that waited at barriers in shared memory that nothing could complete, and were released: the source's data
  // about these barriers are wrong.
  std::uint64_t waits_given_up = 0;
};

}  // namespace warpsim
