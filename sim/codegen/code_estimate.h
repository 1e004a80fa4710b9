// How long one warp would take for machine code, to choose between orders of the same instructions.
//
// Modelled: issue in order, one instruction a cycle, which waits for its operands, and for memory accesses that may
// still read the registers that it writes. Blocks inside loops count more. Not modelled: other warps, pipes, memory;
// the simulator itself times the code.
#pragma once

#include <cstdint>

#include "codegen/function_selector.h"
#include "codegen/register_assignment.h"
#include "isa/static_instruction.h"
#include "ptx/flow_graph.h"

namespace warpsim::codegen {

// Cycles from issue to a result, approximate: sufficient to decide what is ready.
std::uint32_t latency_of(const StaticInstruction& known);

std::uint64_t estimate_cycles(const ptx::FlowGraph& graph, const SelectedFunction& selected,
                              const AssignedRegisters& registers);

}  // namespace warpsim::codegen
