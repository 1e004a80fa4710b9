// The program started as a process, like by a user.
#pragma once

#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

#include "support/build_paths.h"

namespace warpsim {

struct Outcome {
  int code = -1;
  std::string output;  // standard output and standard error
};

inline Outcome warpsim(const std::string& arguments) {
  const std::string command = std::string(test::warpsim_binary()) + " " + arguments + " 2>&1 </dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Outcome outcome;
  char buffer[4096];
  std::size_t count = 0;
  while ((count = fread(buffer, 1, sizeof buffer, pipe)) > 0) {
    outcome.output.append(buffer, count);
  }
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

}  // namespace warpsim
