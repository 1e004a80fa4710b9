// A pipe that the sub-cores of an SM share: it executes their instructions one after another, in order of issue.
//
// Evidence: S2R, REDUX and each value of MATCH occupy the pipe for two cycles, independent of the number of sub-cores
// (tests/hardware/pipe_sharing).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/types.h"

namespace warpsim {

class SharedPipe {
 public:
  // When an instruction issued now starts, after those issued before.
  Cycle take(std::uint32_t initiation_cycles, Cycle now) {
    const Cycle start = std::max(free_at_, now);
    free_at_ = start + initiation_cycles;
    return start;
  }

 private:
  Cycle free_at_ = 0;
};

}  // namespace warpsim
