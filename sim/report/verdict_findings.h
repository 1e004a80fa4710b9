// What stands out in a launch beside what limits it: things that its author could change, each with its evidence.
#pragma once

#include <string>
#include <vector>

#include "report/verdict.h"

namespace warpsim {

// Gravest first; what the verdict says already (`limiter`, a kind) is left out.
std::vector<Finding> further_findings(const LaunchFacts& facts, const std::string& limiter);

}  // namespace warpsim
