// Waiting loops on barriers in shared memory. A trace holds as many iterations as the barrier took while it was being
// recorded; the simulated barrier decides again. Each visit of a loop is reduced to one iteration, whose first check
// becomes a wait; the recorded path continues after it.
//
// Recognised: loops backwards over a check (SYNCS.PHASECHK) that only contain sleeps, branches and arithmetic; a check
// ahead of its loop whose success would have jumped over it, so that the loop is removed and the check waits; single
// checks that succeeded. A check that failed, and was not repeated, stays a check. Loops whose barrier could not be
// followed stay as recorded.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/values/scalar_program.h"
#include "frontend/workload/block_trace.h"

namespace warpsim {

struct WaitLoopStats {
  std::uint64_t waits = 0;             // instructions that wait for a simulated barrier
  std::uint64_t removed = 0;           // recorded instructions removed
  std::uint64_t kept_as_recorded = 0;  // visits of loops whose barrier is unknown
};

class WaitLoops {
 public:
  WaitLoops(const StaticProgram& program, const ScalarProgram& scalar);
  // The block's operations must be decoded.
  void fold(BlockTrace& trace, WaitLoopStats& stats) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Loop {
    std::uint32_t head = 0;  // static instructions, both included
    std::uint32_t branch = 0;
  };
  class Folder;

  bool only_waits(const Loop& loop) const;
  bool is_check(std::uint32_t index) const { return checks_[index]; }

  const StaticProgram* program_;
  const ScalarProgram* scalar_;
  std::vector<Loop> loops_;
  std::vector<std::uint32_t> loop_of_;  // by static instruction
  std::vector<bool> checks_;
};

}  // namespace warpsim
