// Where in a function's machine code each value is needed: from its writes to its last reads, with the gaps in
// between, around loops and along all branches.
#pragma once

#include <vector>

#include "codegen/function_selector.h"
#include "ptx/flow_graph.h"

namespace warpsim::codegen {

// Half-open, in half steps: instruction i reads at 2 i and writes at 2 i + 1, so that a result may take the place of an
// operand that is read for the last time.
struct LiveSegment {
  Number begin = 0;
  Number end = 0;
};

// By value; in order and disjoint. Vectors with parts have none; their parts have all ranges.
std::vector<std::vector<LiveSegment>> find_live_ranges(const ptx::FlowGraph& graph, const SelectedFunction& selected);

// By value, in order and disjoint: for how long a memory access (`accesses`, by instruction) may still read it, if that
// takes as long as `instructions` further ones. Hardware keeps a barrier until then, for which writers of the register
// wait.
std::vector<std::vector<LiveSegment>> find_pending_reads(const SelectedFunction& selected,
                                                         const std::vector<bool>& accesses, Number instructions);

}  // namespace warpsim::codegen
