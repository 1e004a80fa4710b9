// The launch of an instantiated graph into a stream.
//
// Modelled: the launch waits for the work of the stream before it and for the last launch of the same graph; later work
// of the stream waits for all nodes. Evidence: CUDA C++ programming guide, "CUDA Graphs".
#pragma once

#include "cuda/graphs/graph_exec.h"

namespace warpsim::cuda {

// Into a captured stream, it is a node with the graph.
void launch_graph(Context& context, GraphExec& exec, StreamHandle stream);

}  // namespace warpsim::cuda
