// Operations with .sync that lanes of one warp have reached in several places of the code. They are one operation, as
// on hardware (tests/hardware/waiting_threads). Each place has its own operands, and each lane gets the result for its
// place.
#pragma once

#include <span>

#include "emulator/execution/warp_context.h"

namespace warpsim {

struct ExchangePlace {
  const Operation* operation = nullptr;
  std::byte* registers = nullptr;  // of the call at that place
  const std::byte* constants_end = nullptr;
  LaneMask lanes = 0;
};

// For operations with an exchange (not kNothing), the same at all places. Does not change the context's registers or
// constants.
void execute_at_places(WarpContext& warp, std::span<const ExchangePlace> places);

}  // namespace warpsim
