// The purpose of each command: the text around the list of its options.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpsim {

struct CommandHelp {
  const char* name;
  const char* usage;  // also describes the command
  const char* notes;  // after the options
};

// The operands of a command.
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

// The purpose of the program, and notes that apply to all commands.
const char* program_purpose();
const char* program_notes();
// The help of the program: purpose, commands by task, notes.
std::string program_help();

}  // namespace warpsim
