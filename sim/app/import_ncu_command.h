// `warpsim import-ncu`: imports measurements of Nsight Compute for a simulated run.
#pragma once

#include <iosfwd>

#include "app/report_options.h"

namespace warpsim {

// Says on `out` what was read and what has no partner. Returns the exit code. Nothing is stored if anything is wrong.
int import_ncu_command(const ImportNcuOptions& options, std::ostream& out);

}  // namespace warpsim
