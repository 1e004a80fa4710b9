// The runtime's allocations.
#include "cuda/calls.h"
#include "cuda/device_calls.h"
#include "cuda/memory/host_memory.h"
#include "cuda/memory/managed_calls.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/runtime/runtime_api.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaMalloc(void** data, std::size_t bytes) {
  return runtime_call([&](Context& context) { result(data) = allocate(context, bytes); });
}

int cudaFree(void* data) {
  return runtime_call([&](Context& context) { release(context, data); });
}

int cudaMallocManaged(void** data, std::size_t bytes, unsigned /*flags*/) {
  return runtime_call([&](Context& context) { result(data) = allocate_managed(context, bytes); });
}

int cudaMallocPitch(void** data, std::size_t* pitch, std::size_t width, std::size_t height) {
  return runtime_call([&](Context& context) {
    const Pitched pitched = allocate_pitched(context, width, height);
    result(data) = pitched.data;
    result(pitch) = pitched.pitch;
  });
}

int cudaMalloc3D(abi::PitchedPointer* data, abi::Extent extent) {
  return runtime_call([&](Context& context) {
    const Pitched pitched = allocate_pitched(context, extent.width, extent.height * extent.depth);
    result(data) = {pitched.data, pitched.pitch, extent.width, extent.height};
  });
}

int cudaMallocHost(void** data, std::size_t bytes) {
  return cudaHostAlloc(data, bytes, 0);
}

int cudaHostAlloc(void** data, std::size_t bytes, unsigned flags) {
  return runtime_call([&](Context& context) { result(data) = allocate_host(context, bytes, flags); });
}

int cudaFreeHost(void* data) {
  return runtime_call([&](Context& context) { release_host(context, data); });
}

int cudaHostRegister(void* data, std::size_t bytes, unsigned flags) {
  return runtime_call([&](Context& context) { register_host(context, data, bytes, flags); });
}

int cudaHostUnregister(void* data) {
  return runtime_call([&](Context& context) { unregister_host(context, data); });
}

int cudaHostGetDevicePointer(void** device, void* host, unsigned /*flags*/) {
  return runtime_call([&](Context& context) {
    host_block(context, host);
    result(device) = host;
  });
}

int cudaHostGetFlags(unsigned* flags, void* host) {
  return runtime_call([&](Context& context) { result(flags) = host_block(context, host).second.flags; });
}

int cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return runtime_call([&](Context& context) {
    const auto& memory = context.device().memory();
    result(free) = free_bytes(context.device());
    result(total) = memory.capacity();
  });
}

int cudaPointerGetAttributes(abi::PointerAttributes* attributes, const void* data) {
  return runtime_call([&](Context& context) {
    const PointerInfo info = pointer_info(context, data);
    void* const pointer = const_cast<void*>(data);
    abi::PointerAttributes& a = result(attributes);
    a = {static_cast<int>(info.kind), info.kind == PointerKind::kUnknown ? -2 : static_cast<int>(info.gpu), nullptr,
         nullptr};
    if (info.kind != PointerKind::kUnknown) {
      a.device_pointer = pointer;
    }
    if (info.kind != PointerKind::kDevice) {
      a.host_pointer = pointer;
    }
  });
}

int cudaStreamAttachMemAsync(StreamHandle stream, void* /*data*/, std::size_t /*bytes*/, unsigned /*flags*/) {
  return runtime_call([&](Context& context) { context.stream(stream); });
}
