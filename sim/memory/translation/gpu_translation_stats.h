// Statistics of the GPU's translation cache and of its walks through page tables.
#pragma once

#include "stats/launch_stats.h"

namespace warpsim {

struct GpuTranslationStats : StatGroup {
  using StatGroup::StatGroup;
  Counter gpu_lookups{*this, "gpu_lookups", Unit::kRequests, "lookups in the GPU's translation cache"};
  Counter gpu_hits{*this, "gpu_hits", Unit::kRequests, "of these, those that hit"};
  Counter walks{*this, "walks", Unit::kRequests, "walks through page tables"};
  Counter directory_misses{*this, "directory_misses", Unit::kRequests, "walks that missed in the directory cache"};
  // With page tables in memory only.
  Counter walk_reads{*this, "walk_reads", Unit::kRequests, "entries of page tables that walks read in memory"};
  Counter walk_dram_reads{*this, "walk_dram_reads", Unit::kRequests, "of these, those that DRAM served"};
  Histogram walk_wait{*this, "walk_wait", Unit::kCycles, "cycles that walks with reads waited for a unit that walks"};
  Histogram walk_latency{*this, "walk_latency", Unit::kCycles, "cycles from then to the end of these walks"};
};

}  // namespace warpsim
