#include "cuda/device/kernel_calls.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpsim::cuda {

namespace {

constexpr double kNsPerUs = 1e3;

}  // namespace

KernelCalls::KernelCalls(double core_mhz, std::function<double(Cycle)> time_of)
    : cycles_per_ns_(core_mhz / kNsPerUs), time_of_(std::move(time_of)) {}

void KernelCalls::join(const DeviceThread& thread) {
  const std::uint32_t warp = thread.thread / kWarpSize;
  if (call_.at != now_ || call_.grid != thread.grid || call_.block != thread.block || call_.warp != warp) {
    const double now_ns = time_of_(now_);
    call_ = {thread.grid, thread.block, warp, now_, std::max(now_ns, free_ns_), now_ns};
  }
}

double KernelCalls::add(const DeviceThread& thread, const Times& times) {
  join(thread);
  const auto before = static_cast<double>(call_.pieces++);
  free_ns_ = call_.begin_ns + (before + 1) * times.interval_ns;
  const double called_ns = time_of_(now_) + times.call_ns + before * times.thread_ns;
  call_.ends_ns = times.waits ? std::max(called_ns, free_ns_) : called_ns;
  return call_.begin_ns + times.start_ns + before * times.interval_ns;
}

void KernelCalls::spend(const DeviceThread& thread, double ns) {
  join(thread);
  call_.ends_ns = std::max(call_.ends_ns, time_of_(now_)) + ns;
}

Cycle KernelCalls::ends_at(Cycle now) const {
  const double left_ns = call_.ends_ns - time_of_(now);
  return left_ns <= 0 ? now : now + static_cast<Cycle>(std::llround(left_ns * cycles_per_ns_));
}

}  // namespace warpsim::cuda
