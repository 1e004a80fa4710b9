// The details of a launch that were requested in addition to its counters (stats/detail_options.h).
#pragma once

#include "stats/hot_spot_table.h"
#include "stats/sampler.h"

namespace warpsim {

// Null: not kept. What they point to belongs to the launch that has just ended.
struct LaunchDetails {
  const SampleSeries* series = nullptr;
  const HotSpotTable* hot_spots = nullptr;
  const ListedProgram* program = nullptr;  // that the hot spots are in
};

}  // namespace warpsim
