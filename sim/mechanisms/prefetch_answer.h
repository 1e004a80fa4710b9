// What the simulator checks of the lines that a prefetcher names (warpsim/prefetcher.h).
#pragma once

#include <string>

#include "warpsim/prefetcher.h"

namespace warpsim {

// Throws ConfigError for a line that is no multiple of kLineBytes, and for sectors that a line does not have. `name`:
// of the mechanism.
void require_lines(const mechanism::PrefetchList& wanted, const std::string& name);

}  // namespace warpsim
