// How long one warp would take for machine code, to choose between orders of the same instructions.
//
// Modelled: issue in order, one instruction a cycle, which waits for its operands, and for memory accesses that may
// still read the registers that it writes. Blocks inside loops count more. Not modelled: other warps, pipes, memory;
// the simulator itself times the code.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/function_selector.h"
#include "codegen/operand_use.h"
#include "codegen/register_assignment.h"
#include "isa/static_instruction.h"
#include "ptx/flow_graph.h"

namespace warpsim::codegen {

// Cycles from issue to a result, approximate: sufficient to decide what is ready.
std::uint32_t latency_of(const StaticInstruction& known);

class CodeEstimate {
 public:
  // Both outlive it.
  CodeEstimate(const ptx::FlowGraph& graph, const SelectedFunction& selected);

  // By instruction: accesses memory, which reads its registers for some time.
  const std::vector<bool>& accesses() const { return accesses_; }
  // With these registers.
  std::uint64_t cycles(const AssignedRegisters& registers) const;

 private:
  std::uint32_t cycles_of(const ptx::FlowGraph::Block& block, const AssignedRegisters& registers) const;

  const ptx::FlowGraph& graph_;
  const SelectedFunction& selected_;
  OperandUse use_;
  std::vector<std::uint32_t> latency_;  // by instruction
  std::vector<bool> accesses_;
  std::vector<std::uint64_t> weights_;  // by block
};

}  // namespace warpsim::codegen
