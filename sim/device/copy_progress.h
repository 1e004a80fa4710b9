// What a copy that runs has still to do.
#pragma once

namespace warpsim {

struct CopyProgress {
  double bytes_left = 0;
  double latency_ns = 0;  // before its next byte
  double gb_per_s = 0;
};

}  // namespace warpsim
