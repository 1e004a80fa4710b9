// A CUDA graph: nodes and the edges between them, as a program or a captured stream makes them.
//
// Modelled: edges with their data, the order of creation, copies of a graph with the graphs inside of it, handles of
// conditional nodes, references to objects of the program. Evidence: CUDA runtime API, "Graph Management". Cycles are
// found when a graph is instantiated, as there. Invariant: the handles of all graphs and nodes that exist are in
// `GraphHandles`, so that calls with others fail.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "cuda/graphs/graph_node.h"

namespace warpsim::cuda {

struct UserObject {
  void* data = nullptr;
  HostFunction destroy = nullptr;
  std::uint64_t references = 0;
};

struct GraphHandles {
  std::set<const void*> graphs;
  std::set<const void*> nodes;
  std::map<UserObjectHandle, std::unique_ptr<UserObject>> objects;
  std::set<std::uint64_t> conditions;  // handles: addresses of the values in device memory
  std::uint64_t next_graph = 1;
  std::uint64_t next_node = 1;
};
// The last reference calls the program's function.
void release(GraphHandles& handles, UserObjectHandle object, std::uint64_t count);

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  explicit Graph(std::shared_ptr<GraphHandles> handles);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  using Nodes = std::vector<std::unique_ptr<GraphNode>>;
  const Nodes& nodes() const { return nodes_; }
  bool contains(const GraphNode* node) const;

  // These fail with kInvalidValue for nodes of other graphs, edges that are there already or do not exist, and edge
  // data that CUDA does not define.
  GraphNode& add(NodePayload payload, std::span<const GraphLink> before);
  void connect(GraphNode& from, GraphNode& to, const abi::EdgeData& data);
  void disconnect(GraphNode& from, GraphNode& to, const abi::EdgeData& data);
  void remove(GraphNode& node);

  // Each node after those before it, otherwise in the order of creation. Fails with kInvalidValue if there is a cycle.
  std::vector<GraphNode*> ordered() const;

  using NodeMap = std::map<std::uint64_t, GraphNode*>;  // by number
  // With the graphs inside; `clones`, if given, gets the clone of each node.
  std::shared_ptr<Graph> clone(NodeMap* clones = nullptr) const;
  // Graphs have numbers, as their addresses can be used again; 0: this one is no clone.
  std::uint64_t number() const { return number_; }
  std::uint64_t original() const { return original_; }
  // Nodes that allocate or free memory, also in graphs inside.
  bool uses_memory() const;

  // A handle for a conditional node, with the value that it gets at each launch, if it gets one.
  void add_condition(std::uint64_t handle, std::uint32_t value, bool assigned);
  struct Condition {
    std::uint32_t value = 0;
    bool assigned = false;
  };
  const std::map<std::uint64_t, Condition>& conditions() const { return conditions_; }

  void retain(UserObjectHandle object, std::uint64_t count) { objects_[object] += count; }
  std::uint64_t retained(UserObjectHandle object) const;
  void release_retained(UserObjectHandle object, std::uint64_t count);

  const std::shared_ptr<GraphHandles>& handles() const { return handles_; }

 private:
  std::shared_ptr<GraphHandles> handles_;
  Nodes nodes_;
  std::uint64_t number_;
  std::uint64_t original_ = 0;
  std::map<std::uint64_t, Condition> conditions_;
  std::map<UserObjectHandle, std::uint64_t> objects_;
};

// Nodes that kernels may change, also of graphs inside.
std::vector<const GraphNode*> device_nodes_of(const Graph& graph);

}  // namespace warpsim::cuda
