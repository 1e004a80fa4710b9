// A port with a rate in bytes per cycle: returns when it is free, in fractions of a cycle, and keeps the rate exact
// over time for all message sizes.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/types.h"

namespace warpsim {

class RateLimiter {
 public:
  // `bytes_per_cycle` 0: unlimited.
  explicit RateLimiter(double bytes_per_cycle = 0)
      : cost_of_byte_(bytes_per_cycle > 0 ? static_cast<std::uint64_t>(std::llround(kOne / bytes_per_cycle)) : 0) {}

  // A transfer may start within this cycle.
  bool ready(Cycle now) const { return free_at_ < (now + 1) * kOne; }
  Cycle ready_at() const { return free_at_ / kOne; }
  // Cycles, rounded down, for which the port is reserved beyond the start of `now`.
  Cycle backlog(Cycle now) const { return free_at_ > now * kOne ? (free_at_ - now * kOne) / kOne : 0; }
  void use(Cycle now, std::uint64_t bytes) {
    if (free_at_ < now * kOne) {
      free_at_ = now * kOne;
    }
    free_at_ += bytes * cost_of_byte_;
  }

 private:
  static constexpr std::uint64_t kOne = 1 << 20;  // a cycle
  std::uint64_t cost_of_byte_;
  std::uint64_t free_at_ = 0;
};

}  // namespace warpsim
