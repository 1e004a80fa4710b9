// `warpsim run kernel.ptx --launch launch.yaml`: kernels without a host program (app/simulation/ptx_run.h).
#pragma once

#include <string>

#include "app/options/options.h"

namespace warpsim {

// Returns the exit code: 0, or 1 if a kernel failed or a result differs from the launch file's. `command` is stored in
// the database. Throws UserError for errors in files and options.
int ptx_run_command(const PtxRunOptions& options, const std::string& command);

}  // namespace warpsim
