// Runs kernels of PTX on a GPU of the core, executed at issue, and returns their output and counters.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "support/machine.h"
#include "support/ptx_grid.h"

namespace warpsim::test {

struct TimedPtx {
  LaunchResult result;
  Counters counters;
  std::map<std::string, std::uint64_t> statistics;
  std::vector<std::uint32_t> output;  // as returned by execute_ptx()
};

// On configs/test_tiny.yaml, with plain_machine_code(), or the code that a compiler would generate if the launch is
// `optimised`, lowered to another architecture if `lowered_to` is not 0.
// Throws PtxError, KernelFault and DeadlockError.
TimedPtx run_ptx(const PtxGrid& launch, const Overrides& overrides = {}, const MachineOptions& options = {},
                 std::uint32_t lowered_to = 0);

// Two launches of the grid that run at the same time, on the same memory: the output is that of both.
std::array<TimedPtx, 2> run_ptx_twice(const PtxGrid& launch, const MachineOptions& options = {});

// The grid on each of two GPUs that can access each other's memory, at the same time. The input has 2048 words: the
// first half is in the memory of GPU 0, the second in that of GPU 1, and %in is the GPU's own half. The first word of a
// half says whose it is: 0 or 1. The output likewise has a half for each GPU.
std::array<TimedPtx, 2> run_ptx_on_two_gpus(const PtxGrid& launch, MachineOptions options = {});
inline constexpr std::uint32_t kWordsOfGpu = 1024;

}  // namespace warpsim::test
