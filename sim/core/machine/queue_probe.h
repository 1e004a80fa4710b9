// Records a window of a launch on a timeline: passes the timeline to the selected components, and samples the queues of
// the memory system at fixed steps.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"
#include "core/launch/timeline_request.h"
#include "stats/stat_group.h"
#include "stats/timeline.h"

namespace warpsim {

class QueueProbe {
 public:
  // Samples queues at a fixed interval in core cycles.
  static constexpr Cycle kStepCycles = 16;

  // Adds a part to the request's timeline, with tracks of the queues: those of the request's channels, and of all SMs,
  // slices and channels together.
  QueueProbe(const StatGroup& root, const TimelineRequest& request);
  // Adds a track of one SM's queues, unless it has one.
  void add_sm(std::uint32_t sm);
  // While no component runs.
  void look(Cycle now);

 private:
  struct Queue {
    TimelinePart::Track track = TimelinePart::kNoTrack;
    std::vector<const Gauge*> gauges;
  };
  void add(const std::string& name, const char* unit, std::vector<const Gauge*> gauges);

  const StatGroup& root_;
  TimelinePart& timeline_;
  TimelinePart::Track parent_;
  std::set<std::uint32_t> sms_;
  std::vector<Queue> queues_;
};

}  // namespace warpsim
