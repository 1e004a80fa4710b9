// The table of what a device did in its streams, and its views (docs/statistics.md).
#pragma once

#include <string>

namespace warpsim {

// CREATE TABLE device_work; CREATE VIEW device_timeline, streams. They are created after the tables of runs and
// launches.
std::string stream_schema();

}  // namespace warpsim
