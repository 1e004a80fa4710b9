// The runtime's functions for instantiated graphs.
#include "cuda/calls.h"
#include "cuda/graphs/exec_calls.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/graphs/node_calls.h"
#include "cuda/graphs/node_operations.h"
#include "cuda/runtime/runtime_graph_api.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaGraphInstantiate(ExecHandle* exec, GraphHandle graph, unsigned long long flags) {
  return runtime_call([&](Context& context) { instantiate_graph(context, exec, graph, flags); });
}

int cudaGraphExecUpdate(ExecHandle exec, GraphHandle graph, abi::UpdateResult* update) {
  return runtime_call([&](Context& context) { update_exec(context, exec, graph, update); });
}

int cudaGraphInstantiateWithFlags(ExecHandle* exec, GraphHandle graph, unsigned long long flags) {
  return runtime_call([&](Context& context) { instantiate_graph(context, exec, graph, flags); });
}

int cudaGraphInstantiateWithParams(ExecHandle* exec, GraphHandle graph, abi::InstantiateParameters* parameters) {
  return runtime_call([&](Context& context) { instantiate_with(context, exec, graph, parameters); });
}

int cudaGraphExecDestroy(ExecHandle exec) {
  return runtime_call([&](Context& context) { destroy_exec(context, exec); });
}

int cudaGraphExecGetFlags(ExecHandle exec, std::uint64_t* flags) {
  return runtime_call([&](Context& context) { exec_flags(context, exec, flags); });
}

int cudaGraphUpload(ExecHandle exec, StreamHandle stream) {
  return runtime_call([&](Context& context) { upload_exec(context, exec, stream); });
}

int cudaGraphLaunch(ExecHandle exec, StreamHandle stream) {
  return runtime_call([&](Context& context) { launch_exec(context, exec, stream); });
}

int cudaGraphNodeSetEnabled(ExecHandle exec, NodeHandle node, unsigned enabled) {
  return runtime_call([&](Context& context) { enable_node(context, exec, node, enabled); });
}

int cudaGraphNodeGetEnabled(ExecHandle exec, NodeHandle node, unsigned* enabled) {
  return runtime_call([&](Context& context) { node_enabled(context, exec, node, enabled); });
}

int cudaGraphExecChildGraphNodeSetParams(ExecHandle exec, NodeHandle node, GraphHandle child) {
  return runtime_call([&](Context& context) { set_exec_child(context, exec, node, child); });
}

int cudaGraphExecEventRecordNodeSetEvent(ExecHandle exec, NodeHandle node, EventHandle event) {
  return runtime_call([&](Context& context) {
    context.event(event);
    set_exec_payload(context, exec, node, EventRecordNode{event});
  });
}

int cudaGraphExecEventWaitNodeSetEvent(ExecHandle exec, NodeHandle node, EventHandle event) {
  return runtime_call([&](Context& context) {
    context.event(event);
    set_exec_payload(context, exec, node, EventWaitNode{event});
  });
}

int cudaGraphExecHostNodeSetParams(ExecHandle exec, NodeHandle node, const abi::HostParameters* host) {
  return runtime_call([&](Context& context) { set_exec_payload(context, exec, node, host_node(result(host))); });
}

int cudaGraphExecNodeSetParams(ExecHandle exec, NodeHandle node, abi::NodeParameters* parameters) {
  return runtime_call([&](Context& context) {
    set_exec_payload(context, exec, node, payload_from(context, result(parameters), Api::kRuntime));
  });
}

int warpsimGraphInstantiate11(ExecHandle* exec, GraphHandle graph, NodeHandle* error_node, char* log,
                              std::size_t bytes) {
  return runtime_call([&](Context& context) { instantiate_logged(context, exec, graph, {error_node, log, bytes}); });
}

int warpsimGraphExecUpdate11(ExecHandle exec, GraphHandle graph, NodeHandle* error_node, int* update) {
  return runtime_call([&](Context& context) { update_exec_old(context, exec, graph, error_node, update); });
}

int cudaGraphExecKernelNodeSetParams(ExecHandle exec, NodeHandle node, const abi::KernelNodeParameters* kernel) {
  return runtime_call(
      [&](Context& context) { set_exec_payload(context, exec, node, kernel_node(context, result(kernel))); });
}
