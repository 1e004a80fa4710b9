// `warpsim merge`: merges results databases.
#pragma once

#include <iosfwd>

#include "app/options/sweep_options.h"

namespace warpsim {

// Returns the exit code. Throws DatabaseError; the target is then unchanged.
int merge_command(const MergeCommandOptions& options, std::ostream& out);

}  // namespace warpsim
