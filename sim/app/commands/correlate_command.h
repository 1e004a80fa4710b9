// `warpsim correlate`: joins simulated launches with measured ones and reports the errors.
#pragma once

#include <iosfwd>

#include "app/options/options.h"

namespace warpsim {

// Writes the report to `out`. Returns the exit code.
int correlate_command(const CorrelateOptions& options, std::ostream& out);

}  // namespace warpsim
