#include "core/launch/launch_queue.h"

#include <algorithm>

namespace warpsim {

void describe(ConfigSection& section, LaunchQueueConfig& config) {
  section.real("submit_ns", config.submit_ns, 0, 1e9, "the host's time to submit a launch");
  section.real("marker_ns", config.marker_ns, 0, 1e9, "from the timestamp of a marker to the start of the next launch");
  section.real("copy_latency_ns", config.copy_latency_ns, 0, 1e9,
               "of a copy between host and device, before its first byte");
  section.real("copy_gb_per_s", config.copy_gb_per_s, 0.001, 1e6,
               "rate of copies between host and device, 10^9 bytes per second");
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
  free_ns_ = end() + config_.copy_latency_ns + static_cast<double>(bytes) / config_.copy_gb_per_s;
  submitted_ns_ = free_ns_;
  return free_ns_;
}

double LaunchQueue::end() const {
  return std::max(submitted_ns_, free_ns_);
}

}  // namespace warpsim
