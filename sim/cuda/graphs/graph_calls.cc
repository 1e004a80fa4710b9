#include "cuda/graphs/graph_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/output_file.h"
#include "cuda/calls.h"
#include "cuda/graphs/graph_state.h"

namespace warpsim::cuda {

namespace {

constexpr abi::EdgeData kPlain = {};

bool is_plain(const abi::EdgeData& data) {
  return data.from_port == 0 && data.to_port == 0 && data.type == 0;
}

// An array of the program, whose end is filled with nulls.
template <class T, class Items>
void fill_list(T* list, std::size_t room, const Items& items) {
  if (list == nullptr) {
    return;
  }
  for (std::size_t i = 0; i < room; ++i) {
    list[i] = i < items.size() ? items[i] : T{};
  }
}

struct AllEdges {
  std::vector<NodeHandle> from;
  std::vector<NodeHandle> to;
  std::vector<abi::EdgeData> data;

  // Fails if the program cannot know the data that it does not ask for.
  void give(const EdgeLists& lists, std::size_t& count) const {
    const bool asks = lists.from != nullptr || lists.to != nullptr || lists.data != nullptr;
    if (asks && lists.data == nullptr && !std::ranges::all_of(data, is_plain)) {
      throw CallError(kLossyQuery);
    }
    fill_list(lists.from, count, from);
    fill_list(lists.to, count, to);
    fill_list(lists.data, count, data);
    count = asks ? std::min(count, data.size()) : data.size();
  }
};

AllEdges edges_of(const std::vector<GraphLink>& links) {
  AllEdges all;
  for (const GraphLink& link : links) {
    all.from.push_back(link.node);
    all.data.push_back(link.data);
  }
  return all;
}

void give_nodes(const std::vector<NodeHandle>& all, NodeHandle* nodes, std::size_t& count) {
  fill_list(nodes, count, all);
  count = nodes == nullptr ? all.size() : std::min(count, all.size());
}

template <class Change>
void for_each_edge(Context& context, const Edges& edges, const Change& change) {
  for (std::size_t i = 0; i < edges.count; ++i) {
    GraphNode& from = node_of(context, result(edges.from + i));
    GraphNode& to = node_of(context, (&result(edges.to))[i]);
    change(from, to, edges.data == nullptr ? kPlain : edges.data[i]);
  }
}

bool fixes_nodes(const Graph& graph) {
  return std::ranges::any_of(graph.nodes(), [](const auto& node) {
    return std::holds_alternative<AllocationNode>(node->payload) || std::holds_alternative<FreeNode>(node->payload);
  });
}

// Nodes and edges of a graph with allocations stay.
void require_changeable(const Graph& graph) {
  if (fixes_nodes(graph)) {
    throw CallError(kNotSupported, "nodes and edges of a graph that allocates or frees memory cannot be removed");
  }
}

std::string label_of(const GraphNode& node) {
  constexpr const char* kNames[] = {"KERNEL",     "MEMCPY",       "MEMSET", "HOST", "GRAPH",     "EMPTY",
                                    "WAIT_EVENT", "EVENT_RECORD", "",       "",     "MEM_ALLOC", "MEM_FREE",
                                    "",           "CONDITIONAL"};
  std::string label = kNames[static_cast<int>(type_of(node.payload))];
  if (const auto* const kernel = std::get_if<KernelNode>(&node.payload)) {
    label += "\\n" + kernel->operation.kernel->name;
  }
  return label;
}

}  // namespace

std::vector<GraphLink> links_of(Context& context, const NodeHandle* nodes, const abi::EdgeData* data,
                                std::size_t count) {
  std::vector<GraphLink> links;
  for (std::size_t i = 0; i < count; ++i) {
    links.push_back({&node_of(context, (&result(nodes))[i]), data == nullptr ? kPlain : data[i]});
  }
  return links;
}

std::uint64_t add_condition(Context& context, GraphHandle graph, unsigned value, unsigned flags) {
  constexpr unsigned kAssignDefault = 1;
  if (flags > kAssignDefault) {
    throw CallError(kInvalidValue);
  }
  Graph& own = graph_of(context, graph);
  // A kernel writes there (cudaGraphSetConditional). It is small, and stays: clones of the graph share it.
  const Address handle = context.device().memory().allocate(sizeof(std::uint64_t), 1, "a condition of a graph");
  if (handle == 0) {
    throw CallError(kOutOfMemory);
  }
  own.add_condition(handle, value, flags == kAssignDefault);
  return handle;
}

void create_graph(Context& context, GraphHandle* graph, unsigned flags) {
  if (flags != 0) {
    throw CallError(kInvalidValue);
  }
  result(graph) = add_graph(context, std::make_shared<Graph>(context.graphs().handles));
}

void destroy_graph(Context& context, GraphHandle graph) {
  if (context.graphs().graphs.erase(graph) == 0) {  // graphs inside of others belong to these
    throw CallError(kInvalidValue);
  }
}

void clone_graph(Context& context, GraphHandle* clone, GraphHandle graph) {
  const Graph& original = graph_of(context, graph);
  if (original.uses_memory()) {
    throw CallError(kNotSupported, "a graph that allocates or frees memory cannot be cloned");
  }
  if (!device_nodes_of(original).empty()) {
    throw CallError(kNotSupported, "a graph with nodes that kernels change cannot be cloned");
  }
  result(clone) = add_graph(context, original.clone());
}

void find_in_clone(Context& context, NodeHandle* node, NodeHandle original, GraphHandle clone) {
  const std::uint64_t wanted = node_of(context, original).number;
  const auto& nodes = graph_of(context, clone).nodes();
  const auto found = std::ranges::find_if(nodes, [&](const auto& own) { return own->original == wanted; });
  if (found == nodes.end()) {
    throw CallError(kInvalidValue);
  }
  result(node) = found->get();
}

void destroy_node(Context& context, NodeHandle node) {
  Graph& graph = *node_of(context, node).graph;
  require_changeable(graph);
  if (is_device_node(*node)) {
    throw CallError(kNotSupported, "a node that kernels may change stays in its graph");
  }
  graph.remove(*node);
}

void print_graph(Context& context, GraphHandle handle, const char* path, unsigned /*flags*/) {
  const Graph& graph = graph_of(context, handle);
  std::string text = "digraph dot {\n";
  for (const auto& node : graph.nodes()) {
    text += fmt::format("  node_{} [shape=record, label=\"{}\\n{}\"];\n", node->number, node->number, label_of(*node));
  }
  for (const auto& node : graph.nodes()) {
    for (const GraphLink& link : node->after) {
      text += fmt::format("  node_{} -> node_{};\n", node->number, link.node->number);
    }
  }
  try {
    write_output_file(&result(path), text + "}\n");
  } catch (const UserError& error) {
    throw CallError(kOperatingSystem, error.what());
  }
}

void list_nodes(Context& context, GraphHandle graph, NodeHandle* nodes, std::size_t* count) {
  std::vector<NodeHandle> all;
  for (const auto& node : graph_of(context, graph).nodes()) {
    all.push_back(node.get());
  }
  give_nodes(all, nodes, result(count));
}

void list_roots(Context& context, GraphHandle graph, NodeHandle* nodes, std::size_t* count) {
  std::vector<NodeHandle> all;
  for (const auto& node : graph_of(context, graph).nodes()) {
    if (node->before.empty()) {
      all.push_back(node.get());
    }
  }
  give_nodes(all, nodes, result(count));
}

void list_edges(Context& context, GraphHandle graph, const EdgeLists& lists, std::size_t* count) {
  if ((lists.from == nullptr) != (lists.to == nullptr)) {
    throw CallError(kInvalidValue);
  }
  AllEdges all;
  for (const auto& node : graph_of(context, graph).nodes()) {
    for (const GraphLink& link : node->after) {
      all.from.push_back(node.get());
      all.to.push_back(link.node);
      all.data.push_back(link.data);
    }
  }
  all.give(lists, result(count));
}

void list_before(Context& context, NodeHandle node, const LinkLists& lists, std::size_t* count) {
  edges_of(node_of(context, node).before).give({lists.nodes, nullptr, lists.data}, result(count));
}

void list_after(Context& context, NodeHandle node, const LinkLists& lists, std::size_t* count) {
  edges_of(node_of(context, node).after).give({lists.nodes, nullptr, lists.data}, result(count));
}

void add_edges(Context& context, GraphHandle handle, const Edges& edges) {
  Graph& graph = graph_of(context, handle);
  for_each_edge(context, edges,
                [&](GraphNode& from, GraphNode& to, const abi::EdgeData& data) { graph.connect(from, to, data); });
}

void remove_edges(Context& context, GraphHandle handle, const Edges& edges) {
  Graph& graph = graph_of(context, handle);
  require_changeable(graph);
  for_each_edge(context, edges,
                [&](GraphNode& from, GraphNode& to, const abi::EdgeData& data) { graph.disconnect(from, to, data); });
}

}  // namespace warpsim::cuda
