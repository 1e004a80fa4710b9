// The changes by lowering in the simulated kernels, and their text in the summary.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frontend/lowering/lowered_program.h"

namespace warpsim {

// What was executed, summed over blocks.
struct LoweringCounts {
  std::uint64_t executed = 0;  // recorded warp instructions
  std::uint64_t replaced = 0;  // of them, instructions that need several on the GPU, or are missing
  std::uint64_t issued = 0;    // issued instead of all of them
  // Asynchronous instructions of 9.0 and later:
  std::uint64_t copies = 0;  // bulk copies that warps execute themselves
  std::uint64_t copied_bytes = 0;
  std::uint64_t barrier_operations = 0;  // done by ordinary accesses to shared memory
  std::uint64_t barrier_operations_left_out = 0;
  std::uint64_t unknown = 0;  // omitted, since their effect is unknown

  // Blocks on several threads may add at the same time.
  void add(const LoweringCounts& more);
};

// What was changed, for the summary.
struct LoweringFindings : LoweringCounts {
  std::string kernel;
  std::uint32_t recorded_architecture = 0;
  std::uint32_t architecture = 0;
  bool control_dropped = false;
  std::uint32_t registers_cut = 0;  // registers per thread beyond those of the GPU; their spills are not modelled
  std::map<std::string, LoweredProgram::Change> changed;
  bool cluster_dropped = false;  // asynchronous instructions of 9.0 and later have no cluster
};
// One sentence per fact, for all kernels together.
std::vector<std::string> lowering_notes(const std::vector<std::shared_ptr<const LoweringFindings>>& findings);

// 86 as "8.6".
std::string capability_text(std::uint32_t architecture);

}  // namespace warpsim
