#include "core/launch/launch_queue.h"

#include <algorithm>

namespace warpsim {

void describe(ConfigSection& section, LaunchQueueConfig& config) {
  section.real("submit_ns", config.submit_ns, 0, 1e9, "the host's time to submit a launch");
  section.real("marker_ns", config.marker_ns, 0, 1e9, "from the timestamp of a marker to the start of the next launch");
}

double LaunchQueue::submit(double duration_ns) {
  submitted_ns_ += config_.submit_ns;
  free_ns_ = std::max(submitted_ns_, free_ns_) + duration_ns;
  return free_ns_;
}

double LaunchQueue::mark() {
  const double at = end();
  free_ns_ = at + config_.marker_ns;
  return at;
}

double LaunchQueue::copy(std::uint64_t bytes) {
  free_ns_ = end() + copies_.to_device_ns + static_cast<double>(bytes) / copies_.to_device_gb_per_s;
  submitted_ns_ = free_ns_;
  return free_ns_;
}

double LaunchQueue::end() const {
  return std::max(submitted_ns_, free_ns_);
}

}  // namespace warpsim
