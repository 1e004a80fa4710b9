// Records a window of a launch on a timeline: passes the timeline to the selected components, and samples the queues of
// the memory system at fixed steps.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/types.h"
#include "stats/stat_group.h"
#include "stats/timeline.h"

namespace warpsim {

// What of a launch is to be shown. Blocks are those of all SMs.
struct TimelineRequest {
  Timeline* timeline = nullptr;  // null: nothing; outlives the GPU, whose components keep it
  Cycle from = 0;                // core cycles since the launch began
  Cycle to = 0;
  std::vector<std::uint32_t> sms;       // rising; whose warps and queues are shown
  std::vector<std::uint32_t> channels;  // of DRAM, whose commands and queues are shown
};

class QueueProbe {
 public:
  // Queues that are looked at every so many core cycles.
  static constexpr Cycle kStepCycles = 16;

  // Adds tracks of the queues below `parent`: those of the request's SMs and channels, and of all together.
  QueueProbe(const StatGroup& root, const TimelineRequest& request, Timeline::Track parent);
  void look(Cycle now);

 private:
  struct Queue {
    Timeline::Track track = Timeline::kNoTrack;
    std::vector<const Gauge*> gauges;
  };
  void add(Timeline::Track parent, const std::string& name, const char* unit, std::vector<const Gauge*> gauges);

  Timeline& timeline_;
  std::vector<Queue> queues_;
};

}  // namespace warpsim
