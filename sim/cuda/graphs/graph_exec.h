// An instantiated graph: an own copy, which can be launched, and changed without a change of its nodes and edges.
//
// Modelled: parameters of single nodes, updates from another graph, nodes that are switched off; a launch waits for the
// one before it of the same graph. Kernels launch what was uploaded, whatever the host has changed since. Evidence:
// CUDA runtime API, cudaGraphInstantiate, cudaGraphExecUpdate; tests/hardware/device_graphs.
#pragma once

#include <cstdint>
#include <memory>
#include <set>

#include "cuda/graphs/graph.h"
#include "emulator/execution/device_graphs.h"

namespace warpsim::cuda {

class GraphExec : public std::enable_shared_from_this<GraphExec> {
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

  // Whether kernels can launch it.
  bool is_for_device() const { return (flags_ & kDeviceLaunch) != 0; }
  // As it is now, for kernels that launch it.
  void upload();
  // Null: it was not uploaded.
  const std::shared_ptr<GraphExec>& uploaded() const { return uploaded_; }
  // A kernel changes the own node for one of the graph that was instantiated, also in what was uploaded. Returns
  // whether that is possible.
  bool change(std::uint64_t original, const DeviceNodeChange& change);

  WorkHandle last;          // the end of the last launch
  std::uint32_t runs = 0;   // launches of it that are not over
  bool is_pending = false;  // a tail launch of it waits

 private:
  struct Snapshot {};
  GraphExec(Snapshot /*tag*/, const GraphExec& other);
  GraphNode& switchable(const GraphNode* original) const;

  std::uint64_t flags_;
  Graph::NodeMap nodes_;  // by original
  std::shared_ptr<Graph> graph_;
  std::set<const GraphNode*> disabled_;  // own nodes
  std::shared_ptr<GraphExec> uploaded_;
};

}  // namespace warpsim::cuda
