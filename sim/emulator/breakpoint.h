// A place in PTX at which a warp prints its registers, as the user writes it (implemented in breakpoints.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpsim {

struct Breakpoint {
  struct OneWarp {
    std::uint64_t block = 0;  // x + grid.x * (y + grid.y * z)
    std::uint32_t warp = 0;   // in its block
  };
  std::string kernel;                // as in PTX or as people read it
  std::uint32_t line = 0;            // of the PTX file; without an instruction there, the next one counts
  std::optional<OneWarp> warp = {};  // nothing: the first that comes
  std::uint32_t count = 1;           // times that the warp shows its registers
};

// "kernel:line" and "block,warp". Throw UserError.
Breakpoint breakpoint_of(const std::string& text);
Breakpoint::OneWarp warp_of(const std::string& text);

}  // namespace warpsim
