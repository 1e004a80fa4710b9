// The graphs of a process: what CUDA's handles of graphs refer to, and the captures that are in progress.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cuda/context.h"
#include "cuda/graphs/graph.h"
#include "cuda/graphs/graph_exec.h"
#include "cuda/graphs/graph_memory.h"

namespace warpsim::cuda {

struct Capture;
class GraphLaunches;

struct GraphState {
  explicit GraphState(Context& context);
  ~GraphState();  // captures that the program has not ended are dissolved
  GraphState(const GraphState&) = delete;
  GraphState& operator=(const GraphState&) = delete;

  std::shared_ptr<GraphHandles> handles = std::make_shared<GraphHandles>();
  std::shared_ptr<GraphMemoryPool> memory = std::make_shared<GraphMemoryPool>();
  std::map<const Graph*, std::shared_ptr<Graph>> graphs = {};  // that the program has made
  std::map<const GraphExec*, std::shared_ptr<GraphExec>> execs = {};
  std::vector<std::shared_ptr<Capture>> captures = {};
  std::uint64_t next_capture = 1;
  std::unique_ptr<GraphLaunches> launches;
};

// All fail with kInvalidValue for handles that do not exist.
Graph& graph_of(Context& context, GraphHandle graph);
GraphNode& node_of(Context& context, NodeHandle node);
GraphExec& exec_of(Context& context, ExecHandle exec);
UserObject& object_of(Context& context, UserObjectHandle object);
// Of this type.
template <class Payload>
Payload& payload_of(GraphNode& node) {
  Payload* const payload = std::get_if<Payload>(&node.payload);
  if (payload == nullptr) {
    throw CallError(kInvalidValue);
  }
  return *payload;
}

GraphHandle add_graph(Context& context, std::shared_ptr<Graph> graph);
ExecHandle instantiate(Context& context, const Graph& graph, std::uint64_t flags);

}  // namespace warpsim::cuda
