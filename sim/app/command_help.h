// What each command is for, in words: the text around the list of its options.
#pragma once

#include <string>
#include <vector>

namespace warpsim {

struct CommandHelp {
  const char* name;
  const char* usage;  // also says what the command does
  const char* notes;  // behind the options
};

// Throws UsageError with the nearest name.
const CommandHelp& command_help(const std::string& name);
std::vector<std::string> command_names();

// The help of the program.
const char* program_help();

}  // namespace warpsim
