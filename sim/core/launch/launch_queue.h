// Kernels that a host submits one after another to one queue, and when each of them starts and ends.
//
// Modelled: the host submits launches at a fixed interval; the device runs them in order, each as soon as it has been
// submitted and the previous one has ended; a marker that records the time delays later entries. Durations are those of
// whole launches and include the launch overhead on the device. Copies between host and device have a latency and a
// rate. Not modelled: several queues, the host's work between launches, and differences of the host's speed between
// hosts and over time. Evidence: times of four consecutive empty kernels by grid size, and of copies and reads, each
// between two markers (micro.csv launch.empty and bw.chip.*.rate).
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "core/launch/host_interface.h"

namespace warpsim {

struct LaunchQueueConfig {
  double submit_ns = 0;  // the host's, for each launch
  double marker_ns = 0;  // from the timestamp of a marker to the start of the next launch
};
void describe(ConfigSection& section, LaunchQueueConfig& config);

class LaunchQueue {
 public:
  LaunchQueue(const LaunchQueueConfig& config, const CopiesConfig& copies) : config_(config), copies_(copies) {}

  // The next launch takes `duration_ns`. Returns when it ends, counted from the time at which the host began.
  double submit(double duration_ns);
  // A marker that records when everything submitted so far has ended.
  double mark();
  // A copy of so many bytes from host to device, after all earlier entries; the host waits for it. Returns its end.
  double copy(std::uint64_t bytes);
  // When everything so far has ended.
  double end() const;

 private:
  LaunchQueueConfig config_;
  CopiesConfig copies_;
  double submitted_ns_ = 0;  // the latest launch reached the device
  double free_ns_ = 0;       // the device can begin the next one
};

}  // namespace warpsim
