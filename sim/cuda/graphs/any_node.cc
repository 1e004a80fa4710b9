// Nodes of any type from CUDA's common structure, and copies in the structures of runtime and driver.
#include <algorithm>

#include "cuda/calls.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/graphs/node_calls.h"
#include "cuda/graphs/node_operations.h"
#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {

namespace {

// The driver's kinds of memory.
constexpr int kHost = 1;
constexpr int kDevice = 2;
constexpr int kArray = 3;
constexpr int kUnified = 4;

[[noreturn]] void refuse(NodeType type) {
  switch (type) {
    case NodeType::kSemaphoreSignal:
    case NodeType::kSemaphoreWait:
      throw CallError(kNotSupported,
                      "nodes of graphs with external semaphores are not supported: there is no other API");
    default:
      throw CallError(kInvalidValue);
  }
}

void add_conditional(Context& context, NodeHandle* node, const NodePlace& place, abi::ConditionalParameters& all) {
  constexpr unsigned kIfSides = 2;
  const Graph& graph = graph_of(context, place.graph);
  const auto type = static_cast<ConditionalType>(all.type);
  const bool fits = (type == ConditionalType::kIf && all.size >= 1 && all.size <= kIfSides) ||
                    (type == ConditionalType::kWhile && all.size == 1) ||
                    (type == ConditionalType::kSwitch && all.size >= 1);
  if (!fits || !graph.handles()->conditions.contains(all.handle)) {
    throw CallError(kInvalidValue);
  }
  if (std::ranges::any_of(graph.nodes(), [&](const auto& other) {
        const auto* const conditional = std::get_if<ConditionalNode>(&other->payload);
        return conditional != nullptr && conditional->handle == all.handle;
      })) {
    throw CallError(kInvalidValue);  // a handle is for one node
  }
  ConditionalNode made{all.handle, type, {}, {}};
  for (unsigned i = 0; i < all.size; ++i) {
    made.bodies.push_back(std::make_shared<Graph>(graph.handles()));
    made.handles.push_back(made.bodies.back().get());
  }
  add_payload(context, node, place, std::move(made));
  all.graphs = std::get<ConditionalNode>((*node)->payload).handles.data();
}

constexpr int kMoved = 1;

bool contains_graph(const Graph& graph, const Graph* wanted) {
  return &graph == wanted || std::ranges::any_of(graph.nodes(), [&](const auto& node) {
    const auto* const child = std::get_if<ChildNode>(&node->payload);
    const auto* const conditional = std::get_if<ConditionalNode>(&node->payload);
    return (child != nullptr && contains_graph(*child->graph, wanted)) ||
           (conditional != nullptr &&
            std::ranges::any_of(conditional->bodies, [&](const auto& body) { return contains_graph(*body, wanted); }));
  });
}

// The child stays the same graph, which belongs to the node then.
void move_child(Context& context, NodeHandle* node, const NodePlace& place, GraphHandle handle) {
  const auto own = context.graphs().graphs.find(&graph_of(context, handle));
  require_valid(own != context.graphs().graphs.end() && !contains_graph(*own->second, place.graph));
  add_payload(context, node, place, ChildNode{own->second});
  context.graphs().graphs.erase(own);
}

struct CopySide {
  int type;
  const void* host;
  std::uint64_t device;
  ArrayHandle array;
};

const void* base_of(const CopySide& side) {
  return side.type == kHost ? side.host : to_pointer(side.device);
}

abi::PitchedPointer pitched(const CopySide& side, std::size_t pitch, std::size_t height, std::size_t width) {
  return {const_cast<void*>(base_of(side)), pitch == 0 ? width : pitch, width, height};
}

bool on_host(int type) {
  return type == kHost;
}

int kind_of(const CopySide& target, const CopySide& source) {
  constexpr int kToDevice = 1;
  constexpr int kToHost = 2;
  if (target.type == kUnified || source.type == kUnified) {
    return static_cast<int>(CopyKind::kDefault);
  }
  return (on_host(target.type) ? 0 : kToDevice) + (on_host(source.type) ? 0 : kToHost);
}

int memory_type(ArrayHandle array, bool host, bool any) {
  if (array != nullptr) {
    return kArray;
  }
  if (any) {
    return kUnified;
  }
  return host ? kHost : kDevice;
}

}  // namespace

