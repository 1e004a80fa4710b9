// Operations with .sync to which lanes of one warp have come at several places of the code: one operation nevertheless,
// as on hardware (tests/hardware/waiting_threads). Each place has its own operands, each lane gets what it is told
// where it is.
#pragma once

#include <span>

#include "emulator/warp_context.h"

namespace warpsim {

struct ExchangePlace {
  const Operation* operation = nullptr;
  std::byte* registers = nullptr;  // of the call that stands there
  const std::byte* constants_end = nullptr;
  LaneMask lanes = 0;
};

// Of operations with an exchange other than kNothing, the same at all places. Leaves the context's registers and
// constants as they were.
void execute_at_places(WarpContext& warp, std::span<const ExchangePlace> places);

}  // namespace warpsim
