#include "app/launch_file/launch_bounds.h"

#include "app/options/arguments.h"

namespace warpsim {

LaunchBounds launch_bounds(const Arguments& arguments) {
  constexpr std::uint64_t kMostInstructions = 1'000'000'000'000'000;
  constexpr std::uint64_t kMostMebibytes = std::uint64_t{1} << 32U;
  LaunchBounds bounds;
  bounds.max_instructions = arguments.number("max-instructions", 1, kMostInstructions);
  bounds.quarantine_mib = arguments.number("quarantine", 0, kMostMebibytes);
  if (arguments.has("check")) {
    bounds.checks = check_options_of(arguments.text("check"), "--check");
  }
  bounds.tolerant = arguments.has("tolerant");
  return bounds;
}

}  // namespace warpsim
