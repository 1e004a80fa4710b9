// The real program, started as a process.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "support/build_paths.h"
#include "support/temporary_folder.h"

namespace warpsim::test {

struct ProgramOutcome {
  int code = -1;  // -1: ended by a signal
  std::string out;
  std::string err;

  // Lines of standard error.
  std::vector<std::string> err_lines() const {
    std::vector<std::string> lines;
    std::istringstream text(err);
    for (std::string line; std::getline(text, line);) {
      lines.push_back(line);
    }
    return lines;
  }
};

// `arguments` are shell words and may contain a redirection.
inline ProgramOutcome run_program(const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string command =
      std::string(warpsim_binary()) + " </dev/null >" + folder.at("out") + " 2>" + folder.at("err") + " " + arguments;
  const int status = std::system(command.c_str());
  ProgramOutcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome.out = TemporaryFolder::read(folder.at("out"));
  outcome.err = TemporaryFolder::read(folder.at("err"));
  return outcome;
}

}  // namespace warpsim::test
