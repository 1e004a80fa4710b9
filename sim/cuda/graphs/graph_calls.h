// Calls about graphs and their edges, for runtime and driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda/context.h"
#include "cuda/graphs/graph.h"

namespace warpsim::cuda {

// Where a node is added: the nodes before it; `data` may be null.
struct NodePlace {
  GraphHandle graph = nullptr;
  const NodeHandle* before = nullptr;
  std::size_t count = 0;
  const abi::EdgeData* data = nullptr;
};
std::vector<GraphLink> links_of(Context& context, const NodeHandle* nodes, const abi::EdgeData* data,
                                std::size_t count);

std::uint64_t add_condition(Context& context, GraphHandle graph, unsigned value, unsigned flags);

void create_graph(Context& context, GraphHandle* graph, unsigned flags);
void destroy_graph(Context& context, GraphHandle graph);
void clone_graph(Context& context, GraphHandle* clone, GraphHandle graph);
void find_in_clone(Context& context, NodeHandle* node, NodeHandle original, GraphHandle clone);
void destroy_node(Context& context, NodeHandle node);
void print_graph(Context& context, GraphHandle graph, const char* path, unsigned flags);

// Lists as CUDA gives them: without an array only the size; what is left of the array is null.
void list_nodes(Context& context, GraphHandle graph, NodeHandle* nodes, std::size_t* count);
void list_roots(Context& context, GraphHandle graph, NodeHandle* nodes, std::size_t* count);
// The data of edges may be omitted if it is zero.
struct EdgeLists {
  NodeHandle* from = nullptr;
  NodeHandle* to = nullptr;
  abi::EdgeData* data = nullptr;
};
void list_edges(Context& context, GraphHandle graph, const EdgeLists& lists, std::size_t* count);
struct LinkLists {
  NodeHandle* nodes = nullptr;
  abi::EdgeData* data = nullptr;
};
void list_before(Context& context, NodeHandle node, const LinkLists& lists, std::size_t* count);
void list_after(Context& context, NodeHandle node, const LinkLists& lists, std::size_t* count);
struct Edges {
  const NodeHandle* from = nullptr;
  const NodeHandle* to = nullptr;
  const abi::EdgeData* data = nullptr;
  std::size_t count = 0;
};
void add_edges(Context& context, GraphHandle graph, const Edges& edges);
void remove_edges(Context& context, GraphHandle graph, const Edges& edges);

}  // namespace warpsim::cuda
