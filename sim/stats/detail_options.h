// The details of launches that are recorded in addition to their counters.
#pragma once

#include <cstdint>

namespace warpsim {

struct DetailOptions {
  std::uint64_t sample_interval = 0;  // core cycles between two samples; 0: no time series
  bool hot_spots = false;
};

}  // namespace warpsim
