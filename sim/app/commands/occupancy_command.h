// `warpsim occupancy`: how many blocks of a kernel an SM holds, what limits them, and which block size fills it best.
#pragma once

#include <iosfwd>

#include "app/options/options.h"

namespace warpsim {

// Returns the exit code. A kernel that cannot run is not an error.
int occupancy_command(const OccupancyOptions& options, std::ostream& out);

}  // namespace warpsim
