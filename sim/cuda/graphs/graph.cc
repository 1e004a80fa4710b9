#include "cuda/graphs/graph.h"

#include <algorithm>
#include <cstring>

#include "cuda/device/error_codes.h"

namespace warpsim::cuda {

namespace {

bool is_kernel(const GraphNode& node) {
  return std::holds_alternative<KernelNode>(node.payload);
}

void check_edge(const GraphNode& from, const GraphNode& to, const abi::EdgeData& data) {
  require_valid(data.to_port == 0 && data.type <= kEdgeProgrammatic && data.from_port <= kPortBegin);
  require_valid(std::ranges::all_of(data.reserved, [](unsigned char byte) { return byte == 0; }));
  require_valid(data.from_port == kPortEnd || is_kernel(from));
  if (data.type == kEdgeProgrammatic) {
    require_valid(data.from_port != kPortEnd && is_kernel(from) && is_kernel(to));
  } else {
    require_valid(data.from_port != kPortTrigger);
  }
}

bool is_same(const abi::EdgeData& a, const abi::EdgeData& b) {
  return a.from_port == b.from_port && a.to_port == b.to_port && a.type == b.type;
}

void collect_device_nodes(const Graph& graph, std::vector<const GraphNode*>& found) {
  for (const auto& node : graph.nodes()) {
    if (is_device_node(*node)) {
      found.push_back(node.get());
    } else if (const auto* const child = std::get_if<ChildNode>(&node->payload)) {
      collect_device_nodes(*child->graph, found);
    } else if (const auto* const conditional = std::get_if<ConditionalNode>(&node->payload)) {
      for (const auto& body : conditional->bodies) {
        collect_device_nodes(*body, found);
      }
    }
  }
}

}  // namespace

bool operator==(const GraphLink& a, const GraphLink& b) {
  return a.node == b.node && is_same(a.data, b.data);
}

NodeType type_of(const NodePayload& payload) {
  constexpr NodeType kTypes[] = {NodeType::kKernel,    NodeType::kCopy,        NodeType::kFill,
                                 NodeType::kHost,      NodeType::kChild,       NodeType::kEmpty,
                                 NodeType::kEventWait, NodeType::kEventRecord, NodeType::kAllocation,
                                 NodeType::kFree,      NodeType::kConditional, NodeType::kBatch};
  static_assert(std::size(kTypes) == std::variant_size_v<NodePayload>);
  return kTypes[payload.index()];
}

bool is_device_node(const GraphNode& node) {
  const auto* const kernel = std::get_if<KernelNode>(&node.payload);
  return kernel != nullptr && kernel->device_node != nullptr;
}

void release(GraphHandles& handles, UserObjectHandle object, std::uint64_t count) {
  object->references -= std::min(count, object->references);
  if (object->references == 0) {
    const std::unique_ptr<UserObject> last = std::move(handles.objects.at(object));
    handles.objects.erase(object);
    last->destroy(last->data);
  }
}

Graph::Graph(std::shared_ptr<GraphHandles> handles) : handles_(std::move(handles)), number_(handles_->next_graph++) {
  handles_->graphs.insert(this);
}

Graph::~Graph() {
  for (const auto& node : nodes_) {
    handles_->nodes.erase(node.get());
  }
  handles_->graphs.erase(this);
  for (const auto& [object, count] : objects_) {
    release(*handles_, object, count);
  }
}

bool Graph::contains(const GraphNode* node) const {
  return handles_->nodes.contains(node) && node->graph == this;
}

GraphNode& Graph::add(NodePayload payload, std::span<const GraphLink> before) {
  auto made = std::make_unique<GraphNode>();
  made->graph = this;
  made->payload = std::move(payload);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const GraphLink& link = before[i];
    require_valid(contains(link.node));
    check_edge(*link.node, *made, link.data);
    require_valid(std::ranges::count(before.subspan(i), link) == 1);
  }
  GraphNode& node = *made;
  node.number = handles_->next_node++;
  nodes_.push_back(std::move(made));
  handles_->nodes.insert(&node);
  for (const GraphLink& link : before) {
    connect(*link.node, node, link.data);
  }
  return node;
}

void Graph::connect(GraphNode& from, GraphNode& to, const abi::EdgeData& data) {
  require_valid(contains(&from) && contains(&to) && &from != &to);
  check_edge(from, to, data);
  require_valid(std::ranges::find(to.before, GraphLink{&from, data}) == to.before.end());
  to.before.push_back({&from, data});
  from.after.push_back({&to, data});
}

