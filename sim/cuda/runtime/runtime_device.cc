// The runtime's functions about the device, and its errors.
#include <cstring>

#include "cuda/calls.h"
#include "cuda/device/device_properties.h"
#include "cuda/device_calls.h"
#include "cuda/entry_points.h"
#include "cuda/runtime/runtime_api.h"
#include "cuda/streams/stream_calls.h"

namespace warpsim::cuda {

namespace {

// Results do not depend on the device.
template <class T>
int give(T* target, T value) {
  return runtime_call([&](Context&) { result(target) = value; });
}

int accept() {
  return runtime_call([](Context&) {});
}

int accept_device(int device) {
  return runtime_call([&](Context& context) { check_device(context, device); });
}

template <class Properties>
int give_properties(void* target, int device, Properties (*read)(Device&), std::size_t bytes) {
  return runtime_call([&](Context& context) {
    const Properties properties = read(device_at(context, device));
    std::memcpy(&result(static_cast<char*>(target)), &properties, bytes);
  });
}

void choose(Context& context, int device) {
  check_device(context, device);
  use_device(static_cast<std::uint32_t>(device));
}

enum EntryPoint : int { kEntryFound = 0, kEntryMissing = 1 };

int entry_point(const char* name, void** function, int version, unsigned long long flags, int* status) {
  constexpr unsigned long long kLegacy = 1;
  constexpr unsigned long long kOfThread = 2;
  return runtime_call([&](Context&) {
    const bool own = flags == kOfThread || (flags != kLegacy && null_stream_is_own());
    result(function) = driver_function(&result(name), version, own ? NullStream::kOfThread : NullStream::kLegacy);
    if (status != nullptr) {
      *status = *function != nullptr ? kEntryFound : kEntryMissing;
    } else if (*function == nullptr) {
      throw CallError(kNotFound);
    }
  });
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaGetDeviceCount(int* count) {
  return runtime_call([&](Context& context) { result(count) = static_cast<int>(context.device_count()); });
}

int cudaGetDevice(int* device) {
  return give(device, static_cast<int>(current_device()));
}

int cudaSetDevice(int device) {
  return runtime_call([&](Context& context) { choose(context, device); });
}

int cudaInitDevice(int device, unsigned /*device_flags*/, unsigned /*flags*/) {
  return accept_device(device);
}

int cudaSetValidDevices(int* devices, int count) {
  return runtime_call([&](Context& context) {
    if (count < 0 || (count != 0 && devices == nullptr)) {
      throw CallError(kInvalidValue);
    }
    for (int i = 0; i < count; ++i) {
      check_device(context, devices[i]);
    }
    if (count != 0) {
      choose(context, devices[0]);
    }
  });
}

int cudaChooseDevice(int* device, const void* /*properties*/) {
  return give(device, 0);
}

int cudaSetDeviceFlags(unsigned flags) {
  return runtime_call([&](Context& context) { context.device_flags()[current_device()] = flags; });
}

int cudaGetDeviceFlags(unsigned* flags) {
  return runtime_call([&](Context& context) { result(flags) = context.device_flags()[current_device()]; });
}

int cudaGetDeviceProperties(void* properties, int device) {
  return give_properties(properties, device, properties_13, sizeof(abi::DeviceProperties13));
}

int cudaGetDeviceProperties_v2(void* properties, int device) {
  return give_properties(properties, device, properties_12, sizeof(abi::DeviceProperties12));
}

int warpsimGetDeviceProperties11(void* properties, int device) {
  return give_properties(properties, device, properties_12, kProperties11Bytes);
}

int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return runtime_call(
      [&](Context& context) { result(value) = device_attribute(device_at(context, device), attribute); });
}

int cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  return runtime_call(
      [&](Context& context) { copy_text(text, bytes, pci_bus_id(device_at(context, device).number()).c_str()); });
}

int cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return runtime_call([&](Context& context) { result(device) = static_cast<int>(device_at_bus_id(context, text)); });
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
  return accept();
}

int cudaDeviceGetCacheConfig(int* config) {
  return give(config, 0);
}

int cudaDeviceSetSharedMemConfig(int /*config*/) {
  return accept();
}

int cudaDeviceGetSharedMemConfig(int* config) {
  constexpr int kFourBytes = 1;
  return give(config, kFourBytes);
}

int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return runtime_call([&](Context& context) {
    if (least != nullptr) {
      *least = 0;
    }
    if (greatest != nullptr) {
      *greatest = first_priority(context.device().config());
    }
  });
}

int cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return runtime_call([&](Context& context) {
    const std::uint32_t own = device_at(context, device).number();
    result(can) = has_peer_access(context, own, device_at(context, peer).number()) ? 1 : 0;
  });
}

int cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return runtime_call([&](Context& context) { enable_peer_access(context, device_at(context, peer).number(), flags); });
}

int cudaDeviceDisablePeerAccess(int peer) {
  return runtime_call([&](Context& context) { disable_peer_access(context, device_at(context, peer).number()); });
}

int cudaDeviceGetP2PAttribute(int* value, int attribute, int device, int peer) {
  return runtime_call([&](Context& context) { result(value) = peer_attribute(context, attribute, device, peer); });
}

int cudaCtxResetPersistingL2Cache() {
  return runtime_call([](Context& context) { context.device().end_l2_persistence(); });
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
  return runtime_call([](Context& context) { context.device().set_profiled(true); });
}

int cudaProfilerStop() {
  return runtime_call([](Context& context) { context.device().set_profiled(false); });
}

int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags, int* status) {
  return entry_point(name, function, kDriverVersion, flags, status);
}

int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version, unsigned long long flags,
                                     int* status) {
  return entry_point(name, function, static_cast<int>(version), flags, status);
}

int cudaGetLastError() {
  Context& context = process_context();
  const HostThreads::Call call(context.threads());
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
