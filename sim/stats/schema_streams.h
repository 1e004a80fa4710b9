// The tables of the devices of a run and of what they did in their streams, and their views (docs/statistics.md).
#pragma once

#include <string>

namespace warpsim {

// CREATE TABLE device, device_config, device_work; CREATE VIEW device_timeline, streams. They are created after the
// tables of runs and launches.
std::string stream_schema();

}  // namespace warpsim
