// Orders the instructions of each basic block as a compiler would: each as late as its readers allow, so that values
// live shortly; those with long latencies earlier, as far as registers allow; barriers and fences as late as possible.
// Evidence: distances from results to their first readers in code of ptxas 13.0 for 9.0 of 100 public programs.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/register_pressure.h"
#include "ptx/flow_graph.h"
#include "ptx/module.h"

namespace warpsim::codegen {

// Instructions in their new order, with at most `registers` words of values live at once where the order of the text
// has no more. Results stay the same: dependents of an instruction stay after it, stores and atomics keep their order
// among themselves and to loads that may read them, no instruction passes barriers, fences, calls or clocks.
std::vector<std::uint32_t> order_for(const ptx::Function& function, const ptx::FlowGraph& graph,
                                     const RegisterPressure& pressure, std::uint32_t registers);

// Moves each instruction `order[i]` to place i.
void reorder(ptx::Function& function, const std::vector<std::uint32_t>& order);

}  // namespace warpsim::codegen
