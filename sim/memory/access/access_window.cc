#include "memory/access/access_window.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {

AccessWindows::AccessWindows(const std::vector<std::uint32_t>& hit_permille) {
  SIM_CHECK(hit_permille.size() == kSteps, "a window of accesses has sixteen steps");
  for (std::uint32_t step = 0; step < kSteps; ++step) {
    hits_of_step_[step] = hit_permille[step] * kHashes / 1000;
  }
}

void AccessWindows::set(LaunchSeat seat, const AccessWindow& window) {
  Window& own = windows_[seat];
  own = {};
  if (window.bytes == 0) {
    return;
  }
  // Whole lines: L2 has one priority for a line.
  own.begin = window.begin / kLineBytes * kLineBytes;
  own.bytes = window.begin + window.bytes - own.begin;
  const auto step = static_cast<std::uint32_t>(std::clamp(window.hit_ratio, 0.0, 1.0) * kSteps);
  own.hits = hits_of_step_[std::min(step, kSteps - 1)];
  own.hit = window.hit;
  own.miss = window.miss;
  any_ = true;
}

}  // namespace warpsim
