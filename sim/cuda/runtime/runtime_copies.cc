// The runtime's copies and fills.
#include "cuda/calls.h"
#include "cuda/device_calls.h"
#include "cuda/memory/managed_calls.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/runtime/runtime_api.h"

namespace warpsim::cuda {

namespace {

// Copies print the pending output of kernels.
template <class Work>
int copy_call(Work&& work) {
  return runtime_call([&](Context& context) {
    work(context);
    context.flush_printed();
  });
}

int copy_bytes(Copy bytes, int kind, const CopyOrder& order) {
  return copy_call([&](Context& context) {
    bytes.kind = copy_kind(kind);
    copy(context, bytes, order);
  });
}

int copy_rows(Copy2d rows, int kind, const CopyOrder& order) {
  return copy_call([&](Context& context) {
    rows.kind = copy_kind(kind);
    copy_2d(context, rows, order);
  });
}

int copy_to_symbol(const void* symbol, Copy bytes, std::size_t offset, int kind, const CopyOrder& order) {
  return copy_call([&](Context& context) {
    bytes.target = symbol_bytes(context, symbol, offset, bytes.bytes);
    bytes.kind = copy_kind(kind);
    copy(context, bytes, order);
  });
}

int copy_from_symbol(const void* symbol, Copy bytes, std::size_t offset, int kind, const CopyOrder& order) {
  return copy_call([&](Context& context) {
    bytes.source = symbol_bytes(context, symbol, offset, bytes.bytes);
    bytes.kind = copy_kind(kind);
    copy(context, bytes, order);
  });
}

int copy_between(Copy bytes, int target_device, int source_device, const CopyOrder& order) {
  return copy_call([&](Context& context) {
    check_device(context, target_device);
    check_device(context, source_device);
    bytes.kind = CopyKind::kDeviceToDevice;
    copy(context, bytes, order);
  });
}

int copy_boxes_between(const abi::Memcpy3dPeer* copy, const CopyOrder& order) {
  return copy_call([&](Context& context) {
    const abi::Memcpy3dPeer& c = result(copy);
    check_device(context, c.target_device);
    check_device(context, c.source_device);
    copy_3d(context,
            {c.source_array, c.source_position, c.source, c.target_array, c.target_position, c.target, c.extent,
             static_cast<int>(CopyKind::kDeviceToDevice)},
            order);
  });
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaMemcpy(void* target, const void* source, std::size_t bytes, int kind) {
  return copy_bytes({target, source, bytes}, kind, {});
}

int cudaMemcpyAsync(void* target, const void* source, std::size_t bytes, int kind, StreamHandle stream) {
  return copy_bytes({target, source, bytes}, kind, {stream, true});
}

int cudaMemcpyPeer(void* target, int target_device, const void* source, int source_device, std::size_t bytes) {
  return copy_between({target, source, bytes}, target_device, source_device, {});
}

int cudaMemcpyPeerAsync(void* target, int target_device, const void* source, int source_device, std::size_t bytes,
                        StreamHandle stream) {
  return copy_between({target, source, bytes}, target_device, source_device, {stream, true});
}

int cudaMemcpy3DPeer(const abi::Memcpy3dPeer* copy) {
  return copy_boxes_between(copy, {});
}

int cudaMemcpy3DPeerAsync(const abi::Memcpy3dPeer* copy, StreamHandle stream) {
  return copy_boxes_between(copy, {stream, true});
}

int cudaMemcpy2D(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                 std::size_t width, std::size_t height, int kind) {
  return copy_rows({target, target_pitch, source, source_pitch, width, height}, kind, {});
}

int cudaMemcpy2DAsync(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                      std::size_t width, std::size_t height, int kind, StreamHandle stream) {
  return copy_rows({target, target_pitch, source, source_pitch, width, height}, kind, {stream, true});
}

int cudaMemcpy3D(const abi::Memcpy3d* copy) {
  return copy_call([&](Context& context) { copy_3d(context, result(copy), {}); });
}

int cudaMemcpy3DAsync(const abi::Memcpy3d* copy, StreamHandle stream) {
  return copy_call([&](Context& context) { copy_3d(context, result(copy), {stream, true}); });
}

int cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t bytes, std::size_t offset, int kind) {
  return copy_to_symbol(symbol, {nullptr, source, bytes}, offset, kind, {});
}

int cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t bytes, std::size_t offset, int kind,
                            StreamHandle stream) {
  return copy_to_symbol(symbol, {nullptr, source, bytes}, offset, kind, {stream, true});
}

int cudaMemcpyFromSymbol(void* target, const void* symbol, std::size_t bytes, std::size_t offset, int kind) {
  return copy_from_symbol(symbol, {target, nullptr, bytes}, offset, kind, {});
}

int cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t bytes, std::size_t offset, int kind,
                              StreamHandle stream) {
  return copy_from_symbol(symbol, {target, nullptr, bytes}, offset, kind, {stream, true});
}

int cudaGetSymbolAddress(void** data, const void* symbol) {
  return runtime_call([&](Context& context) { result(data) = to_pointer(context.symbol(symbol).address); });
}

int cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return runtime_call([&](Context& context) { result(bytes) = context.symbol(symbol).bytes; });
}

int cudaMemset(void* data, int value, std::size_t bytes) {
  return cudaMemset2D(data, bytes, value, bytes, 1);
}

int cudaMemsetAsync(void* data, int value, std::size_t bytes, StreamHandle stream) {
  return cudaMemset2DAsync(data, bytes, value, bytes, 1, stream);
}

int cudaMemset2D(void* data, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  const int code = cudaMemset2DAsync(data, pitch, value, width, height, nullptr);
  return code != kSuccess ? code : runtime_call([&](Context& context) { finish_fill(context, data); });
}

int cudaMemset2DAsync(void* data, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      StreamHandle stream) {
  return runtime_call([&](Context& context) {
    fill(context, {data, pitch, {width, height, 1}}, {static_cast<std::uint32_t>(value), 1}, stream);
  });
}

int cudaMemset3D(abi::PitchedPointer data, int value, abi::Extent extent) {
  const int code = cudaMemset3DAsync(data, value, extent, nullptr);
  return code != kSuccess ? code : runtime_call([&](Context& context) { finish_fill(context, data.data); });
}

int cudaMemset3DAsync(abi::PitchedPointer data, int value, abi::Extent extent, StreamHandle stream) {
  return runtime_call([&](Context& context) {
    const Fill byte = {static_cast<std::uint32_t>(value), 1};
    for (std::size_t z = 0; z < extent.depth; ++z) {
      std::byte* const slice = static_cast<std::byte*>(data.data) + z * data.pitch * data.height;
      fill(context, {slice, data.pitch, {extent.width, extent.height, 1}}, byte, stream);
    }
  });
}
