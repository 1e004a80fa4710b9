// `warpsim compare`: the same traces on several GPUs, or the launches that several databases have in common.
#pragma once

#include <iosfwd>
#include <string>

#include "app/options/options.h"

namespace warpsim {

// `command` is the command line as typed. Returns the exit code.
int compare_command(const CompareOptions& options, const std::string& command, std::ostream& out);

}  // namespace warpsim
