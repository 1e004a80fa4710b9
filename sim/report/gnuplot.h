// Runs gnuplot, which draws figures.
#pragma once

#include <string>

namespace warpsim {

// Runs gnuplot on a script in a folder, without the user's start-up files. Returns its warnings. Throws UserError, with
// its output, if it is not installed or ends with an error.
std::string run_gnuplot(const std::string& folder, const std::string& script, const std::string& program = "gnuplot");

}  // namespace warpsim
