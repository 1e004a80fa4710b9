// The tables of the ranges that a program has named for profilers, and their views (docs/statistics.md).
#pragma once

#include <string>

namespace warpsim {

// CREATE TABLE host_range, host_range_launch; CREATE VIEW ranges, range_summary. They are created after the tables of
// runs, launches and devices.
std::string range_schema();

}  // namespace warpsim
