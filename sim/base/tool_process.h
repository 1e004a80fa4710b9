// Runs another program to its end, without input and with its output in a file: gnuplot, ptxas.
#pragma once

#include <string>
#include <vector>

namespace warpsim {

struct ToolRequest {
  std::vector<std::string> words;       // the program, found in PATH, and its arguments
  std::string folder;                   // it runs there, and its output is kept there
  std::vector<std::string> set = {};    // variables of the environment, "NAME=value"
  std::vector<std::string> unset = {};  // their names
};

struct ToolOutcome {
  int error = 0;  // of the system, if the program was not started
  bool succeeded = false;
  std::string output;  // and errors
};

ToolOutcome run_tool(const ToolRequest& request);

}  // namespace warpsim
