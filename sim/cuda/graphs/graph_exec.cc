#include "cuda/graphs/graph_exec.h"

#include <algorithm>

#include "cuda/device/error_codes.h"

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
  if ((flags & GraphExec::kDeviceLaunch) != 0 && (flags & GraphExec::kFreeOnLaunch) != 0) {
    throw CallError(kInvalidValue);
  }
  return flags;
}

}  // namespace

GraphExec::GraphExec(const Graph& graph, std::uint64_t flags) : flags_(checked_flags(flags)) {
  check_order(graph);
  graph_ = graph.clone(&nodes_);
}

// Own nodes are those of the other by number.
GraphExec::GraphExec(Snapshot /*tag*/, const GraphExec& other) : flags_(other.flags_) {
  Graph::NodeMap clones;
  graph_ = other.graph_->clone(&clones);
  for (const auto& [original, node] : other.nodes_) {
    nodes_[original] = clones.at(node->number);
  }
  for (const GraphNode* const node : other.disabled_) {
    disabled_.insert(clones.at(node->number));
  }
}

void GraphExec::upload() {
  uploaded_ = std::shared_ptr<GraphExec>(new GraphExec(Snapshot{}, *this));
}

bool GraphExec::change(std::uint64_t original, const DeviceNodeChange& change) {
  const auto found = nodes_.find(original);
  if (found == nodes_.end()) {
    return false;
  }
  LaunchOperation& operation = std::get<KernelNode>(found->second->payload).operation;
  const std::uint64_t bytes = operation.parameters.size();
  switch (change.field) {
    case DeviceNodeChange::Field::kGrid:
      if (change.grid.x == 0 || change.grid.y == 0 || change.grid.z == 0) {
        return false;
      }
      operation.launch.grid = change.grid;
      break;
    case DeviceNodeChange::Field::kParameter:
      if (change.offset > bytes || change.value.size() > bytes - change.offset) {
        return false;
      }
      std::ranges::copy(change.value, operation.parameters.begin() + static_cast<std::ptrdiff_t>(change.offset));
      break;
    case DeviceNodeChange::Field::kEnabled:
      if (change.enabled) {
        disabled_.erase(found->second);
      } else {
        disabled_.insert(found->second);
      }
      break;
  }
  return uploaded_ == nullptr || uploaded_->change(original, change);
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
