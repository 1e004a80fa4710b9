// The unit of an L2 slice that executes atomics and reductions of the lines at home.
//
// Modelled: a rate in sectors, with a different time for fully and partly used sectors; a limited backlog; a latency.
// Not modelled: the operation's kind and type. Evidence: tests/hardware/atomics.
// State: the time until which the unit is occupied. Uses the array, which it changes.
// Invariant: a request is charged once, with the first of its sectors that is executed.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "memory/l2/l2_access.h"
#include "memory/l2/l2_array.h"
#include "memory/l2/l2_config.h"
#include "memory/l2/l2_stats.h"
#include "memory/mem_message.h"
#include "memory/rate_limiter.h"

namespace warpsim {

class L2AtomicUnit {
 public:
  static constexpr std::uint32_t kPartsOfCycle = 1024;  // unit in which atomics are charged
  static std::uint32_t parts_of_cycles(double cycles);

  // The array and the counters must outlive the unit.
  L2AtomicUnit(const L2Config& config, L2Array& array, LaunchStats<L2SliceStats>& stats);

  // Time for a request, in parts of a cycle.
  std::uint32_t parts_of(const MemRequest& request) const;
  // Executes on `sectors`, which are valid in the slice.
  void execute(L2Waiter& waiter, std::uint64_t line_number, Address line, std::uint8_t sectors, Cycle now);

  // Whether it accepts a request; if not, when it does.
  bool full(Cycle now) const { return unit_.backlog(now) >= queue_cycles_; }
  Cycle room_at(Cycle now) const { return now + 1 + unit_.backlog(now) - queue_cycles_; }
  // When all operations have taken effect, and when the latest one can be answered.
  Cycle executed_at(Cycle now) const { return now + unit_.backlog(now); }
  Cycle answer_at(Cycle now) const { return executed_at(now) + latency_cycles_; }

 private:
  Cycle queue_cycles_;
  Cycle latency_cycles_;
  std::uint32_t sector_parts_;
  std::uint32_t full_sector_parts_;
  RateLimiter unit_;  // a byte is a part of a cycle
  L2Array* array_;
  LaunchStats<L2SliceStats>* stats_;
};

}  // namespace warpsim
