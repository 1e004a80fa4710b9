// Brings the machine instructions of each block into an order in which fewer of them wait for results.
//
// Instructions that other warps and the machine can tell the order of (memory accesses, barriers, branches, whatever a
// guard of PTX switches off) stay as they are: they are executed with their PTX instruction. All others only touch
// registers and are executed for all threads that come by; they go where their operands are ready, in front of
// instructions that would wait, but not far ahead, so that few values live at once.
#pragma once

#include "codegen/function_selector.h"
#include "ptx/flow_graph.h"

namespace warpsim::codegen {

void order_machine_instructions(const ptx::Function& function, const ptx::FlowGraph& graph, std::uint32_t architecture,
                                SelectedFunction& selected);

}  // namespace warpsim::codegen