NodePayload payload_from(Context& context, const abi::NodeParameters& all, Api api) {
  switch (static_cast<NodeType>(all.type)) {
    case NodeType::kKernel:
      return kernel_node(context, api == Api::kRuntime ? all.kernel.common : kernel_of(all.kernel));
    case NodeType::kCopy:
      return copy_node(context, api == Api::kRuntime ? all.copy.copy : runtime_copy(context, all.driver_copy.copy));
    case NodeType::kFill:
      return fill_node(context, all.fill);
    case NodeType::kHost:
      return host_node(all.host);
    case NodeType::kBatch:
      require_valid(api == Api::kDriver);  // the runtime has no such nodes
      return batch_node(context, all.batch);
    case NodeType::kEmpty:
      return EmptyNode{};
    case NodeType::kEventWait:
      context.event(all.event);
      return EventWaitNode{all.event};
    case NodeType::kEventRecord:
      context.event(all.event);
      return EventRecordNode{all.event};
    case NodeType::kChild:
      return ChildNode{graph_of(context, all.child.graph).clone()};
    default:
      refuse(static_cast<NodeType>(all.type));
  }
}

void add_any(Context& context, NodeHandle* node, const NodePlace& place, abi::NodeParameters* parameters, Api api) {
  abi::NodeParameters& all = result(parameters);
  graph_of(context, place.graph);
  switch (static_cast<NodeType>(all.type)) {
    case NodeType::kChild:
      if (all.child.ownership == kMoved) {
        move_child(context, node, place, all.child.graph);
      } else {
        require_valid(all.child.ownership == 0);
        add_child(context, node, place, all.child.graph);
      }
      return;
    case NodeType::kAllocation:
      add_allocation(context, node, place, &all.allocation);
      return;
    case NodeType::kFree:
      add_free(context, node, place, all.freed);
      return;
    case NodeType::kConditional:
      add_conditional(context, node, place, all.conditional);
      return;
    default:
      add_payload(context, node, place, payload_from(context, all, api));
  }
}

abi::Memcpy3d runtime_copy(Context& context, const abi::DriverMemcpy3d& c) {
  const CopySide source = {c.source_type, c.source_host, c.source_device, c.source_array};
  const CopySide target = {c.target_type, c.target_host, c.target_device, c.target_array};
  abi::Memcpy3d copy = {};
  const ArrayHandle array = source.type == kArray ? source.array : target.type == kArray ? target.array : nullptr;
  const std::size_t element = array == nullptr ? 1 : context.array(array).texel_bytes;
  const std::size_t source_element = source.type == kArray ? element : 1;
  const std::size_t target_element = target.type == kArray ? element : 1;
  copy.source_position = {c.source_x / source_element, c.source_y, c.source_z};
  copy.target_position = {c.target_x / target_element, c.target_y, c.target_z};
  copy.extent = {c.width / element, c.height, c.depth};
  if (source.type == kArray) {
    copy.source_array = source.array;
  } else {
    copy.source = pitched(source, c.source_pitch, c.source_height, c.width);
  }
  if (target.type == kArray) {
    copy.target_array = target.array;
  } else {
    copy.target = pitched(target, c.target_pitch, c.target_height, c.width);
  }
  copy.kind = kind_of(target, source);
  return copy;
}

abi::DriverMemcpy3d driver_copy(Context& context, const abi::Memcpy3d& c) {
  const CopyKind kind = copy_kind(c.kind);
  const bool any = kind == CopyKind::kDefault;
  const ArrayHandle array = c.source_array != nullptr ? c.source_array : c.target_array;
  const std::size_t element = array == nullptr ? 1 : context.array(array).texel_bytes;
  abi::DriverMemcpy3d copy = {};
  copy.source_type = memory_type(c.source_array, kind == CopyKind::kHostToHost || kind == CopyKind::kHostToDevice, any);
  copy.target_type = memory_type(c.target_array, kind == CopyKind::kHostToHost || kind == CopyKind::kDeviceToHost, any);
  copy.source_x = c.source_position.x * (c.source_array != nullptr ? element : 1);
  copy.source_y = c.source_position.y;
  copy.source_z = c.source_position.z;
  copy.target_x = c.target_position.x * (c.target_array != nullptr ? element : 1);
  copy.target_y = c.target_position.y;
  copy.target_z = c.target_position.z;
  copy.source_array = c.source_array;
  copy.target_array = c.target_array;
  if (copy.source_type == kHost) {
    copy.source_host = c.source.data;
  } else {
    copy.source_device = to_address(c.source.data);
  }
  if (copy.target_type == kHost) {
    copy.target_host = c.target.data;
  } else {
    copy.target_device = to_address(c.target.data);
  }
  copy.source_pitch = c.source.pitch;
  copy.source_height = c.source.height;
  copy.target_pitch = c.target.pitch;
  copy.target_height = c.target.height;
  copy.width = c.extent.width * element;
  copy.height = c.extent.height;
  copy.depth = c.extent.depth;
  return copy;
}

}  // namespace warpsim::cuda
