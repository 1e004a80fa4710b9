// `warpsim export`: views, tables and queries of a results database for other programs and for papers.
#pragma once

#include <iosfwd>

#include "app/options/report_options.h"

namespace warpsim {

// Writes to the file, or to `out` if no file is given. Returns the exit code.
int export_command(const ExportOptions& options, std::ostream& out);

}  // namespace warpsim
