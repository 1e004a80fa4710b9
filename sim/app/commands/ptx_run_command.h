// `warpsim run kernel.ptx --launch launch.yaml`: kernels without a host program.
//
// Everything that can be checked is checked before the first kernel runs: the launch file itself, kernels,
// parameters and textures against the PTX. Then the launches run in order on one device, and the results are compared.
#pragma once

#include <string>

#include "app/options/options.h"

namespace warpsim {

// Returns the exit code: 0, or 1 if a kernel failed or a result differs from the launch file's. `command` is stored in
// the database. Throws UserError for errors in files and options.
int ptx_run_command(const PtxRunOptions& options, const std::string& command);

}  // namespace warpsim
