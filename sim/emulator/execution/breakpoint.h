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
  std::string kernel;                // mangled or demangled
  std::uint32_t line = 0;            // of the PTX file; if it has no instruction, the next one is used
  std::optional<OneWarp> warp = {};  // none: the first that arrives
  std::uint32_t count = 1;           // times that the warp shows its registers
};

// "kernel:line" and "block,warp". Throw UserError.
Breakpoint breakpoint_of(const std::string& text);
Breakpoint::OneWarp warp_of(const std::string& text);

}  // namespace warpsim
