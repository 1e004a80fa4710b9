// What a compiler knows of the GPU for which it generates code.
#pragma once

#include <cstdint>
#include <vector>

namespace warpsim::codegen {

struct CompileTarget {
  std::uint32_t architecture = 90;  // SASS architecture: 90 for 9.0
  // Registers per thread up to which the same number of warps fits on an SM, ascending; the last one is the maximum of
  // a thread. Compilers use registers to hide latencies as far as the next of these numbers.
  std::vector<std::uint32_t> register_steps{32, 40, 48, 56, 64, 72, 80, 96, 128, 168, 255};
};

}  // namespace warpsim::codegen
