// `warpsim plot`: figures of results for papers.
#pragma once

#include <iosfwd>

#include "app/options/report_options.h"

namespace warpsim {

// Reports on `out` what was written and what was left out. Returns the exit code.
int plot_command(const PlotOptions& options, std::ostream& out);

}  // namespace warpsim
