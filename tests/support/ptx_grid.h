// Launches kernels of PTX on the emulator and returns what they wrote: for tests of warps, blocks and clusters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"

namespace warpsim::test {

struct PtxGrid {
  // The kernel's instructions, with registers %r<64> .b32, %q<64> .b64, %f<16> .f32 and %p<16> .pred. %t is the
  // thread's number in its block, %in and %out are the buffers, %own is the thread's own word of %out.
  std::string body;
  std::string before = {};  // functions and variables of the module
  std::vector<std::uint32_t> input = {};
  std::uint32_t output_words = 0;  // 0: one a thread
  Dim3 grid = {1, 1, 1};
  Dim3 block = {32, 1, 1};
  Dim3 cluster = {1, 1, 1};
  bool independent_threads = true;  // 7.0 and later
  std::uint32_t resident_blocks = 1;
  std::uint32_t local_bytes = 4096;  // a thread's
};

// The output buffer, which was 0 before. Throws PtxError and KernelFault.
std::vector<std::uint32_t> execute_ptx(const PtxGrid& launch);

}  // namespace warpsim::test
