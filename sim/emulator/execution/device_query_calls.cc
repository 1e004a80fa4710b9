// Calls of the device runtime that ask: attributes, limits, errors, occupancy; and memory of the kernel's heap.
#include <vector>

#include "emulator/execution/device_runtime_call.h"
#include "emulator/execution/launch_context.h"
#include "emulator/memory/device_heap.h"

namespace warpsim::device_runtime {

namespace {

constexpr std::int32_t kOnlyDevice = 0;

template <class T>
void finish_with(DeviceRuntimeCall& call, int error, const T& value) {
  if (error == kDeviceSuccess) {
    call.store(call.argument<Address>(0), value);
  }
  call.finish(error);
}

}  // namespace

void get_attribute(DeviceRuntimeCall& call) {
  int value = 0;
  const bool exists = call.argument<std::int32_t>(2) == kOnlyDevice;
  const int error =
      exists ? call.launches().queries().attribute(call.argument<std::int32_t>(1), value) : kDeviceInvalidDevice;
  finish_with(call, error, value);
}

void get_limit(DeviceRuntimeCall& call) {
  std::uint64_t value = 0;
  const int error = call.launches().queries().limit(call.argument<std::int32_t>(1), value);
  finish_with(call, error, value);
}

void get_configuration(DeviceRuntimeCall& call) {
  finish_with<std::int32_t>(call, kDeviceSuccess, 0);
}

void get_last_error(DeviceRuntimeCall& call) {
  call.set_result<std::int32_t>(call.launches().last_error(call.thread(), true));
}

void peek_at_last_error(DeviceRuntimeCall& call) {
  call.set_result<std::int32_t>(call.launches().last_error(call.thread(), false));
}

void get_error_string(DeviceRuntimeCall& call) {
  call.set_result(call.launches().queries().error_text(call.argument<std::int32_t>(0), false));
}

void get_error_name(DeviceRuntimeCall& call) {
  call.set_result(call.launches().queries().error_text(call.argument<std::int32_t>(0), true));
}

void get_device_count(DeviceRuntimeCall& call) {
  finish_with<std::int32_t>(call, kDeviceSuccess, kOnlyDevice + 1);
}

void get_device(DeviceRuntimeCall& call) {
  finish_with<std::int32_t>(call, kDeviceSuccess, kOnlyDevice);
}

void get_function_attributes(DeviceRuntimeCall& call) {
  std::uint32_t kernel = 0;
  std::vector<std::byte> bytes;
  int error = kDeviceInvalidFunction;
  if (DeviceRuntimeCall::kernel_of(call.argument<Address>(1), kernel)) {
    error = call.launches().queries().function_attributes(call.thread(), kernel, bytes);
  }
  if (error == kDeviceSuccess) {
    call.store(call.argument<Address>(0), bytes.data(), bytes.size());
  }
  call.finish(error);
}

void get_active_blocks(DeviceRuntimeCall& call) {
  DeviceLaunch launch;
  launch.parent = call.thread();
  launch.block = {call.argument<std::uint32_t>(2), 1, 1};
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(call.argument<std::uint64_t>(3));
  int blocks = 0;
  const bool exists = DeviceRuntimeCall::kernel_of(call.argument<Address>(1), launch.kernel);
  const int error = exists ? call.launches().queries().active_blocks(launch, blocks) : kDeviceInvalidFunction;
  finish_with<std::int32_t>(call, error, blocks);
}

void get_version(DeviceRuntimeCall& call) {
  finish_with<std::int32_t>(call, kDeviceSuccess, call.launches().queries().runtime_version());
}

void allocate(DeviceRuntimeCall& call) {
  const auto bytes = call.argument<std::uint64_t>(1);
  if (bytes == 0 || call.argument<Address>(0) == 0) {
    call.finish(kDeviceInvalidValue);
    return;
  }
  DeviceHeap* const heap = call.warp().launch->heap;
  const Address address = heap == nullptr ? 0 : heap->allocate(bytes);
  finish_with(call, address == 0 ? kDeviceOutOfMemory : kDeviceSuccess, address);
}

void release(DeviceRuntimeCall& call) {
  const auto address = call.argument<Address>(0);
  DeviceHeap* const heap = call.warp().launch->heap;
  if (address != 0 && (heap == nullptr || !heap->release(address))) {
    call.fail(FaultKind::kIllegalAddress, "frees memory that cudaMalloc() in a kernel has not returned");
  }
  call.finish(kDeviceSuccess);
}

}  // namespace warpsim::device_runtime