void Graph::disconnect(GraphNode& from, GraphNode& to, const abi::EdgeData& data) {
  require_valid(contains(&from) && contains(&to));
  require_valid(std::erase(to.before, GraphLink{&from, data}) == 1);
  std::erase(from.after, GraphLink{&to, data});
}

void Graph::remove(GraphNode& node) {
  for (const GraphLink& link : node.before) {
    std::erase_if(link.node->after, [&](const GraphLink& other) { return other.node == &node; });
  }
  for (const GraphLink& link : node.after) {
    std::erase_if(link.node->before, [&](const GraphLink& other) { return other.node == &node; });
  }
  handles_->nodes.erase(&node);
  std::erase_if(nodes_, [&](const auto& own) { return own.get() == &node; });
}

std::vector<GraphNode*> Graph::ordered() const {
  std::map<const GraphNode*, std::size_t> missing;
  std::map<std::uint64_t, GraphNode*> possible;  // by number
  for (const auto& node : nodes_) {
    missing[node.get()] = node->before.size();
    if (node->before.empty()) {
      possible[node->number] = node.get();
    }
  }
  std::vector<GraphNode*> order;
  while (!possible.empty()) {
    GraphNode* const node = possible.begin()->second;
    possible.erase(possible.begin());
    order.push_back(node);
    for (const GraphLink& link : node->after) {
      if (--missing[link.node] == 0) {
        possible[link.node->number] = link.node;
      }
    }
  }
  require_valid(order.size() == nodes_.size());
  return order;
}

std::shared_ptr<Graph> Graph::clone(NodeMap* clones) const {
  std::map<const GraphNode*, GraphNode*> own;
  auto copy = std::make_shared<Graph>(handles_);
  copy->original_ = number_;
  copy->conditions_ = conditions_;
  for (const auto& [object, count] : objects_) {
    copy->objects_[object] = count;
    object->references += count;
  }
  for (const auto& node : nodes_) {
    auto made = std::make_unique<GraphNode>(
        GraphNode{copy.get(), node->gpu, handles_->next_node++, node->payload, {}, {}, node->number});
    if (auto* const child = std::get_if<ChildNode>(&made->payload)) {
      child->graph = child->graph->clone(clones);
    } else if (auto* const conditional = std::get_if<ConditionalNode>(&made->payload)) {
      for (std::size_t i = 0; i < conditional->bodies.size(); ++i) {
        conditional->bodies[i] = conditional->bodies[i]->clone(clones);
        conditional->handles[i] = conditional->bodies[i].get();
      }
    }
    own[node.get()] = made.get();
    handles_->nodes.insert(made.get());
    copy->nodes_.push_back(std::move(made));
  }
  const auto moved = [&](std::vector<GraphLink> links) {
    for (GraphLink& link : links) {
      link.node = own.at(link.node);
    }
    return links;
  };
  for (const auto& node : nodes_) {
    own.at(node.get())->before = moved(node->before);
    own.at(node.get())->after = moved(node->after);
  }
  if (clones != nullptr) {
    for (const auto& [node, made] : own) {
      (*clones)[node->number] = made;
    }
  }
  return copy;
}

bool Graph::uses_memory() const {
  return std::ranges::any_of(nodes_, [](const auto& node) {
    const auto* const child = std::get_if<ChildNode>(&node->payload);
    return std::holds_alternative<AllocationNode>(node->payload) || std::holds_alternative<FreeNode>(node->payload) ||
           (child != nullptr && child->graph->uses_memory());
  });
}

void Graph::add_condition(std::uint64_t handle, std::uint32_t value, bool assigned) {
  handles_->conditions.insert(handle);
  conditions_[handle] = {value, assigned};
}

std::uint64_t Graph::retained(UserObjectHandle object) const {
  const auto found = objects_.find(object);
  return found == objects_.end() ? 0 : found->second;
}

void Graph::release_retained(UserObjectHandle object, std::uint64_t count) {
  require_valid(retained(object) >= count);
  objects_[object] -= count;
  if (objects_[object] == 0) {
    objects_.erase(object);
  }
  release(*handles_, object, count);
}

std::vector<const GraphNode*> device_nodes_of(const Graph& graph) {
  std::vector<const GraphNode*> found;
  collect_device_nodes(graph, found);
  return found;
}

}  // namespace warpsim::cuda
