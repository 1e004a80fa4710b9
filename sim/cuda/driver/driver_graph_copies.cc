// The driver's functions for copies and fills as nodes of graphs.
#include "cuda/calls.h"
#include "cuda/driver/driver_graph_api.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/graphs/node_calls.h"
#include "cuda/graphs/node_operations.h"
#include "cuda/memory/memory_calls.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuGraphAddMemcpyNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                         const abi::DriverMemcpy3d* copy, void* /*handle*/) {
  return driver_call([&](Context& context) {
    add_payload(context, node, {graph, before, count}, copy_node(context, runtime_copy(context, result(copy))));
  });
}

int cuGraphMemcpyNodeGetParams(NodeHandle node, abi::DriverMemcpy3d* copy) {
  return driver_call([&](Context& context) {
    result(copy) = driver_copy(context, payload_of<CopyNode>(node_of(context, node)).copy);
  });
}

int cuGraphMemcpyNodeSetParams(NodeHandle node, const abi::DriverMemcpy3d* copy) {
  return driver_call(
      [&](Context& context) { set_payload(context, node, copy_node(context, runtime_copy(context, result(copy)))); });
}

int cuGraphExecMemcpyNodeSetParams(ExecHandle exec, NodeHandle node, const abi::DriverMemcpy3d* copy,
                                   void* /*handle*/) {
  return driver_call([&](Context& context) {
    set_exec_payload(context, exec, node, copy_node(context, runtime_copy(context, result(copy))));
  });
}

int cuGraphAddMemsetNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                         const abi::FillParameters* fill, void* /*handle*/) {
  return driver_call([&](Context& context) {
    add_payload(context, node, {graph, before, count}, fill_node(context, result(fill)));
  });
}

int cuGraphMemsetNodeGetParams(NodeHandle node, abi::FillParameters* fill) {
  return driver_call([&](Context& context) { result(fill) = payload_of<FillNode>(node_of(context, node)).fill; });
}

int cuGraphMemsetNodeSetParams(NodeHandle node, const abi::FillParameters* fill) {
  return driver_call([&](Context& context) { set_payload(context, node, fill_node(context, result(fill))); });
}

int cuGraphExecMemsetNodeSetParams(ExecHandle exec, NodeHandle node, const abi::FillParameters* fill,
                                   void* /*handle*/) {
  return driver_call(
      [&](Context& context) { set_exec_payload(context, exec, node, fill_node(context, result(fill))); });
}
