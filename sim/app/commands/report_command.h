// `warpsim report`: results databases as one HTML file.
#pragma once

#include <iosfwd>

#include "app/options/options.h"

namespace warpsim {

// Returns the exit code.
int report_command(const ReportCommandOptions& options, std::ostream& out);

}  // namespace warpsim
