// Copies of the instructions of a loop of one block, round by round. Values that only later rounds read get registers
// of their own, so that rounds depend on each other only by the values that the loop carries.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ptx/flow_graph.h"
#include "ptx/liveness.h"
#include "ptx/module.h"

namespace warpsim::codegen {

class RoundCopies {
 public:
  // Both must outlive it; the function is the same until the last copy.
  RoundCopies(ptx::Module& module, ptx::Function& function)
      : module_(module),
        function_(function),
        graph_(ptx::make_flow_graph(function)),
        live_(ptx::live_at_blocks(function, graph_)) {}

  const ptx::FlowGraph& graph() const { return graph_; }
  const ptx::FlowGraph::Block& block(std::uint32_t number) const { return graph_.blocks[number]; }
  // Whether the block or what follows it reads the register.
  bool is_live_at(std::uint32_t block, std::uint32_t reg) const { return live_[block].contains(reg); }

  // The first round of a sequence follows.
  void restart() { names_.clear(); }
  // A copy of the instruction for this round. In the last one registers that the loop or the code behind it reads keep
  // their names.
  ptx::Instruction copy(std::uint32_t instruction, bool is_last);
  // The register has got another value, under its own name.
  void forget(std::uint32_t reg) {
    std::erase_if(names_, [reg](const auto& entry) { return entry.first == reg; });
  }

 private:
  bool is_needed_behind(std::uint32_t block, std::uint32_t reg) const;
  void rename_writes(ptx::Operand& operand, std::uint32_t index, bool is_last);

  ptx::Module& module_;
  ptx::Function& function_;
  ptx::FlowGraph graph_;
  std::vector<ptx::RegisterSet> live_;                          // by block
  std::vector<std::pair<std::uint32_t, std::uint32_t>> names_;  // register and its name in this round
};

}  // namespace warpsim::codegen
