#include "core/sub_core/stall_reason.h"

#include <array>

namespace warpsim {

const char* to_string(StallReason reason) {
  static constexpr std::array<const char*, kStallReasonCount> kNames = {
      "selected",    "not_selected", "wait",     "barrier",        "branch_resolving", "dispatch_stall",
      "drain",       "gmma",         "imc_miss", "lg_throttle",    "long_scoreboard",  "math_pipe_throttle",
      "membar",      "mio_throttle", "misc",     "no_instruction", "short_scoreboard", "sleeping",
      "tex_throttle"};
  return kNames.at(static_cast<std::size_t>(reason));
}

}  // namespace warpsim
