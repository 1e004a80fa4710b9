// The options of each command: names, values and descriptions. Help, shell completions and the manual page are
// generated from them; app/options/arguments.h parses by them.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <string>
#include <vector>

namespace warpsim {

// The options in the help of a command.
boost::program_options::options_description visible_options(const std::string& command);

// The list of a command's options, as in its help.
std::string options_text(const std::string& command);

struct CommandOption {
  std::string name;    // without leading dashes
  bool is_switch;      // takes no value
  std::string letter;  // the short form, "-o"; empty: none
  std::string value;   // the placeholder of the value: "FILE", or the words that it may be, "all|none"
  bool repeated;       // may be given several times
  std::string description;
};
// All options in the command's help, in its order.
std::vector<CommandOption> command_options(const std::string& command);

}  // namespace warpsim
