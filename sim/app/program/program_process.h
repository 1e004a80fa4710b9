// A program that runs as a child of this process with the same terminal, input, output and signals.
#pragma once

#include <string>
#include <vector>

namespace warpsim {

// Replaces this process by the program. Does not return; throws UserError if the program cannot be started.
[[noreturn]] void become_program(const std::string& path, const std::vector<std::string>& words);

// Waits for the end of the program and returns its status, as waitpid() gives it. Termination signals to this process
// are forwarded to the program, which handles them; it is killed when this process is killed. Throws UserError if it
// cannot be started.
int run_program_to_end(const std::string& path, const std::vector<std::string>& words);

}  // namespace warpsim
