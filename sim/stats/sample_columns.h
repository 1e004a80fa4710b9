// The content of a time series (--sample-interval): tables and columns of the results database, and the counters of the
// stat tree that each column sums over an interval. The schema, the sampler and the reference use it.
//
// Columns are additive: the increase in the interval. Gauges are the exception: the value at its end.
#pragma once

#include <span>
#include <vector>

#include "stats/stat_group.h"

namespace warpsim {

struct SampleColumn {
  const char* name;
  const char* statistics;  // counters or one gauge below the component, with commas: "sub_core.inst_executed"
  const char* unit;
  const char* description;
  bool gauge = false;
};

struct SampleTable {
  const char* name;       // of the table
  const char* component;  // each of whose instances has rows
  std::span<const SampleColumn> columns;
};

// sample_sm, sample_l2_slice, sample_dram_channel, sample_device. The last table describes the whole GPU; it has all
// columns of the others, summed over their instances, in their order, after its own.
std::span<const SampleTable> sample_tables();

// Whether the table is the whole GPU's and has no instances.
inline bool is_of_device(const SampleTable& table) {
  return *table.component == '\0';
}
// The table's own columns; of the device's also those of the others, after them.
std::vector<const SampleColumn*> all_columns(const SampleTable& table);

}  // namespace warpsim
