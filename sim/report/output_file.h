// Files written whole or not at all: into a file beside the target first, which then takes its name.
#pragma once

#include <string>

namespace warpsim {

// Throws UserError: "PATH: cannot be written".
void write_output_file(const std::string& path, const std::string& content);

}  // namespace warpsim
