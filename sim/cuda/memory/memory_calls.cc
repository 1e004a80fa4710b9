#include "cuda/memory/memory_calls.h"

#include <algorithm>

#include "cuda/graphs/capture.h"
#include "cuda/graphs/graph_memory.h"
#include "cuda/ipc/ipc_memory.h"
#include "cuda/memory/memory_errors.h"
#include "cuda/memory/memory_pools.h"
#include "cuda/memory/virtual_memory.h"
#include "cuda/streams/stream_calls.h"

namespace warpsim::cuda {

namespace {

constexpr std::size_t kPitchAlignment = 512;

// Fails if the product overflows.
std::size_t times(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    throw CallError(kInvalidValue);
  }
  return product;
}

Side target_side(CopyKind kind) {
  switch (kind) {
    case CopyKind::kHostToHost:
    case CopyKind::kDeviceToHost:
      return Side::kHost;
    case CopyKind::kHostToDevice:
    case CopyKind::kDeviceToDevice:
      return Side::kDevice;
    case CopyKind::kDefault:
      break;
  }
  return Side::kEither;
}

Side source_side(CopyKind kind) {
  switch (kind) {
    case CopyKind::kHostToHost:
    case CopyKind::kHostToDevice:
      return Side::kHost;
    case CopyKind::kDeviceToHost:
    case CopyKind::kDeviceToDevice:
      return Side::kDevice;
    case CopyKind::kDefault:
      break;
  }
  return Side::kEither;
}

}  // namespace

CopyKind copy_kind(int kind) {
  if (kind < 0 || kind > static_cast<int>(CopyKind::kDefault)) {
    throw CallError(kInvalidCopyDirection);
  }
  return static_cast<CopyKind>(kind);
}

Box linear_box(Context& context, const void* data, std::size_t bytes, Side side) {
  DeviceMemory& memory = context.device().memory();
  const Address begin = to_address(data);
  const DeviceMemory::Allocation* const allocation =
      side == Side::kHost && memory.reserved().bytes == 0 ? nullptr : memory.find(begin);
  if (allocation == nullptr) {
    if (side == Side::kDevice || data == nullptr || memory.is_device_address(begin)) {
      throw CallError(kInvalidValue, "a copy or fill: " + why_not(memory, begin, bytes));
    }
    return {static_cast<std::byte*>(const_cast<void*>(data)), begin, bytes, bytes, false, true};
  }
  std::byte* const place = memory.host(begin, bytes);
  if (place == nullptr) {
    throw CallError(kInvalidValue, "a copy or fill: " + why_not(memory, begin, bytes));
  }
  require_access(context, begin, bytes, false);
  const bool on_device = !allocation->registered;
  return {place, begin, bytes, bytes, on_device};
}

Box pitched_box(Context& context, const void* data, Layout layout, const BoxSize& size, Side side) {
  if (size.height > 1 && layout.pitch < size.width) {
    throw CallError(kInvalidPitch);
  }
  const std::size_t rows = std::max(layout.rows, size.height);
  const std::size_t slice = times(layout.pitch, rows);
  const std::size_t bytes = times(slice, size.depth - 1) + times(layout.pitch, size.height - 1) + size.width;
  Box box = linear_box(context, data, bytes, side);
  box.pitch = layout.pitch;
  box.slice = slice;
  return box;
}

Box array_box(Context& context, ArrayHandle handle, const abi::Position& position, const BoxSize& size) {
  const Array& array = context.array(handle);
  if (position.x > array.pitch() || size.width > array.pitch() - position.x || position.y > array.rows() ||
      size.height > array.rows() - position.y || position.z > array.slices() ||
      size.depth > array.slices() - position.z) {
    throw CallError(kInvalidValue);
  }
  const std::size_t slice = array.pitch() * array.rows();
  std::byte* const data = context.device().memory().host(array.data, array.bytes());
  const std::size_t offset = position.z * slice + position.y * array.pitch() + position.x;
  return {data + offset, array.data + offset, array.pitch(), slice, true};
}

Box array_line(Context& context, ArrayHandle handle, std::size_t offset, std::size_t bytes) {
  const Array& array = context.array(handle);
  if (offset > array.bytes() || bytes > array.bytes() - offset) {
    throw CallError(kInvalidValue);
  }
  return {context.device().memory().host(array.data, array.bytes()) + offset, array.data + offset, bytes, bytes, true};
}

std::byte* symbol_bytes(Context& context, const void* symbol, std::size_t offset, std::size_t bytes) {
  const VariableInfo& variable = context.symbol(symbol);
  if (offset > variable.bytes || bytes > variable.bytes - offset) {
    throw CallError(kInvalidValue);
  }
  return static_cast<std::byte*>(to_pointer(variable.address)) + offset;
}

