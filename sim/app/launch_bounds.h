// What bounds and checks launches of PTX, whoever asks for them.
#pragma once

#include <cstdint>
#include <optional>

#include "emulator/check_options.h"

namespace warpsim {

class Arguments;

struct LaunchBounds {
  std::optional<std::uint64_t> max_instructions;  // of warps, of a launch
  std::optional<std::uint64_t> quarantine_mib;    // freed memory that is not used again; empty: no limit
  CheckOptions checks;
};

// Of --max-instructions, --quarantine and --check. Throws UsageError.
LaunchBounds launch_bounds(const Arguments& arguments);

}  // namespace warpsim
