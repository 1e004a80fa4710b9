// `warpsim serve`: the report of databases in a browser of this machine, live.
#pragma once

#include <iosfwd>

#include "app/options/options.h"

namespace warpsim {

// Serves until SIGINT or SIGTERM. Returns the exit code.
int serve_command(const ServeOptions& options, std::ostream& out);

}  // namespace warpsim
