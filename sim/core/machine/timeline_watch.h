// Shows a window of one launch in a timeline: which SMs and channels record, when the queues are looked at, and when
// the timeline is open. The machine stops time at next_stop() for it.
#pragma once

#include <memory>

#include "core/gpu/gpu.h"
#include "core/launch/timeline_request.h"
#include "core/machine/queue_probe.h"

namespace warpsim {

class TimelineWatch {
 public:
  // Of the launch in this seat, which begins at core cycle `start`. Throws ConfigError if the request names something
  // that the GPU lacks.
  TimelineWatch(Gpu& gpu, LaunchSeat seat, const TimelineRequest& request, Cycle start);
  ~TimelineWatch();
  TimelineWatch(const TimelineWatch&) = delete;
  TimelineWatch& operator=(const TimelineWatch&) = delete;

  // kNeverFs: at none.
  TimeFs next_stop() const { return next_look_ == kNever ? kNeverFs : gpu_.core_clock().time_of(next_look_); }
  // All parts are at next_stop().
  void stop();
  // The launch has ended; nothing more is recorded.
  void close();
  // The launch has ended: queues are not sampled any more.
  void end_looks() { next_look_ = kNever; }

 private:
  Gpu& gpu_;
  TimelineRequest request_;
  Cycle start_;
  Cycle next_look_;
  std::unique_ptr<QueueProbe> probe_;
};

}  // namespace warpsim
