// Since when launches have something resident in a unit, by seat: blocks on an SM, warps in a sub-core. The unit adds
// the cycles to its counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "stats/launch_stats.h"

namespace warpsim {

class ActiveTimes {
 public:
  // One more of the launch.
  void enter(LaunchSeat seat, Cycle now) {
    if (launches_.size() <= seat) {
      launches_.resize(seat + std::size_t{1});
    }
    if (launches_[seat].residents++ == 0) {
      launches_[seat].since = now;
    }
  }
  // One less. Returns the cycles that are not added yet; 0 unless it was the last one.
  Cycle leave(LaunchSeat seat, Cycle now) { return --launches_[seat].residents == 0 ? now - launches_[seat].since : 0; }
  // Calls add(seat, cycles) with the cycles up to `now` of each resident launch.
  template <typename Add>
  void close(Cycle now, Add&& add) {
    for (std::size_t seat = 0; seat < launches_.size(); ++seat) {
      if (Launch& launch = launches_[seat]; launch.residents != 0) {
        add(static_cast<LaunchSeat>(seat), now - launch.since);
        launch.since = now;
      }
    }
  }

 private:
  struct Launch {
    std::uint32_t residents = 0;
    Cycle since = 0;  // added up to then, while there are residents
  };

  std::vector<Launch> launches_;  // by seat
};

}  // namespace warpsim
