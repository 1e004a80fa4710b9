// `warpsim exec`: starts a CUDA program with the simulated device instead of a GPU.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"

namespace warpsim {

// The program takes this process's place; returns only by what it throws (UserError).
int exec_command(const ExecOptions& options, const std::string& whole);

// The file that a shell would run, or an empty text.
std::string find_program(const std::string& name, const std::string& search_path);
// Throws UserError for a program that cannot run on the simulated device. `folder` holds the CUDA libraries. Returns
// the libraries that must be loaded before all others.
std::vector<std::string> check_cuda_program(const std::string& path, const std::string& folder);

}  // namespace warpsim
