// The runtime's functions for nodes of graphs.
#include "cuda/calls.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/graphs/node_calls.h"
#include "cuda/graphs/node_operations.h"
#include "cuda/runtime/runtime_graph_api.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaGraphAddKernelNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                           const abi::KernelNodeParameters* kernel) {
  return runtime_call([&](Context& context) {
    add_payload(context, node, {graph, before, count}, kernel_node(context, result(kernel)));
  });
}

int cudaGraphKernelNodeGetParams(NodeHandle node, abi::KernelNodeParameters* kernel) {
  return runtime_call([&](Context& context) {
    result(kernel) = parameters_of(context, payload_of<KernelNode>(node_of(context, node)));
  });
}

int cudaGraphKernelNodeSetParams(NodeHandle node, const abi::KernelNodeParameters* kernel) {
  return runtime_call([&](Context& context) { set_payload(context, node, kernel_node(context, result(kernel))); });
}

int cudaGraphAddEmptyNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count) {
  return runtime_call([&](Context& context) { add_payload(context, node, {graph, before, count}, EmptyNode{}); });
}

int cudaGraphAddHostNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                         const abi::HostParameters* host) {
  return runtime_call([&](Context& context) {
    add_payload(context, node, {graph, before, count}, host_node(result(host)));
  });
}

int cudaGraphHostNodeGetParams(NodeHandle node, abi::HostParameters* host) {
  return runtime_call([&](Context& context) { result(host) = payload_of<HostNode>(node_of(context, node)).host; });
}

int cudaGraphHostNodeSetParams(NodeHandle node, const abi::HostParameters* host) {
  return runtime_call([&](Context& context) { set_payload(context, node, host_node(result(host))); });
}

int cudaGraphAddChildGraphNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                               GraphHandle child) {
  return runtime_call([&](Context& context) { add_child(context, node, {graph, before, count}, child); });
}

int cudaGraphChildGraphNodeGetGraph(NodeHandle node, GraphHandle* graph) {
  return runtime_call(
      [&](Context& context) { result(graph) = payload_of<ChildNode>(node_of(context, node)).graph.get(); });
}

int cudaGraphAddEventRecordNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                                EventHandle event) {
  return runtime_call([&](Context& context) {
    add_event(context, node, {graph, before, count}, EventRecordNode{event});
  });
}

int cudaGraphEventRecordNodeGetEvent(NodeHandle node, EventHandle* event) {
  return runtime_call(
      [&](Context& context) { result(event) = payload_of<EventRecordNode>(node_of(context, node)).event; });
}

int cudaGraphEventRecordNodeSetEvent(NodeHandle node, EventHandle event) {
  return runtime_call([&](Context& context) {
    context.event(event);
    set_payload(context, node, EventRecordNode{event});
  });
}

int cudaGraphAddEventWaitNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                              EventHandle event) {
  return runtime_call([&](Context& context) {
    add_event(context, node, {graph, before, count}, EventWaitNode{event});
  });
}

int cudaGraphEventWaitNodeGetEvent(NodeHandle node, EventHandle* event) {
  return runtime_call(
      [&](Context& context) { result(event) = payload_of<EventWaitNode>(node_of(context, node)).event; });
}

int cudaGraphEventWaitNodeSetEvent(NodeHandle node, EventHandle event) {
  return runtime_call([&](Context& context) {
    context.event(event);
    set_payload(context, node, EventWaitNode{event});
  });
}

int cudaGraphAddMemAllocNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                             abi::AllocationParameters* parameters) {
  return runtime_call([&](Context& context) { add_allocation(context, node, {graph, before, count}, parameters); });
}

int cudaGraphMemAllocNodeGetParams(NodeHandle node, abi::AllocationParameters* parameters) {
  return runtime_call(
      [&](Context& context) { result(parameters) = payload_of<AllocationNode>(node_of(context, node)).parameters; });
}

int cudaGraphMemFreeNodeGetParams(NodeHandle node, void** data) {
  return runtime_call([&](Context& context) { result(data) = payload_of<FreeNode>(node_of(context, node)).data; });
}

int cudaGraphNodeSetParams(NodeHandle node, abi::NodeParameters* parameters) {
  return runtime_call(
      [&](Context& context) { set_payload(context, node, payload_from(context, result(parameters), Api::kRuntime)); });
}

int cudaGraphKernelNodeCopyAttributes(NodeHandle target, NodeHandle source) {
  return runtime_call([&](Context& context) { copy_attributes(context, target, source); });
}

int cudaGraphKernelNodeGetAttribute(NodeHandle node, int number, void* value) {
  return runtime_call([&](Context& context) { get_attribute(context, node, number, value); });
}

int cudaGraphKernelNodeSetAttribute(NodeHandle node, int number, const void* value) {
  return runtime_call([&](Context& context) { set_attribute(context, node, number, value); });
}

int cudaGraphAddNode_v2(NodeHandle* node, GraphHandle graph, const NodeHandle* before, const abi::EdgeData* data,
                        std::size_t count, abi::NodeParameters* parameters) {
  return runtime_call([&](Context& context) {
    add_any(context, node, {graph, before, count, data}, parameters, Api::kRuntime);
  });
}

int cudaGraphAddNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, const abi::EdgeData* data,
                     std::size_t count, abi::NodeParameters* parameters) {
  return runtime_call([&](Context& context) {
    add_any(context, node, {graph, before, count, data}, parameters, Api::kRuntime);
  });
}

int cudaGraphConditionalHandleCreate(std::uint64_t* handle, GraphHandle graph, unsigned value, unsigned flags) {
  return runtime_call([&](Context& context) { result(handle) = add_condition(context, graph, value, flags); });
}

int cudaGraphAddMemFreeNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                            void* data) {
  return runtime_call([&](Context& context) { add_free(context, node, {graph, before, count}, data); });
}
