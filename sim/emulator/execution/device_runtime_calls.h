// The functions of the CUDA device runtime (libcudadevrt) that kernels call: launches, streams and events, transfers,
// queries, graphs. Names and arguments: cuda_device_runtime_api.h of the toolkits. Code of CUDA 12 and later calls them
// under names with __cudaCDP2, earlier code under their plain names; those with _ptsz mean the default stream of the
// thread. The library's own code is not executed: these calls are operations of the emulator (device_launches.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/execution/device_launches.h"
#include "emulator/operations/operation_builder.h"

namespace warpsim {

struct DeviceRuntimeArgument {
  std::uint32_t bytes = 0;
  std::uint32_t alignment = 0;
};

struct DeviceRuntimeFunction {
  std::string_view name;  // without its prefix
  Handler run = nullptr;
  std::span<const DeviceRuntimeArgument> arguments;
  std::uint32_t result_bytes = 4;
  bool takes_stream = false;  // it has a form with _ptsz
  bool only_first = false;    // it has no name with __cudaCDP2
};

// A function under one of its names.
struct DeviceRuntimeForm {
  std::string name;
  const DeviceRuntimeFunction* function = nullptr;
  DeviceInterface interface = DeviceInterface::kSecond;
  bool of_thread = false;  // the default stream is the thread's
};

// All names, in a fixed order.
std::span<const DeviceRuntimeForm> device_runtime_forms();
// Null if there is none of the name.
const DeviceRuntimeForm* find_device_runtime_form(std::string_view name);

// Turns the call into an operation; fails for other arguments than the function has.
void bind_device_runtime_call(OperationBuilder& builder, const DeviceRuntimeForm& form, const CallSite& site);

// Whether the name is that of cudaDeviceSynchronize, which GPUs from 9.0 on do not have in kernels.
bool is_device_synchronise(std::string_view name);
inline constexpr std::uint32_t kFirstWithoutDeviceSynchronise = 90;
inline constexpr std::uint32_t kFirstWithLaunches = 35;

}  // namespace warpsim
