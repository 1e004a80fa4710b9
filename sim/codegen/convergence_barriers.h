// Where threads of a warp that diverged at a branch wait for each other (BSYNC), and where their barrier is set up
// (BSSY): they reconverge at the branch's immediate post-dominator, unless that is the end of the function.
#pragma once

#include <vector>

#include "codegen/warp_uniformity.h"
#include "ptx/flow_graph.h"

namespace warpsim::codegen {

struct ConvergenceBarriers {
  std::vector<bool> opens;    // by instruction, and after the last one: a barrier is set up before it
  std::vector<bool> gathers;  // threads wait for each other before it
};

// Sets up a barrier on every path to the branches that meet there, outside of loops without the meeting point.
ConvergenceBarriers find_convergence_barriers(const ptx::Function& function, const ptx::FlowGraph& graph,
                                              const WarpUniformity& uniformity);

}  // namespace warpsim::codegen
