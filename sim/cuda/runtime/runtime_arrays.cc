// The runtime's arrays, texture and surface objects.
#include "cuda/calls.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/textures.h"
#include "cuda/runtime/runtime_api.h"

namespace warpsim::cuda {

namespace {

Side other_side(CopyKind kind, bool to_array) {
  switch (copy_kind(static_cast<int>(kind))) {
    case CopyKind::kHostToDevice:
      return to_array ? Side::kHost : Side::kDevice;
    case CopyKind::kDeviceToHost:
      return to_array ? Side::kDevice : Side::kHost;
    case CopyKind::kDeviceToDevice:
      return Side::kDevice;
    case CopyKind::kHostToHost:
    case CopyKind::kDefault:
      break;
  }
  return Side::kEither;
}

int copy_line_to_array(ArrayHandle array, const abi::Position& at, const Copy& c, const CopyOrder& order) {
  return runtime_call([&](Context& context) {
    const Box line = array_line(context, array, at.y * context.array(array).pitch() + at.x, c.bytes);
    copy_box(context, line, linear_box(context, c.source, c.bytes, other_side(c.kind, true)), {c.bytes, 1, 1}, order);
  });
}

int copy_line_from_array(ArrayHandle array, const abi::Position& at, const Copy& c, const CopyOrder& order) {
  return runtime_call([&](Context& context) {
    const Box line = array_line(context, array, at.y * context.array(array).pitch() + at.x, c.bytes);
    copy_box(context, linear_box(context, c.target, c.bytes, other_side(c.kind, false)), line, {c.bytes, 1, 1}, order);
  });
}

int copy_rows_to_array(ArrayHandle array, const abi::Position& at, const Copy2d& c, const CopyOrder& order) {
  return runtime_call([&](Context& context) {
    const BoxSize size = {c.width, c.height, 1};
    if (!size.empty()) {
      const Box box = pitched_box(context, c.source, {c.source_pitch, 0}, size, other_side(c.kind, true));
      copy_box(context, array_box(context, array, at, size), box, size, order);
    }
  });
}

int copy_rows_from_array(ArrayHandle array, const abi::Position& at, const Copy2d& c, const CopyOrder& order) {
  return runtime_call([&](Context& context) {
    const BoxSize size = {c.width, c.height, 1};
    if (!size.empty()) {
      const Box box = pitched_box(context, c.target, {c.target_pitch, 0}, size, other_side(c.kind, false));
      copy_box(context, box, array_box(context, array, at, size), size, order);
    }
  });
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaMallocArray(ArrayHandle* array, const abi::ChannelFormat* format, std::size_t width, std::size_t height,
                    unsigned flags) {
  return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}

int cudaMalloc3DArray(ArrayHandle* array, const abi::ChannelFormat* format, abi::Extent extent, unsigned flags) {
  return runtime_call(
      [&](Context& context) { result(array) = allocate_array(context, result(format), extent, flags); });
}

int cudaFreeArray(ArrayHandle array) {
  return runtime_call([&](Context& context) {
    if (array != nullptr) {
      context.free_array(array);
    }
  });
}

int cudaArrayGetInfo(abi::ChannelFormat* format, abi::Extent* extent, unsigned* flags, ArrayHandle array) {
  return runtime_call([&](Context& context) {
    const Array& found = context.array(array);
    if (format != nullptr) {
      *format = found.format;
    }
    if (extent != nullptr) {
      *extent = found.extent;
    }
    if (flags != nullptr) {
      *flags = found.flags;
    }
  });
}

int cudaGetChannelDesc(abi::ChannelFormat* format, ArrayHandle array) {
  return cudaArrayGetInfo(format, nullptr, nullptr, array);
}

abi::ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {{x, y, z, w}, kind};
}

int cudaMemcpyToArray(ArrayHandle array, std::size_t x, std::size_t y, const void* source, std::size_t bytes,
                      int kind) {
  return copy_line_to_array(array, {x, y, 0}, {nullptr, source, bytes, CopyKind{kind}}, {});
}

int cudaMemcpyToArrayAsync(ArrayHandle array, std::size_t x, std::size_t y, const void* source, std::size_t bytes,
                           int kind, StreamHandle stream) {
  return copy_line_to_array(array, {x, y, 0}, {nullptr, source, bytes, CopyKind{kind}}, {stream, true});
}

int cudaMemcpyFromArray(void* target, ArrayHandle array, std::size_t x, std::size_t y, std::size_t bytes, int kind) {
  return copy_line_from_array(array, {x, y, 0}, {target, nullptr, bytes, CopyKind{kind}}, {});
}

int cudaMemcpyFromArrayAsync(void* target, ArrayHandle array, std::size_t x, std::size_t y, std::size_t bytes, int kind,
                             StreamHandle stream) {
  return copy_line_from_array(array, {x, y, 0}, {target, nullptr, bytes, CopyKind{kind}}, {stream, true});
}

int cudaMemcpy2DToArray(ArrayHandle array, std::size_t x, std::size_t y, const void* source, std::size_t pitch,
                        std::size_t width, std::size_t height, int kind) {
  return copy_rows_to_array(array, {x, y, 0}, {nullptr, 0, source, pitch, width, height, CopyKind{kind}}, {});
}

int cudaMemcpy2DToArrayAsync(ArrayHandle array, std::size_t x, std::size_t y, const void* source, std::size_t pitch,
                             std::size_t width, std::size_t height, int kind, StreamHandle stream) {
  return copy_rows_to_array(array, {x, y, 0}, {nullptr, 0, source, pitch, width, height, CopyKind{kind}},
                            {stream, true});
}

int cudaMemcpy2DFromArray(void* target, std::size_t pitch, ArrayHandle array, std::size_t x, std::size_t y,
                          std::size_t width, std::size_t height, int kind) {
  return copy_rows_from_array(array, {x, y, 0}, {target, pitch, nullptr, 0, width, height, CopyKind{kind}}, {});
}

int cudaMemcpy2DFromArrayAsync(void* target, std::size_t pitch, ArrayHandle array, std::size_t x, std::size_t y,
                               std::size_t width, std::size_t height, int kind, StreamHandle stream) {
  return copy_rows_from_array(array, {x, y, 0}, {target, pitch, nullptr, 0, width, height, CopyKind{kind}},
                              {stream, true});
}

int cudaMemcpy2DArrayToArray(ArrayHandle target, std::size_t target_x, std::size_t target_y, ArrayHandle source,
                             std::size_t source_x, std::size_t source_y, std::size_t width, std::size_t height,
                             int /*kind*/) {
  return runtime_call([&](Context& context) {
    const BoxSize size = {width, height, 1};
    if (!size.empty()) {
      copy_box(context, array_box(context, target, {target_x, target_y, 0}, size),
               array_box(context, source, {source_x, source_y, 0}, size), size, {});
    }
  });
}

int cudaCreateTextureObject(std::uint64_t* object, const abi::ResourceDescription* resource,
                            const abi::TextureDescription* texture, const void* view) {
  return runtime_call([&](Context& context) {
    if (view != nullptr) {
      throw CallError(kNotSupported, "views of textures with another format are not supported");
    }
    result(object) = create_texture(context, result(resource), result(texture));
  });
}

int cudaCreateTextureObject_v2(std::uint64_t* object, const abi::ResourceDescription* resource,
                               const abi::TextureDescription* texture, const void* view) {
  return cudaCreateTextureObject(object, resource, texture, view);
}

int cudaDestroyTextureObject(std::uint64_t object) {
  return runtime_call([&](Context& context) { context.device().destroy_texture(object); });
}

int cudaCreateSurfaceObject(std::uint64_t* object, const abi::ResourceDescription* resource) {
  return runtime_call([&](Context& context) { result(object) = create_surface(context, result(resource)); });
}

int cudaDestroySurfaceObject(std::uint64_t object) {
  return cudaDestroyTextureObject(object);
}
