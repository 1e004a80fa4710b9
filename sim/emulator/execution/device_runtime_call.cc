#include "emulator/execution/device_runtime_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/code/kernel_address.h"
#include "emulator/execution/device_runtime_calls.h"
#include "emulator/execution/launch_context.h"
#include "emulator/memory/block_memory.h"

namespace warpsim {

DeviceRuntimeCall::DeviceRuntimeCall(WarpContext& warp, const Operation& operation, std::uint32_t lane)
    : warp_(warp), operation_(operation), lane_(lane), launches_(warp.launch->launches) {
  const LaunchContext& launch = *warp.launch;
  if (launch.capability < kFirstWithLaunches) {
    fail(FaultKind::kIllegalInstruction,
         fmt::format("calls CUDA's device runtime, which needs compute capability 3.5; the GPU has {}.{}",
                     launch.capability / 10, launch.capability % 10));
  }
  if (launches_ == nullptr) {
    fail(FaultKind::kIllegalInstruction,
         "calls CUDA's device runtime, which only programs under 'warpsim exec' have: nothing runs what kernels "
         "launch here");
  }
  launches_->set_time(warp.now);
  thread_ = {launch.grid_id, warp.block->linear_index, warp.index * kWarpSize + lane};
}

void DeviceRuntimeCall::fail(FaultKind kind, const std::string& what) const {
  warp_.fault(kind, operation_, lane_, what);
}

void DeviceRuntimeCall::finish_work(int error) {
  finish(error);
  warp_.held_until = std::max(warp_.held_until, launches_->call_ends_at(warp_.now));
}

Cycle held_until(WarpContext& warp) {
  const LaunchContext& launch = *warp.launch;
  warp.awaits_launches =
      warp.awaits_launches &&
      launch.launches->awaits_launches({launch.grid_id, warp.block->linear_index, warp.index * kWarpSize});
  return warp.awaits_launches && warp.now >= warp.held_until ? kNever : warp.held_until;
}

void DeviceRuntimeCall::finish(int error) {
  if (error != kDeviceSuccess) {
    launches_->set_last_error(thread_, error);
  }
  set_result<std::int32_t>(error);
}

DeviceInterface DeviceRuntimeCall::interface() const {
  return (operation_.variant & kSecondInterface) != 0 ? DeviceInterface::kSecond : DeviceInterface::kFirst;
}

bool DeviceRuntimeCall::stream_of(std::uint64_t handle, DeviceStream& stream) const {
  using Kind = DeviceStream::Kind;
  // cudaStreamLegacy, cudaStreamPerThread, cudaStreamTailLaunch, cudaStreamFireAndForget.
  constexpr std::uint64_t kLegacy = 1;
  constexpr std::uint64_t kPerThread = 2;
  constexpr std::uint64_t kTail = 3;
  constexpr std::uint64_t kFireAndForget = 4;
  const bool second = interface() == DeviceInterface::kSecond;
  if (handle == 0) {
    stream = {(operation_.variant & kOfThread) != 0 ? Kind::kThread : Kind::kBlock, 0};
  } else if (handle == kLegacy || handle == kPerThread) {
    stream = {handle == kLegacy ? Kind::kBlock : Kind::kThread, 0};
  } else if (second && (handle == kTail || handle == kFireAndForget)) {
    stream = {handle == kTail ? Kind::kTail : Kind::kFireAndForget, 0};
  } else if (launches_->exists(DeviceObject::kStream, handle)) {
    stream = {Kind::kCreated, handle};
  } else {
    return false;
  }
  return true;
}

bool DeviceRuntimeCall::kernel_of(Address address, std::uint32_t& kernel) {
  const std::int64_t number = kernel_at(address);
  kernel = static_cast<std::uint32_t>(number);
  return number >= 0;
}

std::byte* DeviceRuntimeCall::bytes(Address pointer, std::size_t count, const char* verb) {
  const BytesAt found = bytes_at(warp_, pointer, lane_);
  if (found.count < count) {
    fail(FaultKind::kIllegalAddress,
         fmt::format("calls CUDA's device runtime, which {} {} bytes at {:#x}, where no memory of the kernel is", verb,
                     count, pointer));
  }
  return found.begin;
}

void DeviceRuntimeCall::store(Address pointer, const void* data, std::size_t count) {
  std::memcpy(bytes(pointer, count, "writes"), data, count);
}

void DeviceRuntimeCall::load(Address pointer, void* data, std::size_t count) {
  std::memcpy(data, bytes(pointer, count, "reads"), count);
}

}  // namespace warpsim
