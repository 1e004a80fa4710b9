// The edges of captured nodes: what the next node of a stream waits for, and how.
#pragma once

#include <span>
#include <vector>

#include "cuda/graphs/graph_node.h"

namespace warpsim::cuda {

// Adds the links that are not there.
void merge(std::vector<GraphLink>& all, std::span<const GraphLink> others);
// A node with this content follows. A kernel that was launched as dependent on the one kernel before it follows before
// its end; nodes of other types wait for the ends of kernels.
void adapt_edges(std::vector<GraphLink>& before, const NodePayload& next);

}  // namespace warpsim::cuda
