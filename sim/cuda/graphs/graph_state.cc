#include "cuda/graphs/graph_state.h"

#include <algorithm>

#include "cuda/graphs/capture.h"
#include "cuda/graphs/device_graph_rules.h"
#include "cuda/graphs/graph_launches.h"

namespace warpsim::cuda {

namespace {

template <class Handle, class Set>
auto& existing(Handle handle, const Set& all) {
  if (!all.contains(handle)) {
    throw CallError(kInvalidValue);
  }
  return *handle;
}

}  // namespace

GraphState::GraphState(Context& context) : launches(std::make_unique<GraphLaunches>(context)) {}

GraphState::~GraphState() {
  for (const std::shared_ptr<Capture>& capture : captures) {
    capture->dissolve();
  }
}

Graph& graph_of(Context& context, GraphHandle graph) {
  return existing(graph, context.graphs().handles->graphs);
}

GraphNode& node_of(Context& context, NodeHandle node) {
  return existing(node, context.graphs().handles->nodes);
}

GraphExec& exec_of(Context& context, ExecHandle exec) {
  return existing(exec, context.graphs().execs);
}

UserObject& object_of(Context& context, UserObjectHandle object) {
  return existing(object, context.graphs().handles->objects);
}

GraphHandle add_graph(Context& context, std::shared_ptr<Graph> graph) {
  const GraphHandle handle = graph.get();
  context.graphs().graphs[handle] = std::move(graph);
  return handle;
}

ExecHandle instantiate(Context& context, const Graph& graph, std::uint64_t flags) {
  GraphState& state = context.graphs();
  if (graph.uses_memory() && std::ranges::any_of(state.execs, [&](const auto& entry) {
        return entry.second->graph().original() == graph.number();
      })) {
    throw CallError(kNotSupported, "a graph that allocates or frees memory can be instantiated once at a time");
  }
  const std::vector<const GraphNode*> device_nodes = device_nodes_of(graph);
  if (std::ranges::any_of(device_nodes, [&](const GraphNode* node) {
        return state.launches->has_instance(std::get<KernelNode>(node->payload).device_node.get());
      })) {
    throw CallError(kNotSupported, "a graph with nodes that kernels change can be instantiated once at a time");
  }
  auto exec = std::make_shared<GraphExec>(graph, flags);
  if (exec->is_for_device() && check_for_device(context, graph).result != kInstantiated) {
    throw CallError(kInvalidValue,
                    "graphs that kernels launch have only kernels, fills, graphs, and copies of memory that the GPU "
                    "reaches, all of one GPU");
  }
  for (const GraphNode* const node : device_nodes) {
    state.launches->add_instance(std::get<KernelNode>(node->payload).device_node.get(), exec, node->number);
  }
  const ExecHandle handle = exec.get();
  state.execs[handle] = std::move(exec);
  return handle;
}

}  // namespace warpsim::cuda
