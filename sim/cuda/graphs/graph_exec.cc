#include "cuda/graphs/graph_exec.h"

#include "cuda/error_codes.h"

namespace warpsim::cuda {

namespace {

// CUDA's restriction.
void check_in_body(const GraphNode& node) {
  switch (type_of(node.payload)) {
    case NodeType::kKernel:
    case NodeType::kCopy:
    case NodeType::kFill:
    case NodeType::kChild:
    case NodeType::kEmpty:
    case NodeType::kConditional:
      return;
    default:
      throw CallError(
          kNotSupported,
          "the body of a conditional node has only kernels, copies, fills, and graphs: no calls of the host, "
          "events and allocations");
  }
}

// Cycles fail here, also in graphs inside.
void check_order(const Graph& graph, bool in_body = false) {
  for (const GraphNode* const node : graph.ordered()) {
    if (in_body) {
      check_in_body(*node);
    }
    if (const auto* const child = std::get_if<ChildNode>(&node->payload)) {
      check_order(*child->graph, in_body);
    } else if (const auto* const conditional = std::get_if<ConditionalNode>(&node->payload)) {
      for (const auto& body : conditional->bodies) {
        check_order(*body, true);
      }
    }
  }
}

std::uint64_t checked_flags(std::uint64_t flags) {
  constexpr std::uint64_t kAll =
      GraphExec::kFreeOnLaunch | GraphExec::kUpload | GraphExec::kDeviceLaunch | GraphExec::kNodePriority;
  if ((flags & ~kAll) != 0) {
    throw CallError(kInvalidValue);
  }
  if ((flags & GraphExec::kDeviceLaunch) != 0) {
    throw CallError(kNotSupported,
                    "graphs that kernels launch (cudaGraphInstantiateFlagDeviceLaunch) are not supported");
  }
  return flags;
}

}  // namespace

GraphExec::GraphExec(const Graph& graph, std::uint64_t flags) : flags_(checked_flags(flags)) {
  check_order(graph);
  graph_ = graph.clone(&nodes_);
}

GraphNode& GraphExec::node(const GraphNode* original) const {
  const auto found = nodes_.find(original->number);
  if (found == nodes_.end()) {
    throw CallError(kInvalidValue);
  }
  return *found->second;
}

GraphNode& GraphExec::switchable(const GraphNode* original) const {
  GraphNode& own = node(original);
  const NodeType type = type_of(own.payload);
  if (type != NodeType::kKernel && type != NodeType::kCopy && type != NodeType::kFill) {
    throw CallError(kInvalidValue);
  }
  return own;
}

void GraphExec::enable(const GraphNode* original, bool enabled) {
  const GraphNode* const own = &switchable(original);
  if (enabled) {
    disabled_.erase(own);
  } else {
    disabled_.insert(own);
  }
}

bool GraphExec::is_enabled(const GraphNode* original) const {
  return !disabled_.contains(&switchable(original));
}

}  // namespace warpsim::cuda
