// Which registers of a function hold one value for all threads of a warp that execute together.
//
// A value is uniform if it is computed from constants of the launch, numbers of the block and uniform values only, and
// if no branch that separates threads decides which of several writes they see. Threads that a branch has separated may
// have different values of the same register between them when they meet again: registers that are written between the
// branch and its immediate post-dominator, and read after it. This includes loops that threads leave one by one.
//
// Invariant: what is not known to be uniform is not uniform: calls, atomics, local memory, and results of other lanes
// but those of votes and of a lane that is the same for all.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/flow_graph.h"
#include "ptx/module.h"
#include "ptx/register_set.h"

namespace warpsim::codegen {

class WarpUniformity {
 public:
  // Both outlive it.
  WarpUniformity(const ptx::Function& function, const ptx::FlowGraph& graph);

  bool is_uniform(std::uint32_t reg) const { return uniform_[reg]; }
  // Threads of a warp may go different ways after the block.
  bool separates(std::uint32_t block) const { return separates_[block]; }

 private:
  bool is_uniform_source(const ptx::Operand& operand) const;
  bool computes_uniform(const ptx::Instruction& instruction) const;
  bool follow_data();
  bool follow_branches();
  bool may_separate(std::uint32_t block) const;
  std::vector<bool> reached_from(std::uint32_t first, std::uint32_t meet) const;
  void drop_written_after(std::uint32_t block);
  bool drop(std::uint32_t reg);

  const ptx::Function& function_;
  const ptx::FlowGraph& graph_;
  std::vector<std::uint32_t> meets_;    // immediate post-dominators, by block
  std::vector<ptx::RegisterSet> live_;  // by block, at its beginning
  std::vector<bool> uniform_;           // by register
  std::vector<bool> separates_;         // by block
};

}  // namespace warpsim::codegen
