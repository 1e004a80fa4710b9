// The driver's allocations, fills and pointers.

#include <cstring>

#include "cuda/calls.h"
#include "cuda/device_calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/host_memory.h"
#include "cuda/memory/managed_calls.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/pointer_attributes.h"

namespace warpsim::cuda {

namespace {

int fill_elements(const FillArea& area, const Fill& value, StreamHandle stream) {
  return stream_call(stream, [&](Context& context) { fill(context, area, value, stream); });
}

int fill_elements(const FillArea& area, const Fill& value) {
  return context_call([&](Context& context) {
    fill(context, area, value, nullptr);
    finish_fill(context, area.data);
  });
}

FillArea line(std::uint64_t data, const Fill& value, std::size_t count) {
  return {to_pointer(data), count * value.element_bytes, {count, 1, 1}};
}

int fill_line(std::uint64_t data, const Fill& value, std::size_t count) {
  return fill_elements(line(data, value, count), value);
}

int fill_line(std::uint64_t data, const Fill& value, std::size_t count, StreamHandle stream) {
  return fill_elements(line(data, value, count), value, stream);
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuMemAlloc_v2(std::uint64_t* data, std::size_t bytes) {
  return context_call([&](Context& context) {
    if (bytes == 0) {
      throw CallError(kInvalidValue);
    }
    result(data) = to_address(allocate(context, bytes));
  });
}

int cuMemAllocManaged(std::uint64_t* data, std::size_t bytes, unsigned /*flags*/) {
  return context_call([&](Context& context) { result(data) = to_address(allocate_managed(context, bytes)); });
}

int cuMemAllocPitch_v2(std::uint64_t* data, std::size_t* pitch, std::size_t width, std::size_t height,
                       unsigned /*element_bytes*/) {
  return context_call([&](Context& context) {
    const Pitched pitched = allocate_pitched(context, width, height);
    result(data) = to_address(pitched.data);
    result(pitch) = pitched.pitch;
  });
}

int cuMemFree_v2(std::uint64_t data) {
  return driver_call([&](Context& context) { release(context, to_pointer(data)); });
}

int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return context_call([&](Context& context) {
    const auto& memory = context.device().memory();
    result(free) = free_bytes(context.device());
    result(total) = memory.capacity();
  });
}

int cuMemGetAddressRange_v2(std::uint64_t* begin, std::size_t* bytes, std::uint64_t data) {
  return driver_call([&](Context& context) {
    const PointerInfo info = pointer_info(context, to_pointer(data));
    if (info.kind == PointerKind::kUnknown) {
      throw CallError(kInvalidValue);
    }
    if (!is_accessible(context, data)) {
      throw CallError(kNotFound);
    }
    if (begin != nullptr) {
      *begin = info.begin;
    }
    if (bytes != nullptr) {
      *bytes = info.bytes;
    }
  });
}

int cuMemAllocHost_v2(void** data, std::size_t bytes) {
  return cuMemHostAlloc(data, bytes, 0);
}

int cuMemHostAlloc(void** data, std::size_t bytes, unsigned flags) {
  return context_call([&](Context& context) { result(data) = allocate_host(context, bytes, flags); });
}

int cuMemFreeHost(void* data) {
  return driver_call([&](Context& context) { release_host(context, data); });
}

int cuMemHostRegister_v2(void* data, std::size_t bytes, unsigned flags) {
  return context_call([&](Context& context) { register_host(context, data, bytes, flags); });
}

int cuMemHostUnregister(void* data) {
  return driver_call([&](Context& context) { unregister_host(context, data); });
}

int cuMemHostGetDevicePointer_v2(std::uint64_t* device, void* host, unsigned /*flags*/) {
  return context_call([&](Context& context) {
    host_block(context, host);
    result(device) = to_address(host);
  });
}

int cuMemHostGetFlags(unsigned* flags, void* host) {
  return driver_call([&](Context& context) { result(flags) = host_block(context, host).second.flags; });
}

int cuPointerGetAttribute(void* data, int attribute, std::uint64_t address) {
  return driver_call(
      [&](Context& context) { pointer_attribute(context, &result(static_cast<char*>(data)), attribute, address); });
}

// If an attribute does not apply, its result is 0.
int cuPointerGetAttributes(unsigned count, const int* attributes, void** data, std::uint64_t address) {
  return driver_call([&](Context& context) {
    for (unsigned i = 0; i < count; ++i) {
      try {
        pointer_attribute(context, data[i], attributes[i], address);
      } catch (const CallError&) {
        std::memset(data[i], 0, sizeof(int));
      }
    }
  });
}

int cuStreamAttachMemAsync(StreamHandle stream, std::uint64_t /*data*/, std::size_t /*bytes*/, unsigned /*flags*/) {
  return stream_call(stream, [&](Context& context) { context.stream(stream); });
}

int cuMemsetD8_v2(std::uint64_t data, unsigned char value, std::size_t count) {
  return fill_line(data, {value, 1}, count);
}

int cuMemsetD16_v2(std::uint64_t data, unsigned short value, std::size_t count) {
  return fill_line(data, {value, 2}, count);
}

int cuMemsetD32_v2(std::uint64_t data, unsigned value, std::size_t count) {
  return fill_line(data, {value, 4}, count);
}

int cuMemsetD8Async(std::uint64_t data, unsigned char value, std::size_t count, StreamHandle stream) {
  return fill_line(data, {value, 1}, count, stream);
}

int cuMemsetD16Async(std::uint64_t data, unsigned short value, std::size_t count, StreamHandle stream) {
  return fill_line(data, {value, 2}, count, stream);
}

int cuMemsetD32Async(std::uint64_t data, unsigned value, std::size_t count, StreamHandle stream) {
  return fill_line(data, {value, 4}, count, stream);
}

int cuMemsetD2D8_v2(std::uint64_t data, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
  return fill_elements({to_pointer(data), pitch, {width, height, 1}}, {value, 1});
}

int cuMemsetD2D16_v2(std::uint64_t data, std::size_t pitch, unsigned short value, std::size_t width,
                     std::size_t height) {
  return fill_elements({to_pointer(data), pitch, {width, height, 1}}, {value, 2});
}

int cuMemsetD2D32_v2(std::uint64_t data, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
  return fill_elements({to_pointer(data), pitch, {width, height, 1}}, {value, 4});
}

int cuMemsetD2D8Async(std::uint64_t data, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height,
                      StreamHandle stream) {
  return fill_elements({to_pointer(data), pitch, {width, height, 1}}, {value, 1}, stream);
}

int cuMemsetD2D16Async(std::uint64_t data, std::size_t pitch, unsigned short value, std::size_t width,
                       std::size_t height, StreamHandle stream) {
  return fill_elements({to_pointer(data), pitch, {width, height, 1}}, {value, 2}, stream);
}

int cuMemsetD2D32Async(std::uint64_t data, std::size_t pitch, unsigned value, std::size_t width, std::size_t height,
                       StreamHandle stream) {
  return fill_elements({to_pointer(data), pitch, {width, height, 1}}, {value, 4}, stream);
}
