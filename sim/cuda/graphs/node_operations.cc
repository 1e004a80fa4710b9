#include "cuda/graphs/node_operations.h"

#include <algorithm>

#include "cuda/memory/memory_calls.h"
#include "cuda/streams/launching.h"

namespace warpsim::cuda {

namespace {

abi::Memcpy3d copy_of(const CopyOperation& copy) {
  const auto pitched = [&](const Box& box) {
    const std::size_t rows = box.pitch == 0 ? 0 : box.slice / box.pitch;
    return abi::PitchedPointer{to_pointer(box.address), box.pitch, copy.size.width, rows};
  };
  constexpr int kToDevice = 1;
  constexpr int kToHost = 2;
  abi::Memcpy3d all = {};
  all.source = pitched(copy.source);
  all.target = pitched(copy.target);
  all.extent = {copy.size.width, copy.size.height, copy.size.depth};
  all.kind = (copy.target.on_device ? kToDevice : 0) + (copy.source.on_device ? kToHost : 0);
  return all;
}

FillOperation fill_operation(Context& context, const abi::FillParameters& fill) {
  const std::size_t element = fill.element_bytes;
  if ((element != 1 && element != 2 && element != 4) || fill.width == 0 || fill.height == 0 ||
      fill.width > SIZE_MAX / element || to_address(fill.data) % element != 0) {
    throw CallError(kInvalidValue);
  }
  const BoxSize size = {fill.width * element, fill.height, 1};
  const std::size_t pitch = fill.height == 1 ? size.width : fill.pitch;
  return {pitched_box(context, fill.data, {pitch, 0}, size, Side::kDevice), {fill.value, element}, size};
}

std::vector<NodePayload> fills_of(const FillOperation& fill) {
  const std::size_t element = fill.fill.element_bytes;
  abi::FillParameters all = {to_pointer(fill.target.address), fill.target.pitch,         fill.fill.value,
                             static_cast<unsigned>(element),  fill.size.width / element, fill.size.height};
  const bool in_line = fill.target.slice == fill.target.pitch * fill.size.height;
  if (in_line || fill.size.depth == 1) {
    all.height *= fill.size.depth;
    return {FillNode{all}};
  }
  std::vector<NodePayload> slices;
  for (std::size_t i = 0; i < fill.size.depth; ++i) {
    all.data = to_pointer(fill.target.address + i * fill.target.slice);
    slices.emplace_back(FillNode{all});
  }
  return slices;
}

void require_own(const Event& event) {
  if (event.shared != nullptr) {
    throw CallError(kNotSupported, "a graph with an event that several processes share is not supported");
  }
}

}  // namespace

Operation operation_of(Context& context, const NodePayload& payload) {
  if (const auto* const kernel = std::get_if<KernelNode>(&payload)) {
    context.kernel_of(kernel->operation.kernel);  // its module may be gone
    return kernel->operation;
  }
  if (const auto* const copy = std::get_if<CopyNode>(&payload)) {
    return copy_operation(context, copy->copy);
  }
  if (const auto* const fill = std::get_if<FillNode>(&payload)) {
    return fill_operation(context, fill->fill);
  }
  if (const auto* const host = std::get_if<HostNode>(&payload)) {
    return HostOperation{[call = host->host] { call.function(call.data); }};
  }
  if (const auto* const wait = std::get_if<EventWaitNode>(&payload)) {
    require_own(context.event(wait->event));
  }
  if (const auto* const record = std::get_if<EventRecordNode>(&payload)) {
    require_own(context.event(record->event));
    return MarkerOperation{context.event(record->event).takes_time()};
  }
  if (const auto* const batch = std::get_if<BatchNode>(&payload)) {
    check_batch(context, batch->operations, 0);  // memory may be gone
    return BatchOperation{batch->operations};
  }
  return InstantOperation{};
}

std::vector<NodePayload> nodes_of(const Operation& operation) {
  if (const auto* const launch = std::get_if<LaunchOperation>(&operation)) {
    return {KernelNode{*launch}};
  }
  if (const auto* const copy = std::get_if<CopyOperation>(&operation)) {
    return {CopyNode{copy_of(*copy)}};
  }
  if (const auto* const fill = std::get_if<FillOperation>(&operation)) {
    return fills_of(*fill);
  }
  if (const auto* const batch = std::get_if<BatchOperation>(&operation)) {
    return {BatchNode{batch->operations}};
  }
  const auto* const host = std::get_if<HostOperation>(&operation);
  if (host != nullptr && host->plain != nullptr) {
    return {HostNode{{host->plain, host->data}}};
  }
  throw CallError(kStreamCaptureUnsupported);
}

NodePayload kernel_node(Context& context, const abi::KernelNodeParameters& parameters) {
  LaunchRequest request;
  request.grid = parameters.grid;
  request.block = parameters.block;
  request.dynamic_shared_bytes = parameters.shared_bytes;
  request.arguments = parameters.arguments;
  request.buffers = parameters.buffers;
  if (request.arguments != nullptr && request.buffers != nullptr) {
    throw CallError(kInvalidValue);
  }
  return KernelNode{launch_operation(context, context.kernel_of(parameters.function), request)};
}

NodePayload copy_node(Context& context, const abi::Memcpy3d& copy) {
  if (copy.extent.width == 0 || copy.extent.height == 0 || copy.extent.depth == 0) {
    throw CallError(kInvalidValue);
  }
  copy_operation(context, copy);
  return CopyNode{copy};
}

NodePayload fill_node(Context& context, const abi::FillParameters& fill) {
  fill_operation(context, fill);
  return FillNode{fill};
}

NodePayload host_node(const abi::HostParameters& host) {
  if (host.function == nullptr) {
    throw CallError(kInvalidValue);
  }
  return HostNode{host};
}

NodePayload batch_node(Context& context, const abi::BatchNodeParameters& batch) {
  return BatchNode{batch_of(context, batch), batch.context};
}

abi::Memcpy3d line_copy(void* target, const void* source, std::size_t bytes, int kind) {
  abi::Memcpy3d copy = {};
  copy.target = {target, bytes, bytes, 1};
  copy.source = {const_cast<void*>(source), bytes, bytes, 1};
  copy.extent = {bytes, 1, 1};
  copy.kind = kind;
  return copy;
}

abi::KernelNodeParameters kernel_of(const abi::DriverKernelNodeParameters& parameters) {
  abi::KernelNodeParameters kernel = parameters.common;
  kernel.function = kernel.function == nullptr ? parameters.kernel : kernel.function;
  return kernel;
}

abi::KernelNodeParameters parameters_of(Context& context, KernelNode& node) {
  LaunchOperation& operation = node.operation;
  node.pointers.clear();
  for (const Parameter& parameter : context.info(*operation.kernel).parameters) {
    node.pointers.push_back(operation.parameters.data() + parameter.offset);
  }
  const Launch& launch = operation.launch;
  abi::KernelNodeParameters all = {};
  all.function = const_cast<void*>(context.stub_of(*operation.kernel));
  all.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  all.block = {launch.block.x, launch.block.y, launch.block.z};
  all.shared_bytes = launch.dynamic_shared_bytes;
  all.arguments = node.pointers.data();
  return all;
}

}  // namespace warpsim::cuda
