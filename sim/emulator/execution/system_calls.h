// How long a warp is busy in functions of the driver, whose own code is not executed (external_calls.h).
#pragma once

#include <cstdint>

#include "base/types.h"

namespace warpsim {

enum class SystemCall : std::uint8_t { kPrint, kAllocate, kRelease };

class SystemCalls {
 public:
  virtual ~SystemCalls() = default;
  // The end of a warp's call that begins at `now`, with so many threads. Calls come in the order of their beginnings.
  virtual Cycle ends_at(SystemCall call, std::uint64_t grid, std::uint32_t threads, Cycle now) = 0;
};

}  // namespace warpsim
