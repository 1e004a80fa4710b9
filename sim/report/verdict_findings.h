// Findings in a launch besides its limiter: properties that its author could change, each with its evidence.
#pragma once

#include <string>
#include <vector>

#include "report/verdict.h"

namespace warpsim {

// Most important first, without the kind that the verdict already names (`limiter`).
std::vector<Finding> further_findings(const LaunchFacts& facts, const std::string& limiter);

}  // namespace warpsim
