// The driver's functions for instantiated graphs.
#include "cuda/calls.h"
#include "cuda/driver/driver_graph_api.h"
#include "cuda/graphs/exec_calls.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/graphs/node_calls.h"
#include "cuda/graphs/node_operations.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuGraphInstantiate(ExecHandle* exec, GraphHandle graph, NodeHandle* error_node, char* log, std::size_t bytes) {
  return context_call([&](Context& context) { instantiate_logged(context, exec, graph, {error_node, log, bytes}); });
}

int cuGraphInstantiate_v2(ExecHandle* exec, GraphHandle graph, NodeHandle* error_node, char* log, std::size_t bytes) {
  return context_call([&](Context& context) { instantiate_logged(context, exec, graph, {error_node, log, bytes}); });
}

int cuGraphExecUpdate(ExecHandle exec, GraphHandle graph, NodeHandle* error_node, int* update) {
  return driver_call([&](Context& context) { update_exec_old(context, exec, graph, error_node, update); });
}

int cuGraphExecUpdate_v2(ExecHandle exec, GraphHandle graph, abi::UpdateResult* update) {
  return driver_call([&](Context& context) { update_exec(context, exec, graph, update); });
}

int cuGraphInstantiateWithFlags(ExecHandle* exec, GraphHandle graph, unsigned long long flags) {
  return context_call([&](Context& context) { instantiate_graph(context, exec, graph, flags); });
}

int cuGraphInstantiateWithParams(ExecHandle* exec, GraphHandle graph, abi::InstantiateParameters* parameters) {
  return driver_call([&](Context& context) { instantiate_with(context, exec, graph, parameters); });
}

int cuGraphExecDestroy(ExecHandle exec) {
  return driver_call([&](Context& context) { destroy_exec(context, exec); });
}

int cuGraphExecGetFlags(ExecHandle exec, std::uint64_t* flags) {
  return driver_call([&](Context& context) { exec_flags(context, exec, flags); });
}

int cuGraphUpload(ExecHandle exec, StreamHandle stream) {
  return stream_call(stream, [&](Context& context) { upload_exec(context, exec, stream); });
}

int cuGraphLaunch(ExecHandle exec, StreamHandle stream) {
  return stream_call(stream, [&](Context& context) { launch_exec(context, exec, stream); });
}

int cuGraphNodeSetEnabled(ExecHandle exec, NodeHandle node, unsigned enabled) {
  return driver_call([&](Context& context) { enable_node(context, exec, node, enabled); });
}

int cuGraphNodeGetEnabled(ExecHandle exec, NodeHandle node, unsigned* enabled) {
  return driver_call([&](Context& context) { node_enabled(context, exec, node, enabled); });
}

int cuGraphExecChildGraphNodeSetParams(ExecHandle exec, NodeHandle node, GraphHandle child) {
  return driver_call([&](Context& context) { set_exec_child(context, exec, node, child); });
}

int cuGraphExecEventRecordNodeSetEvent(ExecHandle exec, NodeHandle node, EventHandle event) {
  return driver_call([&](Context& context) {
    context.event(event);
    set_exec_payload(context, exec, node, EventRecordNode{event});
  });
}

int cuGraphExecEventWaitNodeSetEvent(ExecHandle exec, NodeHandle node, EventHandle event) {
  return driver_call([&](Context& context) {
    context.event(event);
    set_exec_payload(context, exec, node, EventWaitNode{event});
  });
}

int cuGraphExecHostNodeSetParams(ExecHandle exec, NodeHandle node, const abi::HostParameters* host) {
  return driver_call([&](Context& context) { set_exec_payload(context, exec, node, host_node(result(host))); });
}

int cuGraphExecNodeSetParams(ExecHandle exec, NodeHandle node, abi::NodeParameters* parameters) {
  return driver_call([&](Context& context) {
    set_exec_payload(context, exec, node, payload_from(context, result(parameters), Api::kDriver));
  });
}

int cuGraphExecKernelNodeSetParams(ExecHandle exec, NodeHandle node, const abi::KernelNodeParameters* kernel) {
  return driver_call(
      [&](Context& context) { set_exec_payload(context, exec, node, kernel_node(context, result(kernel))); });
}

int cuGraphExecKernelNodeSetParams_v2(ExecHandle exec, NodeHandle node, const abi::DriverKernelNodeParameters* kernel) {
  return driver_call([&](Context& context) {
    set_exec_payload(context, exec, node, kernel_node(context, kernel_of(result(kernel))));
  });
}