void copy_box(Context& context, const Box& target, const Box& source, const BoxSize& size, const CopyOrder& order) {
  require_access(context, target.address, extent_of(target, size), true);
  if (capture_operation(context, order.stream, CopyOperation{target, source, size})) {
    return;
  }
  if (!order.async) {
    forbid_unsafe(context);
  }
  DeviceQueue& queue = context.device().queue();
  const bool from_pageable = source.pageable && target.on_device;
  const bool to_pageable = target.pageable && source.on_device;
  if (from_pageable) {
    queue.stage(size.bytes());
  }
  const bool is_read_now = from_pageable && order.async;
  const WorkHandle work =
      put(context, order.stream, CopyOperation{target, is_read_now ? staged(source, size) : source, size});
  const bool in_host = !target.on_device && !source.on_device;
  if (to_pageable || in_host || (!order.async && target.on_device != source.on_device)) {
    context.wait([&] { queue.wait(work); });
  }
  if (to_pageable) {
    queue.stage(size.bytes());
  }
  context.check_device();
}

void copy(Context& context, const Copy& c, const CopyOrder& order) {
  if (c.bytes == 0) {
    context.stream(order.stream);
    return;
  }
  copy_box(context, linear_box(context, c.target, c.bytes, target_side(c.kind)),
           linear_box(context, c.source, c.bytes, source_side(c.kind)), {c.bytes, 1, 1}, order);
}

void copy_2d(Context& context, const Copy2d& c, const CopyOrder& order) {
  const BoxSize size = {c.width, c.height, 1};
  if (size.empty()) {
    return;
  }
  if (c.width > c.target_pitch || c.width > c.source_pitch) {
    throw CallError(kInvalidPitch);
  }
  copy_box(context, pitched_box(context, c.target, {c.target_pitch, 0}, size, target_side(c.kind)),
           pitched_box(context, c.source, {c.source_pitch, 0}, size, source_side(c.kind)), size, order);
}

CopyOperation copy_operation(Context& context, const abi::Memcpy3d& c) {
  const CopyKind kind = copy_kind(c.kind);
  // The extent is in elements if an array is involved, otherwise in bytes.
  std::size_t element = 1;
  if (c.source_array != nullptr) {
    element = context.array(c.source_array).texel_bytes;
  } else if (c.target_array != nullptr) {
    element = context.array(c.target_array).texel_bytes;
  }
  const BoxSize size = {times(c.extent.width, element), c.extent.height, c.extent.depth};
  if (size.empty()) {
    return {{}, {}, size};
  }
  const auto box = [&](ArrayHandle array, const abi::Position& at, const abi::PitchedPointer& pointer, Side side) {
    if (array != nullptr) {
      return array_box(context, array, {at.x * element, at.y, at.z}, size);
    }
    const std::size_t slice = times(pointer.pitch, std::max(pointer.height, size.height));
    const auto* const first = static_cast<const std::byte*>(pointer.data) + at.z * slice + at.y * pointer.pitch + at.x;
    return pitched_box(context, first, {pointer.pitch, pointer.height}, size, side);
  };
  return {box(c.target_array, c.target_position, c.target, target_side(kind)),
          box(c.source_array, c.source_position, c.source, source_side(kind)), size};
}

void copy_3d(Context& context, const abi::Memcpy3d& c, const CopyOrder& order) {
  const CopyOperation boxes = copy_operation(context, c);
  if (!boxes.size.empty()) {
    copy_box(context, boxes.target, boxes.source, boxes.size, order);
  }
}

void fill(Context& context, const FillArea& area, const Fill& value, StreamHandle stream) {
  const BoxSize& elements = area.elements;
  if (elements.empty()) {
    context.stream(stream);
    return;
  }
  const BoxSize size = {times(elements.width, value.element_bytes), elements.height, elements.depth};
  const Box box = pitched_box(context, area.data, {area.pitch, 0}, size, Side::kDevice);
  require_access(context, box.address, extent_of(box, size), true);
  put(context, stream, FillOperation{box, value, size});
}

void* allocate(Context& context, std::size_t bytes, std::size_t alignment) {
  forbid_unsafe(context);
  return take_memory(context, context.device(), bytes, alignment);
}

void* take_memory(Context& context, Device& device, std::size_t bytes, std::size_t alignment) {
  if (bytes == 0) {
    return nullptr;
  }
  Address address = device.memory().allocate(bytes, alignment);
  if (address == 0 && !device.queue().idle()) {
    context.wait([&] { device.queue().wait(nullptr); });  // work of streams may free memory
    address = device.memory().allocate(bytes, alignment);
  }
  if (address == 0) {
    context.pools().give_all_back(context);
    address = device.memory().allocate(bytes, alignment);
  }
  if (address == 0) {
    throw CallError(kOutOfMemory);
  }
  return to_pointer(address);
}

