#include "cuda/graphs/node_calls.h"

#include <algorithm>
#include <cstring>

#include "cuda/calls.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/graphs/node_operations.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/streams/launch_attributes.h"
#include "cuda/streams/launching.h"
#include "cuda/streams/stream_attributes.h"

namespace warpsim::cuda {

namespace {

std::size_t attribute_bytes() {
  return sizeof(abi::LaunchAttribute{}.value);
}

void keep_attributes(NodePayload& to, const NodePayload& from) {
  auto* const kernel = std::get_if<KernelNode>(&to);
  if (kernel == nullptr) {
    return;
  }
  const auto& old = std::get<KernelNode>(from);
  kernel->attributes = old.attributes;
  kernel->device_node = old.device_node;
  kernel->operation.launch.cooperative = old.operation.launch.cooperative;
  kernel->operation.launch.place.priority = old.operation.launch.place.priority;
  kernel->operation.launch.window = old.operation.launch.window;
  const auto cluster = old.attributes.find(kAttributeCluster);
  if (cluster != old.attributes.end()) {
    kernel->operation.launch.cluster = old.operation.launch.cluster;
  }
}

// The program gets the handle in its attribute, which it passes as constant.
void make_changeable(KernelNode& node, const void* value) {
  abi::LaunchAttribute attribute = {};
  std::memcpy(&attribute.value, &result(static_cast<const char*>(value)), attribute_bytes());
  const int wanted = attribute.value.changeable.wanted;
  if (wanted == 0 && node.device_node != nullptr) {
    throw CallError(kNotSupported, "a node that kernels may change stays so");
  }
  require_valid(wanted == 0 || (wanted == 1 && node.device_node == nullptr));
  if (wanted == 1) {
    node.device_node = std::make_shared<DeviceNode>();
    attribute.value.changeable.node = node.device_node.get();
    std::memcpy(const_cast<void*>(value), &attribute.value, attribute_bytes());
  }
}

// The launch of the node with other attributes, checked.
void launch_with(Context& context, KernelNode& node, LaunchRequest request) {
  LaunchOperation& operation = node.operation;
  const Launch old = operation.launch;
  request.grid = {old.grid.x, old.grid.y, old.grid.z};
  request.block = {old.block.x, old.block.y, old.block.z};
  request.dynamic_shared_bytes = old.dynamic_shared_bytes;
  std::size_t bytes = operation.parameters.size();
  constexpr std::uintptr_t kData = 1;
  constexpr std::uintptr_t kSize = 2;
  void* buffers[] = {to_pointer(kData), operation.parameters.data(), to_pointer(kSize), &bytes, nullptr};
  request.buffers = buffers;
  LaunchOperation changed = launch_operation(context, *operation.kernel, request);
  changed.launch.place = old.place;
  if (!request.window) {
    changed.launch.window = old.window;
  }
  operation = std::move(changed);
}

bool is_flat(const NodePayload& payload) {
  if (const auto* const copy = std::get_if<CopyNode>(&payload)) {
    return copy->copy.extent.height <= 1 && copy->copy.extent.depth <= 1;
  }
  const auto* const fill = std::get_if<FillNode>(&payload);
  return fill == nullptr || fill->fill.height <= 1;
}

std::pair<bool, bool> sides(Context& context, const CopyNode& node) {
  const CopyOperation copy = copy_operation(context, node.copy);
  return {copy.target.on_device, copy.source.on_device};
}

}  // namespace

void add_payload(Context& context, NodeHandle* node, const NodePlace& place, NodePayload payload) {
  Graph& graph = graph_of(context, place.graph);
  const std::vector<GraphLink> before = links_of(context, place.before, place.data, place.count);
  GraphNode& made = graph.add(std::move(payload), before);
  made.gpu = current_device();
  result(node) = &made;
}

void add_child(Context& context, NodeHandle* node, const NodePlace& place, GraphHandle handle) {
  const Graph& child = graph_of(context, handle);
  if (child.uses_memory()) {
    throw CallError(kNotSupported, "a graph that allocates or frees memory cannot be copied into another");
  }
  add_payload(context, node, place, ChildNode{child.clone()});
}

void add_event(Context& context, NodeHandle* node, const NodePlace& place, NodePayload payload) {
  if (const auto* const record = std::get_if<EventRecordNode>(&payload)) {
    context.event(record->event);
  } else {
    context.event(std::get<EventWaitNode>(payload).event);
  }
  add_payload(context, node, place, std::move(payload));
}

void add_allocation(Context& context, NodeHandle* node, const NodePlace& place, abi::AllocationParameters* parameters) {
  constexpr int kOnDevice = 1;
  abi::AllocationParameters& all = result(parameters);
  graph_of(context, place.graph);
  require_valid(all.bytes != 0 && all.pool.handle_types == 0 && all.pool.location == 0);
  if (all.pool.location_type != kOnDevice) {
    throw CallError(kNotSupported, "memory nodes of graphs allocate on the device only");
  }
  AllocationNode made{context.graphs().memory->allocate(context, all.bytes), all};
  made.parameters.data = to_pointer(made.memory->begin);
  void* const data = made.parameters.data;
  add_payload(context, node, place, std::move(made));
  all.data = data;
}

void add_free(Context& context, NodeHandle* node, const NodePlace& place, void* data) {
  require_valid(context.graphs().memory->find(to_address(data)) != nullptr);
  add_payload(context, node, place, FreeNode{data});
}

void set_payload(Context& context, NodeHandle handle, NodePayload payload) {
  GraphNode& node = node_of(context, handle);
  require_valid(type_of(node.payload) == type_of(payload));
  keep_attributes(payload, node.payload);
  node.payload = std::move(payload);
}

void check_change(Context& context, const NodePayload& from, const NodePayload& to) {
  require_valid(type_of(from) == type_of(to));
  require_valid(is_flat(from) && is_flat(to));
  if (const auto* const copy = std::get_if<CopyNode>(&from)) {
    require_valid(sides(context, *copy) == sides(context, std::get<CopyNode>(to)));
  }
}

void set_exec_payload(Context& context, ExecHandle exec, NodeHandle original, NodePayload payload) {
  node_of(context, original);
  GraphNode& node = exec_of(context, exec).node(original);
  check_change(context, node.payload, payload);
  keep_attributes(payload, node.payload);
  node.payload = std::move(payload);
}

void set_attribute(Context& context, NodeHandle handle, int number, const void* value) {
  auto& node = payload_of<KernelNode>(node_of(context, handle));
  if (number == kAttributeChangeable) {
    make_changeable(node, value);
    return;
  }
  abi::LaunchAttribute attribute = {};
  attribute.id = number;
  std::memcpy(&attribute.value, &result(static_cast<const char*>(value)), attribute_bytes());
  KernelNode changed = node;
  const Launch& launch = node.operation.launch;
  LaunchRequest request;
  request.cooperative = launch.cooperative;
  request.cluster = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
  read_attributes(request, {&attribute, 1});
  launch_with(context, changed, request);
  if (number == kAttributePriority) {
    changed.operation.launch.place.priority = attribute.value.integer;
  }
  changed.attributes[number] = attribute;
  node = std::move(changed);
}

void get_attribute(Context& context, NodeHandle handle, int number, void* value) {
  const auto& node = payload_of<KernelNode>(node_of(context, handle));
  abi::LaunchAttribute attribute = {};
  if (const auto set = node.attributes.find(number); set != node.attributes.end()) {
    attribute = set->second;
  } else if (number == kAttributeCooperative) {
    attribute.value.integer = node.operation.launch.cooperative ? 1 : 0;
  } else if (number == kAttributePriority) {
    attribute.value.integer = node.operation.launch.place.priority;
  } else if (number == kAttributeChangeable) {
    attribute.value.changeable = {node.device_node != nullptr ? 1 : 0, node.device_node.get()};
  } else if (number == kAttributeWindow) {
    attribute.value.window = program_window(node.operation.launch.window);
  } else if (number == kAttributeCluster) {
    const Dim3& cluster = node.operation.launch.cluster;
    attribute.value.dimensions = {cluster.x, cluster.y, cluster.z};
  }
  std::memcpy(&result(static_cast<char*>(value)), &attribute.value, attribute_bytes());
}

void copy_attributes(Context& context, NodeHandle target, NodeHandle source) {
  const auto& from = payload_of<KernelNode>(node_of(context, source));
  auto& to = payload_of<KernelNode>(node_of(context, target));
  if (from.device_node != nullptr || to.device_node != nullptr) {
    throw CallError(kNotSupported, "attributes of a node that kernels may change cannot be copied");
  }
  KernelNode changed = to;
  const Launch& launch = from.operation.launch;
  LaunchRequest request;
  request.cooperative = launch.cooperative;
  request.cluster = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
  launch_with(context, changed, request);
  changed.operation.launch.place.priority = launch.place.priority;
  changed.operation.launch.window = launch.window;
  changed.attributes = from.attributes;
  to = std::move(changed);
}

}  // namespace warpsim::cuda
