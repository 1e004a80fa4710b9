// A program that runs as a child of this process and has all that this process has: terminal, input, output, signals.
#pragma once

#include <string>
#include <vector>

namespace warpsim {

// This process becomes the program. Returns only by what it throws: UserError if the program cannot be started.
[[noreturn]] void become_program(const std::string& path, const std::vector<std::string>& words);

// Waits for the end of the program and returns its status, as waitpid() gives it. Signals that ask this process to end
// go to the program, which decides; it is killed when this process is killed. Throws UserError if it cannot be started.
int run_program_to_end(const std::string& path, const std::vector<std::string>& words);

}  // namespace warpsim