void* allocate_managed(Context& context, std::size_t bytes) {
  forbid_unsafe(context);
  if (bytes == 0) {
    throw CallError(kInvalidValue);
  }
  DeviceMemory& memory = context.device().memory();
  if (!memory.has_managed()) {
    throw CallError(kNotSupported, "managed memory needs address space that is already used in this process");
  }
  const Address address = memory.allocate_managed(bytes);
  if (address == 0) {
    throw CallError(kOutOfMemory);
  }
  context.add_managed(address);
  return to_pointer(address);
}

Pitched allocate_pitched(Context& context, std::size_t width, std::size_t rows) {
  if (width > SIZE_MAX - kPitchAlignment) {
    throw CallError(kOutOfMemory);
  }
  const std::size_t pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  return {allocate(context, times(pitch, rows)), pitch};
}

void wait_for_all(Context& context) {
  forbid_unsafe(context);
  DeviceQueue& queue = context.device().queue();
  if (!queue.idle()) {
    context.wait([&queue] { queue.wait(nullptr); });
    context.check_device();
  }
}

void release(Context& context, void* data) {
  if (data == nullptr) {
    return;
  }
  MemoryPool* const pool = context.pools().owner(to_address(data));
  if (pool == nullptr) {
    require_own(context, data);
  }
  wait_for_all(context);
  if (pool != nullptr) {
    free_to_pool_now(context, *pool, to_address(data));
    return;
  }
  if (free_graph_memory(context, data)) {
    return;
  }
  context.managed_memory().erase(to_address(data));
  context.ipc_memory().forget(to_address(data));
  context.device().memory().release(to_address(data));
}

void* allocate_in_order(Context& context, std::size_t bytes, StreamHandle stream, MemoryPool* pool) {
  if (void* const captured = capture_allocation(context, stream, bytes)) {
    return captured;
  }
  MemoryPool& from = pool != nullptr ? *pool : *context.pools().current(context, context.stream(stream).gpu);
  return to_pointer(from.allocate(context, bytes, stream));
}

void release_in_order(Context& context, void* data, StreamHandle stream) {
  context.stream(stream);
  if (data == nullptr) {
    return;
  }
  if (capture_free(context, stream, data)) {
    return;
  }
  if (MemoryPool* const pool = context.pools().owner(to_address(data))) {
    free_to_pool(context, *pool, to_address(data), stream);
    return;
  }
  require_own(context, data);
  const bool of_graph = free_graph_memory(context, data);
  put(context, stream, InstantOperation{[&context, data, of_graph] {
        if (of_graph) {
          return;  // the graph keeps its memory
        }
        context.managed_memory().erase(to_address(data));
        context.ipc_memory().forget(to_address(data));
        context.device().memory().release(to_address(data));
      }});
}

Array described_array(const abi::ChannelFormat& format, const abi::Extent& extent, unsigned flags) {
  int bits = 0;
  for (const int channel : format.bits) {
    if (channel != 0 && channel != 8 && channel != 16 && channel != 32) {
      throw CallError(kInvalidChannelDescriptor);
    }
    bits += channel;
  }
  constexpr int kMostKinds = 2;  // block-compressed and normalised formats are not there
  if (bits == 0 || format.kind < 0 || format.kind > kMostKinds || extent.width == 0) {
    throw CallError(kInvalidValue);
  }
  Array array;
  array.format = format;
  array.extent = extent;
  array.flags = flags;
  array.texel_bytes = static_cast<std::size_t>(bits) / 8;
  times(times(array.pitch(), array.rows()), array.slices());
  return array;
}

ArrayHandle allocate_array(Context& context, const abi::ChannelFormat& format, const abi::Extent& extent,
                           unsigned flags) {
  Array array = described_array(format, extent, flags);
  array.data = to_address(allocate(context, array.bytes()));
  return context.add_array(array);
}

PointerInfo pointer_info(Context& context, const void* data) {
  const DeviceMemory::Allocation* const allocation = context.device().memory().find(to_address(data));
  if (allocation == nullptr) {
    return {};
  }
  const PointerKind kind = allocation->registered                                 ? PointerKind::kHost
                           : context.managed_memory().contains(allocation->begin) ? PointerKind::kManaged
                                                                                  : PointerKind::kDevice;
  return {kind, allocation->begin, allocation->bytes, allocation->gpu};
}

}  // namespace warpsim::cuda
