// `warpsim import-ncu`: imports measurements of Nsight Compute for a simulated run.
#pragma once

#include <iosfwd>

#include "app/options/report_options.h"

namespace warpsim {

// Reports on `out` what was read and which launches have no partner. Returns the exit code. Nothing is stored after an
// error.
int import_ncu_command(const ImportNcuOptions& options, std::ostream& out);

}  // namespace warpsim
