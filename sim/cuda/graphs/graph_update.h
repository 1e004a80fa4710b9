// Updates of an instantiated graph from another graph with the same nodes and edges.
//
// Nodes are paired by the order of their creation. Evidence: CUDA runtime API, cudaGraphExecUpdate.
#pragma once

#include <cstdint>

#include "cuda/graphs/graph.h"

namespace warpsim::cuda {

// CUDA's numbers.
enum class UpdateFailure : int {
  kNone = 0,
  kTopology = 2,
  kType = 3,
  kParameters = 5,
  kNotSupported = 6,
  kAttributes = 8,
};
struct UpdateOutcome {
  UpdateFailure result = UpdateFailure::kNone;
  NodeHandle node = nullptr;  // of the new graph
  NodeHandle from = nullptr;
};
// Changes nothing if it fails.
UpdateOutcome update_graph(Context& context, const Graph& own, const Graph& other);

}  // namespace warpsim::cuda
