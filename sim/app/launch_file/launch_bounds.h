// Limits and checks of PTX launches, for all commands that run PTX.
#pragma once

#include <cstdint>
#include <optional>

#include "emulator/races/check_options.h"

namespace warpsim {

class Arguments;

struct LaunchBounds {
  std::optional<std::uint64_t> max_instructions;  // warp instructions of a launch
  std::optional<std::uint64_t> quarantine_mib;    // freed memory that is not reused; empty: no limit
  CheckOptions checks;
  bool tolerant = false;  // of what CUDA does not allow but hardware does
};

// Of --max-instructions, --quarantine, --check and --tolerant. Throws UsageError.
LaunchBounds launch_bounds(const Arguments& arguments);

}  // namespace warpsim
