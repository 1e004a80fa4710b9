#include "cuda/graphs/graph_state.h"

#include <algorithm>

#include "cuda/graphs/capture.h"

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
  auto exec = std::make_shared<GraphExec>(graph, flags);
  const ExecHandle handle = exec.get();
  state.execs[handle] = std::move(exec);
  return handle;
}

}  // namespace warpsim::cuda
