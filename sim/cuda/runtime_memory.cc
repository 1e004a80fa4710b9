// The runtime's allocations.
#include "cuda/calls.h"
#include "cuda/device_calls.h"
#include "cuda/host_memory.h"
#include "cuda/managed_calls.h"
#include "cuda/memory_calls.h"
#include "cuda/runtime_api.h"

namespace warpsim::cuda {

namespace {

// All pools of a device take memory from it: there is one, and its attributes have no effect.
constexpr std::uintptr_t kPool = 0x10;

int give_pool(void** pool, int device) {
  return runtime_call([&](Context& context) { result(pool) = handle_of_device(kPool, device_at(context, device)); });
}

// Fails with kInvalidValue.
Device& device_of_pool(Context& context, const void* pool) {
  const std::optional<std::uint32_t> device = device_of_handle(context, kPool, pool);
  if (!device) {
    throw CallError(kInvalidValue);
  }
  return context.device(*device);
}

// CUDA's structures, as far as they are used.
constexpr int kOnDevice = 1;
constexpr int kReadWrite = 3;
struct PoolProperties {
  int kind;
  int handle_types;
  int location_type;
  int device;
};
struct PoolAccess {
  int location_type;
  int device;
  int flags;
};

int accept_pool(const void* pool) {
  return runtime_call([&](Context& context) { device_of_pool(context, pool); });
}

}  // namespace

}  // namespace warpsim::cuda

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

int cudaMallocAsync(void** data, std::size_t bytes, StreamHandle stream) {
  return runtime_call([&](Context& context) { result(data) = allocate_in_order(context, bytes, stream); });
}

int cudaFreeAsync(void* data, StreamHandle stream) {
  return runtime_call([&](Context& context) { release_in_order(context, data, stream); });
}

int cudaMallocFromPoolAsync(void** data, std::size_t bytes, void* pool, StreamHandle stream) {
  return runtime_call([&](Context& context) {
    result(data) = allocate_in_order(context, bytes, stream, &device_of_pool(context, pool));
  });
}

int cudaDeviceGetDefaultMemPool(void** pool, int device) {
  return give_pool(pool, device);
}

int cudaDeviceGetMemPool(void** pool, int device) {
  return give_pool(pool, device);
}

int cudaDeviceSetMemPool(int /*device*/, void* pool) {
  return accept_pool(pool);
}

int cudaMemPoolCreate(void** pool, const void* properties) {
  if (properties == nullptr) {
    return runtime_call([](Context&) { throw CallError(kInvalidValue); });
  }
  const auto& wanted = *static_cast<const PoolProperties*>(properties);
  if (wanted.location_type != kOnDevice) {
    return runtime_call(
        [](Context&) { throw CallError(kNotSupported, "pools of the host's memory are not supported"); });
  }
  return give_pool(pool, wanted.device);
}

int cudaMemPoolDestroy(void* pool) {
  return accept_pool(pool);
}

int cudaMemPoolTrimTo(void* pool, std::size_t /*bytes*/) {
  return accept_pool(pool);
}

int cudaMemPoolSetAttribute(void* pool, int /*attribute*/, void* /*value*/) {
  return accept_pool(pool);
}

int cudaMemPoolGetAttribute(void* pool, int attribute, void* value) {
  constexpr int kFirstSize = 4;  // attributes before are switches
  return runtime_call([&](Context& context) {
    Device& device = device_of_pool(context, pool);
    if (attribute < kFirstSize) {
      result(static_cast<int*>(value)) = 1;
    } else {
      constexpr int kThreshold = 4;
      result(static_cast<std::uint64_t*>(value)) = attribute == kThreshold ? 0 : device.memory().used();
    }
  });
}

int cudaMemPoolSetAccess(void* pool, const void* descriptions, std::size_t count) {
  return runtime_call([&](Context& context) {
    Device& owner = device_of_pool(context, pool);
    const auto* const wanted = &result(static_cast<const PoolAccess*>(descriptions));
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t peer = device_at(context, wanted[i].device).number();
      const bool opens = wanted[i].flags == kReadWrite;
      if (wanted[i].location_type != kOnDevice || (!opens && (wanted[i].flags != 0 || peer == owner.number()))) {
        throw CallError(kInvalidValue);
      }
      if (opens && peer != owner.number() && !has_peer_access(context, peer, owner.number())) {
        throw CallError(kInvalidDevice);
      }
      context.finish_work();
      owner.memory().open_pools_to(peer, opens);
    }
  });
}
