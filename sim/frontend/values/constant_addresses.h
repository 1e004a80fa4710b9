// The addresses of constants that a recorded block reads at addresses in registers (LDC, ULDC), which no trace
// contains: followed from the program's text along the path of each warp.
//
// Only the instructions are followed on which these addresses depend. What no trace contains (parameters, loaded data)
// counts as 0, so that distances between addresses with the same unknown part are right. Invariant: recorded addresses
// are not changed.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/values/warp_values.h"
#include "frontend/workload/block_trace.h"

namespace warpsim {

class ConstantAddresses {
 public:
  // Whether the program has such instructions and its text is known.
  static bool needed(const StaticProgram& program);
  explicit ConstantAddresses(const KernelLaunch& launch);
  void fill(BlockTrace& trace);

 private:
  void find_followed();
  void note_address(WarpInstruction& record, AddressPool& addresses);

  const KernelLaunch* launch_;
  ScalarProgram program_;
  WarpValues values_;
  std::vector<bool> followed_;  // by static instruction
};

}  // namespace warpsim
