// `warpsim exec`: starts a CUDA program with the simulated device instead of a GPU.
#pragma once

#include <string>
#include <vector>

#include "app/options/options.h"

namespace warpsim {

// Without results the program replaces this process. Otherwise it runs as a child, a line on stderr reports at the end
// what is stored, and the exit code is the program's, or 128 plus the number of the signal that ended it. Throws
// UserError.
int exec_command(const ExecOptions& options, const std::string& whole);

// Throws UserError for a program that cannot run on the simulated device. `folder` holds the CUDA libraries. Returns
// the libraries that must be loaded before all others.
std::vector<std::string> check_cuda_program(const std::string& path, const std::string& folder);

}  // namespace warpsim
