// What each command is for, in words: the text around the list of its options.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpsim {

struct CommandHelp {
  const char* name;
  const char* usage;  // also says what the command does
  const char* notes;  // after the options
};

// What a command takes beside its options.
enum class Operands : std::uint8_t { kNone, kFiles, kProgram, kFigure, kShell };

struct CommandSummary {
  const char* name;
  Operands operands;
  const char* summary;  // one line
};

// Commands for one task.
struct CommandGroup {
  const char* task;
  std::span<const CommandSummary> commands;
};

// Throws UsageError with the nearest name.
const CommandHelp& command_help(const std::string& name);
std::vector<std::string> command_names();

// All commands, each once.
std::span<const CommandGroup> command_groups();

// What the program does, and what holds for all commands.
const char* program_purpose();
const char* program_notes();
// The help of the program: both, with the commands by task.
std::string program_help();

}  // namespace warpsim
