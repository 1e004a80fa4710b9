// `warpsim sweep`: checks everything that can be checked, simulates the unfinished points, and stores all
// finished ones in one database, in the order of the points.
#pragma once

#include <iosfwd>
#include <string>

#include "app/options/sweep_options.h"
#include "sweep/sweep_engine.h"

namespace warpsim {

// Returns the exit code: 0; 1 if points failed (or, with --collect, are not finished), 3 if none did but some reached
// the cycle limit, 128 and more if a signal ended it. `command` is the command line that continues it.
int sweep_command(const SweepOptions& options, const std::string& command, std::ostream& out);

// "120 of 200 points  1 failed  2 running  ############--------  60 %  ETA 3 min 05 s". `seconds` since it began.
std::string sweep_progress_line(const SweepProgress& progress, double seconds);

}  // namespace warpsim
