// `warpsim mechanisms`: the mechanisms that a description of a GPU can choose, shipped ones or those of libraries.
#pragma once

#include <iosfwd>

#include "app/options/options.h"

namespace warpsim {

// Returns the exit code. Throws ConfigError for a file that is no library of mechanisms.
int mechanisms_command(const MechanismsOptions& options, std::ostream& out);

}  // namespace warpsim
