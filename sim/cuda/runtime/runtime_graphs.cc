// The runtime's functions for graphs and their edges.
#include "cuda/calls.h"
#include "cuda/graphs/graph_calls.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/runtime/runtime_graph_api.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaGraphCreate(GraphHandle* graph, unsigned flags) {
  return runtime_call([&](Context& context) { create_graph(context, graph, flags); });
}

int cudaGraphDestroy(GraphHandle graph) {
  return runtime_call([&](Context& context) { destroy_graph(context, graph); });
}

int cudaGraphClone(GraphHandle* clone, GraphHandle graph) {
  return runtime_call([&](Context& context) { clone_graph(context, clone, graph); });
}

int cudaGraphNodeFindInClone(NodeHandle* node, NodeHandle original, GraphHandle clone) {
  return runtime_call([&](Context& context) { find_in_clone(context, node, original, clone); });
}

int cudaGraphNodeGetType(NodeHandle node, int* type) {
  return runtime_call(
      [&](Context& context) { result(type) = static_cast<int>(type_of(node_of(context, node).payload)); });
}

int cudaGraphGetNodes(GraphHandle graph, NodeHandle* nodes, std::size_t* count) {
  return runtime_call([&](Context& context) { list_nodes(context, graph, nodes, count); });
}

int cudaGraphGetRootNodes(GraphHandle graph, NodeHandle* nodes, std::size_t* count) {
  return runtime_call([&](Context& context) { list_roots(context, graph, nodes, count); });
}

int cudaGraphGetEdges_v2(GraphHandle graph, NodeHandle* from, NodeHandle* to, abi::EdgeData* data, std::size_t* count) {
  return runtime_call([&](Context& context) { list_edges(context, graph, {from, to, data}, count); });
}

int cudaGraphNodeGetDependencies_v2(NodeHandle node, NodeHandle* nodes, abi::EdgeData* data, std::size_t* count) {
  return runtime_call([&](Context& context) { list_before(context, node, {nodes, data}, count); });
}

int cudaGraphNodeGetDependentNodes_v2(NodeHandle node, NodeHandle* nodes, abi::EdgeData* data, std::size_t* count) {
  return runtime_call([&](Context& context) { list_after(context, node, {nodes, data}, count); });
}

int cudaGraphAddDependencies_v2(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                                const abi::EdgeData* data, std::size_t count) {
  return runtime_call([&](Context& context) { add_edges(context, graph, {from, to, data, count}); });
}

int cudaGraphRemoveDependencies_v2(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                                   const abi::EdgeData* data, std::size_t count) {
  return runtime_call([&](Context& context) { remove_edges(context, graph, {from, to, data, count}); });
}

int cudaGraphDestroyNode(NodeHandle node) {
  return runtime_call([&](Context& context) { destroy_node(context, node); });
}

int cudaGraphDebugDotPrint(GraphHandle graph, const char* path, unsigned flags) {
  return runtime_call([&](Context& context) { print_graph(context, graph, path, flags); });
}

int cudaGraphGetEdges(GraphHandle graph, NodeHandle* from, NodeHandle* to, abi::EdgeData* data, std::size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, data, count);
}

int cudaGraphNodeGetDependencies(NodeHandle node, NodeHandle* nodes, abi::EdgeData* data, std::size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, nodes, data, count);
}

int cudaGraphNodeGetDependentNodes(NodeHandle node, NodeHandle* nodes, abi::EdgeData* data, std::size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, nodes, data, count);
}

int cudaGraphAddDependencies(GraphHandle graph, const NodeHandle* from, const NodeHandle* to, const abi::EdgeData* data,
                             std::size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, data, count);
}

int cudaGraphRemoveDependencies(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                                const abi::EdgeData* data, std::size_t count) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, data, count);
}
