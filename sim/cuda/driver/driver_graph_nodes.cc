// The driver's functions for nodes of graphs.
#include "cuda/calls.h"
#include "cuda/driver/driver_graph_api.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/graphs/node_calls.h"
#include "cuda/graphs/node_operations.h"
#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {

namespace {

abi::DriverKernelNodeParameters driver_parameters(Context& context, NodeHandle node) {
  auto& kernel = payload_of<KernelNode>(node_of(context, node));
  abi::DriverKernelNodeParameters all = {parameters_of(context, kernel), nullptr, nullptr};
  all.common.function = kernel.operation.kernel;
  return all;
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuGraphAddKernelNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                         const abi::KernelNodeParameters* kernel) {
  return driver_call([&](Context& context) {
    add_payload(context, node, {graph, before, count}, kernel_node(context, result(kernel)));
  });
}

int cuGraphAddKernelNode_v2(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                            const abi::DriverKernelNodeParameters* kernel) {
  return driver_call([&](Context& context) {
    add_payload(context, node, {graph, before, count}, kernel_node(context, kernel_of(result(kernel))));
  });
}

int cuGraphKernelNodeGetParams(NodeHandle node, abi::KernelNodeParameters* kernel) {
  return driver_call([&](Context& context) { result(kernel) = driver_parameters(context, node).common; });
}

int cuGraphKernelNodeGetParams_v2(NodeHandle node, abi::DriverKernelNodeParameters* kernel) {
  return driver_call([&](Context& context) { result(kernel) = driver_parameters(context, node); });
}

int cuGraphKernelNodeSetParams(NodeHandle node, const abi::KernelNodeParameters* kernel) {
  return driver_call([&](Context& context) { set_payload(context, node, kernel_node(context, result(kernel))); });
}

int cuGraphKernelNodeSetParams_v2(NodeHandle node, const abi::DriverKernelNodeParameters* kernel) {
  return driver_call(
      [&](Context& context) { set_payload(context, node, kernel_node(context, kernel_of(result(kernel)))); });
}

int cuGraphAddEmptyNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count) {
  return driver_call([&](Context& context) { add_payload(context, node, {graph, before, count}, EmptyNode{}); });
}

int cuGraphAddHostNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                       const abi::HostParameters* host) {
  return driver_call([&](Context& context) {
    add_payload(context, node, {graph, before, count}, host_node(result(host)));
  });
}

int cuGraphHostNodeGetParams(NodeHandle node, abi::HostParameters* host) {
  return driver_call([&](Context& context) { result(host) = payload_of<HostNode>(node_of(context, node)).host; });
}

int cuGraphHostNodeSetParams(NodeHandle node, const abi::HostParameters* host) {
  return driver_call([&](Context& context) { set_payload(context, node, host_node(result(host))); });
}

int cuGraphAddChildGraphNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                             GraphHandle child) {
  return driver_call([&](Context& context) { add_child(context, node, {graph, before, count}, child); });
}

int cuGraphChildGraphNodeGetGraph(NodeHandle node, GraphHandle* graph) {
  return driver_call(
      [&](Context& context) { result(graph) = payload_of<ChildNode>(node_of(context, node)).graph.get(); });
}

int cuGraphAddEventRecordNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                              EventHandle event) {
  return driver_call([&](Context& context) {
    add_event(context, node, {graph, before, count}, EventRecordNode{event});
  });
}

int cuGraphEventRecordNodeGetEvent(NodeHandle node, EventHandle* event) {
  return driver_call(
      [&](Context& context) { result(event) = payload_of<EventRecordNode>(node_of(context, node)).event; });
}

int cuGraphEventRecordNodeSetEvent(NodeHandle node, EventHandle event) {
  return driver_call([&](Context& context) {
    context.event(event);
    set_payload(context, node, EventRecordNode{event});
  });
}

int cuGraphAddEventWaitNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                            EventHandle event) {
  return driver_call([&](Context& context) { add_event(context, node, {graph, before, count}, EventWaitNode{event}); });
}

int cuGraphEventWaitNodeGetEvent(NodeHandle node, EventHandle* event) {
  return driver_call(
      [&](Context& context) { result(event) = payload_of<EventWaitNode>(node_of(context, node)).event; });
}

int cuGraphEventWaitNodeSetEvent(NodeHandle node, EventHandle event) {
  return driver_call([&](Context& context) {
    context.event(event);
    set_payload(context, node, EventWaitNode{event});
  });
}

int cuGraphAddMemAllocNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                           abi::AllocationParameters* parameters) {
  return driver_call([&](Context& context) { add_allocation(context, node, {graph, before, count}, parameters); });
}

int cuGraphMemAllocNodeGetParams(NodeHandle node, abi::AllocationParameters* parameters) {
  return driver_call(
      [&](Context& context) { result(parameters) = payload_of<AllocationNode>(node_of(context, node)).parameters; });
}

int cuGraphMemFreeNodeGetParams(NodeHandle node, void** data) {
  return driver_call([&](Context& context) { result(data) = payload_of<FreeNode>(node_of(context, node)).data; });
}

int cuGraphNodeSetParams(NodeHandle node, abi::NodeParameters* parameters) {
  return driver_call(
      [&](Context& context) { set_payload(context, node, payload_from(context, result(parameters), Api::kDriver)); });
}

int cuGraphKernelNodeCopyAttributes(NodeHandle target, NodeHandle source) {
  return driver_call([&](Context& context) { copy_attributes(context, target, source); });
}

int cuGraphKernelNodeGetAttribute(NodeHandle node, int number, void* value) {
  return driver_call([&](Context& context) { get_attribute(context, node, number, value); });
}

int cuGraphKernelNodeSetAttribute(NodeHandle node, int number, const void* value) {
  return driver_call([&](Context& context) { set_attribute(context, node, number, value); });
}

int cuGraphAddNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                   abi::NodeParameters* parameters) {
  return driver_call([&](Context& context) {
    add_any(context, node, {graph, before, count}, parameters, Api::kDriver);
  });
}

int cuGraphAddNode_v2(NodeHandle* node, GraphHandle graph, const NodeHandle* before, const abi::EdgeData* data,
                      std::size_t count, abi::NodeParameters* parameters) {
  return driver_call([&](Context& context) {
    add_any(context, node, {graph, before, count, data}, parameters, Api::kDriver);
  });
}

int cuGraphConditionalHandleCreate(std::uint64_t* handle, GraphHandle graph, void* /*context*/, unsigned value,
                                   unsigned flags) {
  return driver_call([&](Context& context) { result(handle) = add_condition(context, graph, value, flags); });
}

int cuGraphAddMemFreeNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                          std::uint64_t data) {
  return driver_call([&](Context& context) { add_free(context, node, {graph, before, count}, to_pointer(data)); });
}
