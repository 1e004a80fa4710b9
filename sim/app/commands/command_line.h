// Dispatches the command line to its command.
#pragma once

#include <string>
#include <vector>

namespace warpsim {

// Runs the command; `words` do not include the program's name. Returns the exit code; errors are thrown.
int run_command_line(const std::vector<std::string>& words);

// The words as one line that a shell would split into the same words.
std::string quoted_command(const std::vector<std::string>& words);
std::string quoted_word(const std::string& word);

// Version, schema and build.
std::string version_text();

}  // namespace warpsim
