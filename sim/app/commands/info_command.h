// `warpsim info`: reads a whole trace and prints its content.
#pragma once

#include <iosfwd>

#include "app/options/options.h"

namespace warpsim {

// Returns the exit code.
int info_command(const InfoOptions& options, std::ostream& out);

}  // namespace warpsim
