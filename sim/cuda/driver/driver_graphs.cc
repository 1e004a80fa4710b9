// The driver's functions for graphs and their edges.
#include "cuda/calls.h"
#include "cuda/driver/driver_graph_api.h"
#include "cuda/graphs/graph_calls.h"
#include "cuda/graphs/graph_state.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuGraphGetEdges(GraphHandle graph, NodeHandle* from, NodeHandle* to, std::size_t* count) {
  return driver_call([&](Context& context) { list_edges(context, graph, {from, to, nullptr}, count); });
}

int cuGraphNodeGetDependencies(NodeHandle node, NodeHandle* nodes, std::size_t* count) {
  return driver_call([&](Context& context) { list_before(context, node, {nodes, nullptr}, count); });
}

int cuGraphNodeGetDependentNodes(NodeHandle node, NodeHandle* nodes, std::size_t* count) {
  return driver_call([&](Context& context) { list_after(context, node, {nodes, nullptr}, count); });
}

int cuGraphAddDependencies(GraphHandle graph, const NodeHandle* from, const NodeHandle* to, std::size_t count) {
  return driver_call([&](Context& context) { add_edges(context, graph, {from, to, nullptr, count}); });
}

int cuGraphRemoveDependencies(GraphHandle graph, const NodeHandle* from, const NodeHandle* to, std::size_t count) {
  return driver_call([&](Context& context) { remove_edges(context, graph, {from, to, nullptr, count}); });
}

int cuGraphCreate(GraphHandle* graph, unsigned flags) {
  return driver_call([&](Context& context) { create_graph(context, graph, flags); });
}

int cuGraphDestroy(GraphHandle graph) {
  return driver_call([&](Context& context) { destroy_graph(context, graph); });
}

int cuGraphClone(GraphHandle* clone, GraphHandle graph) {
  return driver_call([&](Context& context) { clone_graph(context, clone, graph); });
}

int cuGraphNodeFindInClone(NodeHandle* node, NodeHandle original, GraphHandle clone) {
  return driver_call([&](Context& context) { find_in_clone(context, node, original, clone); });
}

int cuGraphNodeGetType(NodeHandle node, int* type) {
  return driver_call(
      [&](Context& context) { result(type) = static_cast<int>(type_of(node_of(context, node).payload)); });
}

int cuGraphGetNodes(GraphHandle graph, NodeHandle* nodes, std::size_t* count) {
  return driver_call([&](Context& context) { list_nodes(context, graph, nodes, count); });
}

int cuGraphGetRootNodes(GraphHandle graph, NodeHandle* nodes, std::size_t* count) {
  return driver_call([&](Context& context) { list_roots(context, graph, nodes, count); });
}

int cuGraphGetEdges_v2(GraphHandle graph, NodeHandle* from, NodeHandle* to, abi::EdgeData* data, std::size_t* count) {
  return driver_call([&](Context& context) { list_edges(context, graph, {from, to, data}, count); });
}

int cuGraphNodeGetDependencies_v2(NodeHandle node, NodeHandle* nodes, abi::EdgeData* data, std::size_t* count) {
  return driver_call([&](Context& context) { list_before(context, node, {nodes, data}, count); });
}

int cuGraphNodeGetDependentNodes_v2(NodeHandle node, NodeHandle* nodes, abi::EdgeData* data, std::size_t* count) {
  return driver_call([&](Context& context) { list_after(context, node, {nodes, data}, count); });
}

int cuGraphAddDependencies_v2(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                              const abi::EdgeData* data, std::size_t count) {
  return driver_call([&](Context& context) { add_edges(context, graph, {from, to, data, count}); });
}

int cuGraphRemoveDependencies_v2(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                                 const abi::EdgeData* data, std::size_t count) {
  return driver_call([&](Context& context) { remove_edges(context, graph, {from, to, data, count}); });
}

int cuGraphDestroyNode(NodeHandle node) {
  return driver_call([&](Context& context) { destroy_node(context, node); });
}

int cuGraphDebugDotPrint(GraphHandle graph, const char* path, unsigned flags) {
  return driver_call([&](Context& context) { print_graph(context, graph, path, flags); });
}
