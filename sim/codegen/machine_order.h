// Reorders the machine instructions of each basic block so that fewer of them wait for results.
//
// Instructions whose order is observable (memory accesses, barriers, branches, instructions under a guard of PTX) keep
// their order: they execute with their PTX instruction. All others only affect registers and execute for all threads of
// the split; they move to where their operands are ready, before instructions that would wait, but not far ahead, so
// that few values are live at once.
#pragma once

#include "codegen/function_selector.h"
#include "ptx/flow_graph.h"

namespace warpsim::codegen {

void order_machine_instructions(const ptx::Function& function, const ptx::FlowGraph& graph, std::uint32_t architecture,
                                SelectedFunction& selected);

}  // namespace warpsim::codegen
