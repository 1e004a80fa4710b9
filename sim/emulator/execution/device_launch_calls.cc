// Calls of the device runtime that put work on streams: launches, transfers; streams and events.
#include <algorithm>

#include "emulator/code/kernel_image.h"
#include "emulator/execution/device_runtime_call.h"
#include "emulator/execution/device_runtime_calls.h"
#include "emulator/execution/launch_context.h"
#include "emulator/memory/device_memory.h"

namespace warpsim::device_runtime {

namespace {

// dim3 in the parameter area.
struct Size {
  std::uint32_t x, y, z;
};
Dim3 size_of(const Size& size) {
  return {size.x, size.y, size.z};
}

struct PitchedPointer {
  Address begin;
  std::uint64_t pitch;
  std::uint64_t width;
  std::uint64_t height;
};
struct Extent {
  std::uint64_t width;
  std::uint64_t height;
  std::uint64_t depth;
};
// cudaMemcpy3DParms
struct Copy3d {
  Address from_array;
  Extent from_position;
  PitchedPointer from;
  Address to_array;
  Extent to_position;
  PitchedPointer to;
  Extent extent;
  std::int32_t kind;
  std::int32_t padding;
};
static_assert(sizeof(Copy3d) == 160);

// The library copies between global memory only: cudaMemcpyDeviceToDevice, cudaMemcpyDefault.
constexpr std::int32_t kDeviceToDevice = 3;
constexpr std::int32_t kDefault = 4;

bool is_empty(const DeviceTransfer& transfer) {
  return transfer.width == 0 || transfer.height == 0 || transfer.depth == 0;
}

bool is_global(DeviceRuntimeCall& call, Address address) {
  return call.warp().launch->memory->find(address) != nullptr;
}

// What the library checks before it starts anything.
int check(DeviceRuntimeCall& call, const DeviceTransfer& transfer, std::int32_t kind) {
  if (!transfer.fills && kind != kDeviceToDevice && kind != kDefault) {
    return kDeviceInvalidCopyDirection;
  }
  if (!is_global(call, transfer.to.begin) || (!transfer.fills && !is_global(call, transfer.from.begin))) {
    return kDeviceInvalidValue;
  }
  const bool has_rows = transfer.height > 1 || transfer.depth > 1;
  if (has_rows && (transfer.to.pitch < transfer.width || (!transfer.fills && transfer.from.pitch < transfer.width))) {
    return kDeviceInvalidPitch;
  }
  return kDeviceSuccess;
}

void start(DeviceRuntimeCall& call, DeviceTransfer& transfer, std::uint64_t stream, std::int32_t kind = kDefault) {
  if (is_empty(transfer)) {
    call.finish(kDeviceSuccess);
    return;
  }
  int error = check(call, transfer, kind);
  if (error == kDeviceSuccess && !call.stream_of(stream, transfer.stream)) {
    error = kDeviceInvalidHandle;
  }
  transfer.parent = call.thread();
  transfer.interface = call.interface();
  call.finish(error != kDeviceSuccess ? error : call.launches().transfer(transfer));
}

// The flags that the library requires.
constexpr std::uint32_t kNonBlocking = 1;    // cudaStreamNonBlocking
constexpr std::uint32_t kDisableTiming = 2;  // cudaEventDisableTiming

void create(DeviceRuntimeCall& call, DeviceObject kind, std::uint32_t required) {
  if (call.argument<std::uint32_t>(1) != required) {
    call.finish(kDeviceInvalidValue);
    return;
  }
  std::uint64_t handle = 0;
  const int error = call.launches().create(kind, call.thread(), handle);
  if (error == kDeviceSuccess) {
    call.store(call.argument<Address>(0), handle);
  }
  call.finish(error);
}

}  // namespace

// --- launches ---

void get_parameter_buffer(DeviceRuntimeCall& call) {
  call.set_result(call.launches().parameter_buffer(call.thread(), call.argument<std::uint64_t>(1)));
}

void get_configured_buffer(DeviceRuntimeCall& call) {
  DeviceLaunch launch;
  launch.parent = call.thread();
  launch.interface = call.interface();
  launch.grid = size_of(call.argument<Size>(1));
  launch.block = size_of(call.argument<Size>(2));
  launch.dynamic_shared_bytes = call.argument<std::uint32_t>(3);
  if (!DeviceRuntimeCall::kernel_of(call.argument<Address>(0), launch.kernel)) {
    call.launches().set_last_error(call.thread(), kDeviceInvalidFunction);
    call.set_result<Address>(0);
    return;
  }
  call.set_result(call.launches().parameter_buffer(launch));
}

void launch(DeviceRuntimeCall& call) {
  DeviceLaunch launch;
  launch.parent = call.thread();
  launch.interface = call.interface();
  launch.grid = size_of(call.argument<Size>(2));
  launch.block = size_of(call.argument<Size>(3));
  launch.dynamic_shared_bytes = call.argument<std::uint32_t>(4);
  if (!DeviceRuntimeCall::kernel_of(call.argument<Address>(0), launch.kernel)) {
    call.finish(kDeviceInvalidFunction);
  } else if (!call.stream_of(call.argument<std::uint64_t>(5), launch.stream)) {
    call.finish(kDeviceInvalidHandle);
  } else {
    call.finish_work(call.launches().launch(launch, call.argument<Address>(1)));
  }
}

void launch_configured(DeviceRuntimeCall& call) {
  DeviceStream stream;
  if (!call.stream_of(call.argument<std::uint64_t>(1), stream)) {
    call.finish(kDeviceInvalidHandle);
    return;
  }
  call.finish_work(call.launches().launch_configured(call.argument<Address>(0), stream, call.thread()));
}

// PTX for 9.0 that calls it by its usual name is refused when it is loaded. Machine code behaves as on its own GPU.
void synchronise(DeviceRuntimeCall& call) {
  const LaunchContext& launch = *call.warp().launch;
  const ptx::Module& module = launch.kernel->module().module();
  const std::uint32_t capability = module.is_machine_code ? module.target : launch.capability;
  if (capability >= kFirstWithoutDeviceSynchronise) {
    call.finish(kDeviceSyncDepthExceeded);
    return;
  }
  if (const std::string reason = call.launches().why_not_synchronised(call.thread()); !reason.empty()) {
    call.fail(FaultKind::kIllegalInstruction, "waits for its launches with cudaDeviceSynchronize(), which " + reason);
  }
  call.finish(call.launches().synchronise(call.thread()));
  call.warp().awaits_launches = call.launches().awaits_launches(call.thread());
}

// --- streams and events ---

void create_stream(DeviceRuntimeCall& call) {
  create(call, DeviceObject::kStream, kNonBlocking);
}

void destroy_stream(DeviceRuntimeCall& call) {
  call.finish(call.launches().destroy(DeviceObject::kStream, call.argument<std::uint64_t>(0)));
}

void create_event(DeviceRuntimeCall& call) {
  create(call, DeviceObject::kEvent, kDisableTiming);
}

void destroy_event(DeviceRuntimeCall& call) {
  call.finish(call.launches().destroy(DeviceObject::kEvent, call.argument<std::uint64_t>(0)));
}

// Work is run in the order in which it is requested. What an event stands for was requested before, and what waits for
// it is requested later.
void wait_for_event(DeviceRuntimeCall& call) {
  DeviceStream stream;
  const bool exists = call.stream_of(call.argument<std::uint64_t>(0), stream) &&
                      call.launches().exists(DeviceObject::kEvent, call.argument<std::uint64_t>(1));
  call.finish(exists ? kDeviceSuccess : kDeviceInvalidHandle);
}

void record_event(DeviceRuntimeCall& call) {
  DeviceStream stream;
  const bool exists = call.launches().exists(DeviceObject::kEvent, call.argument<std::uint64_t>(0)) &&
                      call.stream_of(call.argument<std::uint64_t>(1), stream);
  call.finish(exists ? kDeviceSuccess : kDeviceInvalidHandle);
}

// --- transfers ---

void copy(DeviceRuntimeCall& call) {
  DeviceTransfer transfer;
  transfer.to.begin = call.argument<Address>(0);
  transfer.from.begin = call.argument<Address>(1);
  transfer.width = call.argument<std::uint64_t>(2);
  start(call, transfer, call.argument<std::uint64_t>(4), call.argument<std::int32_t>(3));
}

void copy_2d(DeviceRuntimeCall& call) {
  DeviceTransfer transfer;
  transfer.to = {call.argument<Address>(0), call.argument<std::uint64_t>(1)};
  transfer.from = {call.argument<Address>(2), call.argument<std::uint64_t>(3)};
  transfer.width = call.argument<std::uint64_t>(4);
  transfer.height = call.argument<std::uint64_t>(5);
  start(call, transfer, call.argument<std::uint64_t>(7), call.argument<std::int32_t>(6));
}

void copy_3d(DeviceRuntimeCall& call) {
  Copy3d copy{};
  call.load(call.argument<Address>(0), &copy, sizeof copy);
  if (copy.from_array != 0 || copy.to_array != 0) {
    call.finish(kDeviceInvalidValue);  // the library has no arrays
    return;
  }
  const auto place = [](const PitchedPointer& pointer, const Extent& position) {
    const Address begin =
        pointer.begin + (position.depth * pointer.height + position.height) * pointer.pitch + position.width;
    return DeviceTransfer::Place{begin, pointer.pitch, pointer.height};
  };
  DeviceTransfer transfer;
  transfer.to = place(copy.to, copy.to_position);
  transfer.from = place(copy.from, copy.from_position);
  transfer.width = copy.extent.width;
  transfer.height = copy.extent.height;
  transfer.depth = copy.extent.depth;
  start(call, transfer, call.argument<std::uint64_t>(1), copy.kind);
}

void fill(DeviceRuntimeCall& call) {
  DeviceTransfer transfer;
  transfer.to.begin = call.argument<Address>(0);
  transfer.fills = true;
  transfer.value = static_cast<std::byte>(call.argument<std::uint32_t>(1));
  transfer.width = call.argument<std::uint64_t>(2);
  start(call, transfer, call.argument<std::uint64_t>(3));
}

void fill_2d(DeviceRuntimeCall& call) {
  DeviceTransfer transfer;
  transfer.to = {call.argument<Address>(0), call.argument<std::uint64_t>(1)};
  transfer.fills = true;
  transfer.value = static_cast<std::byte>(call.argument<std::uint32_t>(2));
  transfer.width = call.argument<std::uint64_t>(3);
  transfer.height = call.argument<std::uint64_t>(4);
  start(call, transfer, call.argument<std::uint64_t>(5));
}

void fill_3d(DeviceRuntimeCall& call) {
  const auto pointer = call.argument<PitchedPointer>(0);
  const auto extent = call.argument<Extent>(2);
  DeviceTransfer transfer;
  transfer.to = {pointer.begin, pointer.pitch, pointer.height};
  transfer.fills = true;
  transfer.value = static_cast<std::byte>(call.argument<std::uint32_t>(1));
  transfer.width = extent.width;
  transfer.height = extent.height;
  transfer.depth = extent.depth;
  start(call, transfer, call.argument<std::uint64_t>(3));
}

}  // namespace warpsim::device_runtime
