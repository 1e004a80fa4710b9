// The driver's copies, arrays, texture and surface objects.
#include <algorithm>

#include "cuda/calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/textures.h"

namespace warpsim::cuda {

namespace {

enum MemoryType : int { kHost = 1, kDevice = 2, kArrayMemory = 3, kUnified = 4 };

int copy_linear(std::uint64_t target, std::uint64_t source, std::size_t bytes, CopyKind kind,
                const CopyOrder& order = {}) {
  return stream_call(order.stream, [&](Context& context) {
    copy(context, {to_pointer(target), to_pointer(source), bytes, kind}, order);
    context.flush_printed();
  });
}

// One side of a copy of boxes.
struct CopySide {
  int type;
  const void* host;
  std::uint64_t device;
  ArrayHandle array;
  abi::Position position;
  Layout layout;
};

Box box_of(Context& context, const CopySide& side, const BoxSize& size) {
  if (side.type == kArrayMemory) {
    return array_box(context, side.array, side.position, size);
  }
  const void* const base = side.type == kHost ? side.host : to_pointer(side.device);
  const Layout layout = {side.layout.pitch == 0 ? size.width : side.layout.pitch, side.layout.rows};
  const std::size_t slice = layout.pitch * std::max(layout.rows, size.height);
  const auto* const first =
      static_cast<const std::byte*>(base) + side.position.z * slice + side.position.y * layout.pitch + side.position.x;
  switch (side.type) {
    case kHost:
      return pitched_box(context, first, layout, size, Side::kHost);
    case kDevice:
      return pitched_box(context, first, layout, size, Side::kDevice);
    case kUnified:
      return pitched_box(context, first, layout, size, Side::kEither);
    default:
      throw CallError(kInvalidValue);
  }
}

int copy_boxes(const abi::DriverMemcpy3d* copy, const CopyOrder& order = {}) {
  return stream_call(order.stream, [&](Context& context) {
    const abi::DriverMemcpy3d& c = result(copy);
    const BoxSize size = {c.width, c.height, c.depth};
    if (size.empty()) {
      return;
    }
    const CopySide source = {c.source_type,
                             c.source_host,
                             c.source_device,
                             c.source_array,
                             {c.source_x, c.source_y, c.source_z},
                             {c.source_pitch, c.source_height}};
    const CopySide target = {c.target_type,
                             c.target_host,
                             c.target_device,
                             c.target_array,
                             {c.target_x, c.target_y, c.target_z},
                             {c.target_pitch, c.target_height}};
    copy_box(context, box_of(context, target, size), box_of(context, source, size), size, order);
    context.flush_printed();
  });
}

int copy_plane(const abi::DriverMemcpy2d* copy, const CopyOrder& order) {
  if (copy == nullptr) {
    return kInvalidValue;
  }
  abi::DriverMemcpy3d box = {};
  box.source_x = copy->source_x;
  box.source_y = copy->source_y;
  box.source_type = copy->source_type;
  box.source_host = copy->source_host;
  box.source_device = copy->source_device;
  box.source_array = copy->source_array;
  box.source_pitch = copy->source_pitch;
  box.target_x = copy->target_x;
  box.target_y = copy->target_y;
  box.target_type = copy->target_type;
  box.target_host = copy->target_host;
  box.target_device = copy->target_device;
  box.target_array = copy->target_array;
  box.target_pitch = copy->target_pitch;
  box.width = copy->width;
  box.height = copy->height;
  box.depth = 1;
  return copy_boxes(&box, order);
}

int copy_array_line(ArrayHandle array, std::size_t offset, void* other, std::size_t bytes, bool to_array,
                    const CopyOrder& order = {}) {
  return stream_call(order.stream, [&](Context& context) {
    const Box line = array_line(context, array, offset, bytes);
    const Box box = linear_box(context, other, bytes, Side::kEither);
    copy_box(context, to_array ? line : box, to_array ? box : line, {bytes, 1, 1}, order);
  });
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuMemcpy(std::uint64_t target, std::uint64_t source, std::size_t bytes) {
  return copy_linear(target, source, bytes, CopyKind::kDefault);
}

int cuMemcpyAsync(std::uint64_t target, std::uint64_t source, std::size_t bytes, StreamHandle stream) {
  return copy_linear(target, source, bytes, CopyKind::kDefault, {stream, true});
}

// The addresses say which contexts they belong to.
int cuMemcpyPeer(std::uint64_t target, void* /*target_context*/, std::uint64_t source, void* /*source_context*/,
                 std::size_t bytes) {
  return copy_linear(target, source, bytes, CopyKind::kDeviceToDevice);
}

int cuMemcpyPeerAsync(std::uint64_t target, void* /*target_context*/, std::uint64_t source, void* /*source_context*/,
                      std::size_t bytes, StreamHandle stream) {
  return copy_linear(target, source, bytes, CopyKind::kDeviceToDevice, {stream, true});
}

int cuMemcpyHtoD_v2(std::uint64_t target, const void* source, std::size_t bytes) {
  return copy_linear(target, to_address(source), bytes, CopyKind::kHostToDevice);
}

int cuMemcpyHtoDAsync_v2(std::uint64_t target, const void* source, std::size_t bytes, StreamHandle stream) {
  return copy_linear(target, to_address(source), bytes, CopyKind::kHostToDevice, {stream, true});
}

int cuMemcpyDtoH_v2(void* target, std::uint64_t source, std::size_t bytes) {
  return copy_linear(to_address(target), source, bytes, CopyKind::kDeviceToHost);
}

int cuMemcpyDtoHAsync_v2(void* target, std::uint64_t source, std::size_t bytes, StreamHandle stream) {
  return copy_linear(to_address(target), source, bytes, CopyKind::kDeviceToHost, {stream, true});
}

int cuMemcpyDtoD_v2(std::uint64_t target, std::uint64_t source, std::size_t bytes) {
  return copy_linear(target, source, bytes, CopyKind::kDeviceToDevice);
}

int cuMemcpyDtoDAsync_v2(std::uint64_t target, std::uint64_t source, std::size_t bytes, StreamHandle stream) {
  return copy_linear(target, source, bytes, CopyKind::kDeviceToDevice, {stream, true});
}

int cuMemcpy2D_v2(const abi::DriverMemcpy2d* copy) {
  return copy_plane(copy, {});
}

int cuMemcpy2DUnaligned_v2(const abi::DriverMemcpy2d* copy) {
  return cuMemcpy2D_v2(copy);
}

int cuMemcpy2DAsync_v2(const abi::DriverMemcpy2d* copy, StreamHandle stream) {
  return copy_plane(copy, {stream, true});
}

int cuMemcpy3D_v2(const abi::DriverMemcpy3d* copy) {
  return copy_boxes(copy);
}

int cuMemcpy3DAsync_v2(const abi::DriverMemcpy3d* copy, StreamHandle stream) {
  return copy_boxes(copy, {stream, true});
}

// The contexts are where the other form has reserved words; addresses tell the GPU here.
int cuMemcpy3DPeer(const abi::DriverMemcpy3d* copy) {
  return copy_boxes(copy);
}

int cuMemcpy3DPeerAsync(const abi::DriverMemcpy3d* copy, StreamHandle stream) {
  return copy_boxes(copy, {stream, true});
}

int cuMemcpyHtoA_v2(ArrayHandle array, std::size_t offset, const void* source, std::size_t bytes) {
  return copy_array_line(array, offset, const_cast<void*>(source), bytes, true);
}

int cuMemcpyAtoH_v2(void* target, ArrayHandle array, std::size_t offset, std::size_t bytes) {
  return copy_array_line(array, offset, target, bytes, false);
}

int cuMemcpyHtoAAsync_v2(ArrayHandle array, std::size_t offset, const void* source, std::size_t bytes,
                         StreamHandle stream) {
  return copy_array_line(array, offset, const_cast<void*>(source), bytes, true, {stream, true});
}

int cuMemcpyAtoHAsync_v2(void* target, ArrayHandle array, std::size_t offset, std::size_t bytes, StreamHandle stream) {
  return copy_array_line(array, offset, target, bytes, false, {stream, true});
}

int cuMemcpyDtoA_v2(ArrayHandle array, std::size_t offset, std::uint64_t source, std::size_t bytes) {
  return copy_array_line(array, offset, to_pointer(source), bytes, true);
}

int cuMemcpyAtoD_v2(std::uint64_t target, ArrayHandle array, std::size_t offset, std::size_t bytes) {
  return copy_array_line(array, offset, to_pointer(target), bytes, false);
}

int cuArrayCreate_v2(ArrayHandle* array, const abi::ArrayDescriptor* descriptor) {
  return context_call([&](Context& context) {
    const abi::ArrayDescriptor& d = result(descriptor);
    result(array) = allocate_array(context, format_of(d.format, d.channels), {d.width, d.height, 0}, 0);
  });
}

int cuArray3DCreate_v2(ArrayHandle* array, const abi::Array3dDescriptor* descriptor) {
  return context_call([&](Context& context) {
    const abi::Array3dDescriptor& d = result(descriptor);
    result(array) = allocate_array(context, format_of(d.format, d.channels), {d.width, d.height, d.depth}, d.flags);
  });
}

int cuArrayDestroy(ArrayHandle array) {
  return driver_call([&](Context& context) { context.free_array(array); });
}

int cuArray3DGetDescriptor_v2(abi::Array3dDescriptor* descriptor, ArrayHandle array) {
  return driver_call([&](Context& context) {
    const Array& a = context.array(array);
    result(descriptor) = {a.extent.width,        a.extent.height, a.extent.depth, driver_format_of(a.format),
                          channels_of(a.format), a.flags};
  });
}

int cuTexObjectCreate(std::uint64_t* object, const abi::DriverResourceDescription* resource,
                      const abi::DriverTextureDescription* texture, const void* view) {
  return context_call([&](Context& context) {
    if (view != nullptr) {
      throw CallError(kNotSupported, "views of textures with another format are not supported");
    }
    result(object) = create_texture(context, translate(result(resource)), translate(result(texture)));
  });
}

int cuTexObjectDestroy(std::uint64_t object) {
  return context_call([&](Context& context) { context.device().destroy_texture(object); });
}

int cuSurfObjectCreate(std::uint64_t* object, const abi::DriverResourceDescription* resource) {
  return context_call([&](Context& context) { result(object) = create_surface(context, translate(result(resource))); });
}

int cuSurfObjectDestroy(std::uint64_t object) {
  return cuTexObjectDestroy(object);
}
