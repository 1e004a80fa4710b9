// The functions about graphs of toolkit 11's runtime whose arguments differ from those of 12. What they call is
// declared here, as C has one declaration for a name.
#include <cstddef>

#include "cuda/graphs/graph_abi.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the names are CUDA's
extern "C" {
using warpsim::cuda::ExecHandle;
using warpsim::cuda::GraphHandle;
using warpsim::cuda::NodeHandle;

int warpsimGraphInstantiate11(ExecHandle* exec, GraphHandle graph, NodeHandle* error_node, char* log,
                              std::size_t bytes);
int warpsimGraphExecUpdate11(ExecHandle exec, GraphHandle graph, NodeHandle* error_node, int* update);

int cudaGraphInstantiate(ExecHandle* exec, GraphHandle graph, NodeHandle* error_node, char* log, std::size_t bytes) {
  return warpsimGraphInstantiate11(exec, graph, error_node, log, bytes);
}

int cudaGraphExecUpdate(ExecHandle exec, GraphHandle graph, NodeHandle* error_node, int* update) {
  return warpsimGraphExecUpdate11(exec, graph, error_node, update);
}
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
#pragma GCC visibility pop
