// Writes and reductions that a unit of an SM has for memory, by launch: memory counts those that it has completed
// (MemorySystem::writes_completed), and a launch ends when all are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stats/launch_stats.h"

namespace warpsim {

class WriteCounts {
 public:
  // A launch takes the seat.
  void begin_launch(LaunchSeat seat) {
    if (counts_.size() <= seat) {
      counts_.resize(seat + std::size_t{1});
      stored_.resize(seat + std::size_t{1});
    }
    counts_[seat] = 0;
    stored_[seat] = 0;
  }
  void add(LaunchSeat seat, std::uint32_t requests = 1) { counts_[seat] += requests; }
  std::uint64_t of(LaunchSeat seat) const { return counts_[seat]; }
  // Whether stores are among them, not only reductions.
  void note_store(LaunchSeat seat) { stored_[seat] = 1; }
  bool has_stored(LaunchSeat seat) const { return stored_[seat] != 0; }

 private:
  std::vector<std::uint64_t> counts_ = {0};
  std::vector<std::uint8_t> stored_ = {0};
};

}  // namespace warpsim
