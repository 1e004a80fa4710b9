// How a grid stands among others of the device.
#pragma once

#include <cstdint>

namespace warpsim {

struct GridOrder {
  std::int32_t priority = 0;            // lower numbers get blocks first
  std::uint32_t head_start_cycles = 0;  // of the launch overhead, what has passed before the submission
  bool waits = false;                   // for kernels before it: its warps at a wait, until Machine::end_grid_waits()
  bool reports_begin = false;           // the machine reports that all of its blocks have begun
};

}  // namespace warpsim
