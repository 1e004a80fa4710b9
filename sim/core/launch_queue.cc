#include "core/launch_queue.h"

#include <algorithm>

namespace warpsim {

void describe(ConfigSection& section, LaunchQueueConfig& config) {
  section.real("submit_ns", config.submit_ns, 0, 1e9, "the host's time to submit a launch");
  section.real("marker_ns", config.marker_ns, 0, 1e9,
               "from the time that a marker takes to the begin of the next launch");
}

double LaunchQueue::submit(double duration_ns) {
  submitted_ns_ += config_.submit_ns;
  free_ns_ = std::max(submitted_ns_, free_ns_) + duration_ns;
  return free_ns_;
}

double LaunchQueue::mark() {
  const double at = std::max(submitted_ns_, free_ns_);
  free_ns_ = at + config_.marker_ns;
  return at;
}

}  // namespace warpsim
