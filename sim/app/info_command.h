// `warpsim info`: reads a trace through and tells what is in it.
#pragma once

#include <iosfwd>

#include "app/options.h"

namespace warpsim {

// Returns the exit code.
int info_command(const InfoOptions& options, std::ostream& out);

}  // namespace warpsim
