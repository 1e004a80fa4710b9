// The details of a launch that were requested in addition to its counters (stats/detail_options.h).
#pragma once

#include "stats/hot_spot_table.h"
#include "stats/sampler.h"

namespace warpsim {

// Null: not recorded. The pointers are valid for the launch that has just ended.
struct LaunchDetails {
  const SampleSeries* series = nullptr;
  const HotSpotTable* hot_spots = nullptr;
  const ListedProgram* program = nullptr;  // the program of the hot spots
};

}  // namespace warpsim
