// An instantiated graph: an own copy, which can be launched, and changed without a change of its nodes and edges.
//
// Modelled: parameters of single nodes, updates from another graph, nodes that are switched off; a launch waits for the
// one before it of the same graph. Evidence: CUDA runtime API, cudaGraphInstantiate, cudaGraphExecUpdate. Graphs that
// kernels launch are refused.
#pragma once

#include <cstdint>
#include <memory>
#include <set>

#include "cuda/graphs/graph.h"

namespace warpsim::cuda {

class GraphExec {
 public:
  static constexpr std::uint64_t kFreeOnLaunch = 1;
  static constexpr std::uint64_t kUpload = 2;
  static constexpr std::uint64_t kDeviceLaunch = 4;
  static constexpr std::uint64_t kNodePriority = 8;

  // Fails with kInvalidValue for a graph with a cycle or unknown flags.
  GraphExec(const Graph& graph, std::uint64_t flags);

  const Graph& graph() const { return *graph_; }
  std::shared_ptr<const Graph> shared_graph() const { return graph_; }
  std::uint64_t flags() const { return flags_; }
  // The own node for one of the graph that was instantiated, or of graphs inside of it. Fails with kInvalidValue.
  GraphNode& node(const GraphNode* original) const;
  // Kernels, copies and fills can be switched off. Fails with kInvalidValue for others.
  void enable(const GraphNode* original, bool enabled);
  bool is_enabled(const GraphNode* original) const;
  const std::set<const GraphNode*>& disabled() const { return disabled_; }

  WorkHandle last;  // the end of the last launch

 private:
  GraphNode& switchable(const GraphNode* original) const;

  std::uint64_t flags_;
  Graph::NodeMap nodes_;  // by original
  std::shared_ptr<Graph> graph_;
  std::set<const GraphNode*> disabled_;  // own nodes
};

}  // namespace warpsim::cuda
