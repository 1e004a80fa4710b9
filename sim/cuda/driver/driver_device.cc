// The driver's functions about devices, contexts, errors and entry points. Each device has one context.
#include <cstring>

#include "cuda/calls.h"
#include "cuda/device/device_properties.h"
#include "cuda/device_calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/streams/stream_calls.h"

namespace warpsim::cuda {

namespace {

constexpr std::uintptr_t kContext = 0x20;
constexpr unsigned kApiVersion = 3020;

// Fails with kInvalidContext.
std::uint32_t device_of(Context& context, const void* handle) {
  const std::optional<std::uint32_t> device = device_of_handle(context, kContext, handle);
  if (!device) {
    throw CallError(kInvalidContext);
  }
  return *device;
}

template <class T>
int give(T* target, T value) {
  return driver_call([&](Context&) { result(target) = value; });
}

int accept() {
  return driver_call([](Context&) {});
}

int accept_device(int device) {
  return driver_call([&](Context& context) { check_device(context, device); });
}

int make_current(void** handle, int device) {
  return driver_call([&](Context& context) {
    const Device& own = device_at(context, device);
    result(handle) = handle_of_device(kContext, own);
    push_context(own.number());
  });
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuInit(unsigned /*flags*/) {
  return accept();
}

int cuDriverGetVersion(int* version) {
  return give(version, kDriverVersion);
}

int cuDeviceGetCount(int* count) {
  return driver_call([&](Context& context) { result(count) = static_cast<int>(context.device_count()); });
}

int cuDeviceGet(int* device, int ordinal) {
  return driver_call([&](Context& context) {
    check_device(context, ordinal);
    result(device) = ordinal;
  });
}

int cuDeviceGetName(char* name, int bytes, int device) {
  return driver_call(
      [&](Context& context) { copy_text(name, bytes, device_at(context, device).config().name.c_str()); });
}

int cuDeviceGetUuid(abi::Uuid* uuid, int device) {
  return driver_call([&](Context& context) { result(uuid) = properties_13(device_at(context, device)).uuid; });
}

int cuDeviceGetUuid_v2(abi::Uuid* uuid, int device) {
  return cuDeviceGetUuid(uuid, device);
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  return driver_call([&](Context& context) { result(bytes) = global_memory_bytes(device_at(context, device)); });
}

int cuDeviceGetAttribute(int* value, int attribute, int device) {
  return driver_call(
      [&](Context& context) { result(value) = device_attribute(device_at(context, device), attribute); });
}

int cuDeviceComputeCapability(int* major, int* minor, int device) {
  constexpr int kMajor = 75;
  constexpr int kMinor = 76;
  const int code = cuDeviceGetAttribute(major, kMajor, device);
  return code != kSuccess ? code : cuDeviceGetAttribute(minor, kMinor, device);
}

int cuDeviceGetPCIBusId(char* text, int bytes, int device) {
  return driver_call(
      [&](Context& context) { copy_text(text, bytes, pci_bus_id(device_at(context, device).number()).c_str()); });
}

int cuDeviceGetByPCIBusId(int* device, const char* text) {
  return driver_call([&](Context& context) { result(device) = static_cast<int>(device_at_bus_id(context, text)); });
}

int cuDeviceCanAccessPeer(int* can, int device, int peer) {
  return driver_call([&](Context& context) {
    const std::uint32_t own = device_at(context, device).number();
    result(can) = has_peer_access(context, own, device_at(context, peer).number()) ? 1 : 0;
  });
}

int cuDeviceGetP2PAttribute(int* value, int attribute, int device, int peer) {
  return driver_call([&](Context& context) { result(value) = peer_attribute(context, attribute, device, peer); });
}

int cuCtxEnablePeerAccess(void* peer, unsigned flags) {
  return driver_call([&](Context& context) { enable_peer_access(context, device_of(context, peer), flags); });
}

int cuCtxDisablePeerAccess(void* peer) {
  return driver_call([&](Context& context) { disable_peer_access(context, device_of(context, peer)); });
}

int cuDevicePrimaryCtxRetain(void** handle, int device) {
  return driver_call(
      [&](Context& context) { result(handle) = handle_of_device(kContext, device_at(context, device)); });
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  return accept_device(device);
}

int cuDevicePrimaryCtxReset_v2(int device) {
  return accept_device(device);
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned /*flags*/) {
  return accept_device(device);
}

int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  return driver_call([&](Context& context) {
    check_device(context, device);
    result(flags) = 0;
    result(active) = 1;
  });
}

int cuCtxCreate_v2(void** handle, unsigned /*flags*/, int device) {
  return make_current(handle, device);
}

int cuCtxCreate_v3(void** handle, void* /*affinity*/, int /*count*/, unsigned /*flags*/, int device) {
  return make_current(handle, device);
}

int cuCtxCreate_v4(void** handle, void* /*parameters*/, unsigned /*flags*/, int device) {
  return make_current(handle, device);
}

int cuCtxDestroy_v2(void* handle) {
  return driver_call([&](Context& context) {
    const std::uint32_t device = device_of(context, handle);
    context.flush_printed();
    if (current_context() == device) {
      pop_context();
    }
  });
}

int cuCtxPushCurrent_v2(void* handle) {
  return driver_call([&](Context& context) { push_context(device_of(context, handle)); });
}

int cuCtxPopCurrent_v2(void** handle) {
  return driver_call([&](Context& context) {
    const std::optional<std::uint32_t> device = pop_context();
    if (!device) {
      throw CallError(kInvalidContext);
    }
    if (handle != nullptr) {
      *handle = handle_of_device(kContext, context.device(*device));
    }
  });
}

int cuCtxSetCurrent(void* handle) {
  return driver_call([&](Context& context) {
    if (handle == nullptr) {
      pop_context();
    } else {
      use_device(device_of(context, handle));
    }
  });
}

int cuCtxGetCurrent(void** handle) {
  return driver_call([&](Context& context) {
    const std::optional<std::uint32_t> device = current_context();
    result(handle) = device ? handle_of_device(kContext, context.device(*device)) : nullptr;
  });
}

int cuCtxGetDevice(int* device) {
  return give(device, static_cast<int>(current_device()));
}

int cuCtxGetFlags(unsigned* flags) {
  return give(flags, 0U);
}

int cuCtxGetId(void* /*handle*/, unsigned long long* number) {
  return give(number, 1ULL);
}

int cuCtxGetApiVersion(void* /*handle*/, unsigned* version) {
  return give(version, kApiVersion);
}

int cuCtxSynchronize() {
  return driver_call([](Context& context) { synchronize(context); });
}

int cuCtxSetLimit(int limit, std::size_t value) {
  return driver_call([&](Context& context) { set_device_limit(context, limit, value); });
}

int cuCtxGetLimit(std::size_t* value, int limit) {
  return driver_call([&](Context& context) { result(value) = device_limit(context, limit); });
}

int cuCtxSetCacheConfig(int /*config*/) {
  return accept();
}

int cuCtxGetCacheConfig(int* config) {
  return give(config, 0);
}

int cuCtxSetSharedMemConfig(int /*config*/) {
  return accept();
}

int cuCtxGetSharedMemConfig(int* config) {
  return give(config, 1);
}

int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return driver_call([&](Context& context) {
    if (least != nullptr) {
      *least = 0;
    }
    if (greatest != nullptr) {
      *greatest = first_priority(context.device().config());
    }
  });
}

int cuCtxResetPersistingL2Cache() {
  return driver_call([](Context& context) { context.device().end_l2_persistence(); });
}

int cuProfilerStart() {
  return accept();
}

int cuProfilerStop() {
  return accept();
}

int cuGetErrorName(int code, const char** text) {
  const char* const name = driver_error_name(code);
  if (text != nullptr) {
    *text = name;
  }
  return name == nullptr || text == nullptr ? kInvalidValue : kSuccess;
}

int cuGetErrorString(int code, const char** text) {
  const char* const found = driver_error_name(code) == nullptr ? nullptr : error_text(code);
  if (text != nullptr) {
    *text = found;
  }
  return found == nullptr || text == nullptr ? kInvalidValue : kSuccess;
}

int cuGetProcAddress(const char* name, void** function, int version, std::uint64_t /*flags*/) {
  return cuGetProcAddress_v2(name, function, version, 0, nullptr);
}

int cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t /*flags*/, int* status) {
  return driver_call([&](Context&) {
    result(function) = driver_function(&result(name), version);
    if (status != nullptr) {
      *status = *function == nullptr ? 1 : 0;
    }
    if (*function == nullptr) {
      throw CallError(kNotFound);
    }
  });
}
