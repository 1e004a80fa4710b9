#include "cuda/graphs/graph_update.h"

#include <algorithm>
#include <map>

#include "cuda/graphs/node_calls.h"

namespace warpsim::cuda {

namespace {

class Updater {
 public:
  explicit Updater(Context& context) : context_(context) {}

  UpdateOutcome compare(const Graph& own, const Graph& other);
  void apply() const {
    for (const auto& [target, source] : changes_) {
      target->payload = source->payload;
    }
  }

 private:
  UpdateOutcome compare_edges(const GraphNode& own, const GraphNode& other) const;
  UpdateOutcome compare_node(GraphNode& own, GraphNode& other);

  Context& context_;
  std::map<const GraphNode*, const GraphNode*> pairs_;  // own nodes by others
  std::vector<std::pair<GraphNode*, const GraphNode*>> changes_;
};

UpdateOutcome Updater::compare(const Graph& own, const Graph& other) {
  const Graph::Nodes& mine = own.nodes();
  const Graph::Nodes& theirs = other.nodes();
  if (mine.size() != theirs.size()) {
    return {UpdateFailure::kTopology};
  }
  for (std::size_t i = 0; i < mine.size(); ++i) {
    pairs_[theirs[i].get()] = mine[i].get();
  }
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (type_of(mine[i]->payload) != type_of(theirs[i]->payload)) {
      return {UpdateFailure::kType, theirs[i].get()};
    }
    const UpdateOutcome edges = compare_edges(*mine[i], *theirs[i]);
    if (edges.result != UpdateFailure::kNone) {
      return edges;
    }
  }
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const UpdateOutcome node = compare_node(*mine[i], *theirs[i]);
    if (node.result != UpdateFailure::kNone) {
      return node;
    }
  }
  return {};
}

UpdateOutcome Updater::compare_edges(const GraphNode& own, const GraphNode& other) const {
  for (const GraphLink& link : other.before) {
    GraphLink mine = link;
    mine.node = const_cast<GraphNode*>(pairs_.at(link.node));
    if (std::ranges::find(own.before, mine) == own.before.end()) {
      return {UpdateFailure::kTopology, const_cast<GraphNode*>(&other), link.node};
    }
  }
  if (own.before.size() != other.before.size()) {
    return {UpdateFailure::kTopology, const_cast<GraphNode*>(&other)};
  }
  return {};
}

bool is_same(const NodePayload& a, const NodePayload& b) {
  const auto bytes_equal = [](const auto& x, const auto& y) {
    return std::equal(reinterpret_cast<const std::byte*>(&x), reinterpret_cast<const std::byte*>(&x + 1),
                      reinterpret_cast<const std::byte*>(&y));
  };
  if (const auto* const copy = std::get_if<CopyNode>(&a)) {
    return bytes_equal(copy->copy, std::get<CopyNode>(b).copy);
  }
  const auto* const fill = std::get_if<FillNode>(&a);
  return fill != nullptr && bytes_equal(fill->fill, std::get<FillNode>(b).fill);
}

UpdateOutcome Updater::compare_node(GraphNode& own, GraphNode& other) {
  if (const auto* const child = std::get_if<ChildNode>(&own.payload)) {
    return compare(*child->graph, *std::get<ChildNode>(other.payload).graph);
  }
  if (const auto* const conditional = std::get_if<ConditionalNode>(&own.payload)) {
    const auto& theirs = std::get<ConditionalNode>(other.payload);
    if (conditional->type != theirs.type || conditional->bodies.size() != theirs.bodies.size() ||
        conditional->handle != theirs.handle) {
      return {UpdateFailure::kParameters, &other};
    }
    for (std::size_t i = 0; i < theirs.bodies.size(); ++i) {
      const UpdateOutcome body = compare(*conditional->bodies[i], *theirs.bodies[i]);
      if (body.result != UpdateFailure::kNone) {
        return body;
      }
    }
    return {};
  }
  const auto* const memory = std::get_if<AllocationNode>(&own.payload);
  if (memory != nullptr || std::holds_alternative<FreeNode>(own.payload)) {
    const bool same = memory != nullptr
                          ? memory->memory == std::get<AllocationNode>(other.payload).memory
                          : std::get<FreeNode>(own.payload).data == std::get<FreeNode>(other.payload).data;
    return same ? UpdateOutcome{} : UpdateOutcome{UpdateFailure::kNotSupported, &other};
  }
  const auto* const kernel = std::get_if<KernelNode>(&own.payload);
  if (kernel != nullptr &&
      kernel->operation.launch.cooperative != std::get<KernelNode>(other.payload).operation.launch.cooperative) {
    return {UpdateFailure::kAttributes, &other};
  }
  if (is_same(own.payload, other.payload)) {
    return {};
  }
  try {
    check_change(context_, own.payload, other.payload);
  } catch (const CallError&) {
    return {UpdateFailure::kParameters, &other};
  }
  changes_.emplace_back(&own, &other);
  return {};
}

}  // namespace

UpdateOutcome update_graph(Context& context, const Graph& own, const Graph& other) {
  Updater updater(context);
  const UpdateOutcome outcome = updater.compare(own, other);
  if (outcome.result == UpdateFailure::kNone) {
    updater.apply();
  }
  return outcome;
}

}  // namespace warpsim::cuda
