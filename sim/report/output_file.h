// Files written completely or not at all: to a temporary file beside the target, which is then renamed.
#pragma once

#include <string>

namespace warpsim {

// Throws UserError: "PATH: cannot be written".
void write_output_file(const std::string& path, const std::string& content);

}  // namespace warpsim
