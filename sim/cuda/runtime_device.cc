// The runtime's functions about the device, and its errors.
#include <cstring>

#include "cuda/calls.h"
#include "cuda/device_calls.h"
#include "cuda/device_properties.h"
#include "cuda/runtime_api.h"
#include "cuda/stream_calls.h"

namespace warpsim::cuda {

namespace {

// Results do not depend on the device.
template <class T>
int give(T* target, T value) {
  return runtime_call([&](Context&) { result(target) = value; });
}

int accept_device(int device) {
  return runtime_call([&](Context&) { check_device(device); });
}

template <class Properties>
int give_properties(void* target, int device, const Properties& (*read)(Context&), std::size_t bytes) {
  return runtime_call([&](Context& context) {
    check_device(device);
    std::memcpy(&result(static_cast<char*>(target)), &read(context), bytes);
  });
}

const abi::DeviceProperties12& read_12(Context& context) {
  static thread_local abi::DeviceProperties12 properties;
  properties = properties_12(context.device());
  return properties;
}

const abi::DeviceProperties13& read_13(Context& context) {
  static thread_local abi::DeviceProperties13 properties;
  properties = properties_13(context.device());
  return properties;
}

enum EntryPoint : int { kEntryFound = 0, kEntryMissing = 1 };

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaGetDeviceCount(int* count) {
  return give(count, 1);
}

int cudaGetDevice(int* device) {
  return give(device, 0);
}

int cudaSetDevice(int device) {
  return accept_device(device);
}

int cudaInitDevice(int device, unsigned /*device_flags*/, unsigned /*flags*/) {
  return accept_device(device);
}

int cudaSetValidDevices(int* /*devices*/, int /*count*/) {
  return accept_device(0);
}

int cudaChooseDevice(int* device, const void* /*properties*/) {
  return give(device, 0);
}

int cudaSetDeviceFlags(unsigned /*flags*/) {
  return accept_device(0);
}

int cudaGetDeviceFlags(unsigned* flags) {
  return give(flags, 0U);
}

int cudaGetDeviceProperties(void* properties, int device) {
  return give_properties(properties, device, read_13, sizeof(abi::DeviceProperties13));
}

int cudaGetDeviceProperties_v2(void* properties, int device) {
  return give_properties(properties, device, read_12, sizeof(abi::DeviceProperties12));
}

int warpsimGetDeviceProperties11(void* properties, int device) {
  return give_properties(properties, device, read_12, kProperties11Bytes);
}

int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return runtime_call([&](Context& context) {
    check_device(device);
    result(value) = device_attribute(context.device(), attribute);
  });
}

int cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  return runtime_call([&](Context&) {
    check_device(device);
    copy_text(text, bytes, kPciBusId);
  });
}

int cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return runtime_call([&](Context&) {
    if (text == nullptr || std::strcmp(text, kPciBusId) != 0) {
      throw CallError(kInvalidDevice);
    }
    result(device) = 0;
  });
}

int cudaDeviceSynchronize() {
  return runtime_call([](Context& context) { synchronize(context); });
}

int cudaDeviceReset() {
  const int code = runtime_call([](Context& context) { context.flush_printed(); }, StickyErrors::kIgnore);
  last_error() = kSuccess;
  return code;
}

int cudaDeviceSetLimit(int limit, std::size_t value) {
  return runtime_call([&](Context& context) { set_device_limit(context, limit, value); });
}

int cudaDeviceGetLimit(std::size_t* value, int limit) {
  return runtime_call([&](Context& context) { result(value) = device_limit(context, limit); });
}

int cudaDeviceSetCacheConfig(int /*config*/) {
  return accept_device(0);
}

int cudaDeviceGetCacheConfig(int* config) {
  return give(config, 0);
}

int cudaDeviceSetSharedMemConfig(int /*config*/) {
  return accept_device(0);
}

int cudaDeviceGetSharedMemConfig(int* config) {
  constexpr int kFourBytes = 1;
  return give(config, kFourBytes);
}

int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  constexpr int kGreatest = -5;
  return runtime_call([&](Context&) {
    if (least != nullptr) {
      *least = 0;
    }
    if (greatest != nullptr) {
      *greatest = kGreatest;
    }
  });
}

int cudaDeviceCanAccessPeer(int* can, int /*device*/, int /*peer*/) {
  return give(can, 0);
}

int cudaDeviceEnablePeerAccess(int /*peer*/, unsigned /*flags*/) {
  return runtime_call([](Context&) { throw CallError(kInvalidDevice); });
}

int cudaDeviceDisablePeerAccess(int peer) {
  return cudaDeviceEnablePeerAccess(peer, 0);
}

int cudaCtxResetPersistingL2Cache() {
  return accept_device(0);
}

int cudaDriverGetVersion(int* version) {
  return give(version, kDriverVersion);
}

int cudaRuntimeGetVersion(int* version) {
  return give(version, kDriverVersion);
}

int cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}

int cudaThreadExit() {
  return cudaDeviceReset();
}

int cudaProfilerStart() {
  return accept_device(0);
}

int cudaProfilerStop() {
  return accept_device(0);
}

int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags, int* status) {
  return cudaGetDriverEntryPointByVersion(name, function, kDriverVersion, flags, status);
}

int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version, unsigned long long /*flags*/,
                                     int* status) {
  return runtime_call([&](Context&) {
    result(function) = driver_function(&result(name), static_cast<int>(version));
    if (status != nullptr) {
      *status = *function != nullptr ? kEntryFound : kEntryMissing;
    } else if (*function == nullptr) {
      throw CallError(kNotFound);
    }
  });
}

int cudaGetLastError() {
  Context& context = process_context();
  const std::lock_guard lock(context.mutex());
  const int code = context.sticky_error() != kSuccess ? context.sticky_error() : last_error();
  last_error() = kSuccess;
  return code;
}

int cudaPeekAtLastError() {
  const int code = cudaGetLastError();
  last_error() = code;
  return code;
}

const char* cudaGetErrorName(int code) {
  const char* const name = runtime_error_name(code);
  return name == nullptr ? "unrecognized error code" : name;
}

const char* cudaGetErrorString(int code) {
  const char* const text = error_text(code);
  return text == nullptr ? "unrecognized error code" : text;
}
