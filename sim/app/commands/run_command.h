// `warpsim run`: checks everything that can be checked first, then simulates the traces, several at a time if
// requested, and stores the results. Runs and their keys are in the order of the command line, independent of the order
// in which they end.
#pragma once

#include <string>

#include "app/options/options.h"

namespace warpsim {

// Returns the exit code: 0, or 3 if a run reached the cycle limit. `command` is stored in the database.
int run_command(const RunOptions& options, const std::string& command);

}  // namespace warpsim
