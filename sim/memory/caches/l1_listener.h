// Who hears of each line that loads look up in L1, and of lines that are replaced there.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "stats/launch_stats.h"

namespace warpsim {

class L1Listener {
 public:
  virtual ~L1Listener() = default;
  // A load: `warp` is its number in the SM, `seat` its launch.
  struct Lookup {
    Address line = 0;
    Address pc = 0;
    std::uint32_t warp = 0;
    LaunchSeat seat = 0;
    bool hit = false;  // all of its sectors were present
  };
  virtual void looked_up(const Lookup& lookup, Cycle now) = 0;
  // A line that a miss of the warp had brought makes room for one of the launch `seat`.
  virtual void replaced(std::uint32_t warp, Address line, LaunchSeat seat) = 0;
};

}  // namespace warpsim
