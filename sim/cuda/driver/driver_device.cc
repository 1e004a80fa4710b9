// The driver's functions about devices, errors and entry points.
#include <cstring>

#include "cuda/calls.h"
#include "cuda/device/device_properties.h"
#include "cuda/device_calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/driver/plain_calls.h"
#include "cuda/entry_points.h"

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

int cuProfilerStart() {
  return context_call([](Context& context) { context.device().set_profiled(true); });
}

int cuProfilerStop() {
  return context_call([](Context& context) { context.device().set_profiled(false); });
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

int cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

int cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags, int* status) {
  constexpr std::uint64_t kOfThread = 2;
  const NullStream null_stream = (flags & kOfThread) != 0 ? NullStream::kOfThread : NullStream::kLegacy;
  return driver_call([&](Context&) {
    result(function) = driver_function(&result(name), version, null_stream);
    if (status != nullptr) {
      *status = *function == nullptr ? 1 : 0;
    }
    if (*function == nullptr) {
      throw CallError(kNotFound);
    }
  });
}
