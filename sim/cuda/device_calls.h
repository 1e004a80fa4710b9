// Queries and settings of the device in runtime and driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cuda/context.h"

namespace warpsim::cuda {

inline constexpr int kDriverVersion = 13000;  // of the toolkit whose functions are known

// Fails with kInvalidDevice if there is no such device.
Device& device_at(Context& context, int number);
void check_device(Context& context, int number);
// Limits of the device: the values set, or initial ones. Fail with kUnsupportedLimit.
std::size_t device_limit(Context& context, int limit);
void set_device_limit(Context& context, int limit, std::size_t value);
// Handles of what each device has one of: device n has unit * (n + 1).
inline constexpr std::uintptr_t kContextUnit = 0x20;  // of the driver's contexts
void* handle_of_device(std::uintptr_t unit, const Device& device);
// None: it is no such handle.
std::optional<std::uint32_t> device_of_handle(Context& context, std::uintptr_t unit, const void* handle);
// The address of a device on the bus, and the device at one; that fails with kInvalidDevice.
std::string pci_bus_id(std::uint32_t number);
std::uint32_t device_at_bus_id(Context& context, const char* text);
// Whether kernels of a GPU can access the memory of another one.
bool has_peer_access(Context& context, std::uint32_t gpu, std::uint32_t peer);
// By kernels of the current device. Fail with CUDA's errors.
void enable_peer_access(Context& context, std::uint32_t peer, unsigned flags);
void disable_peer_access(Context& context, std::uint32_t peer);
// cudaDeviceP2PAttr. Fails with kInvalidValue.
int peer_attribute(Context& context, int attribute, int gpu, int peer);
void copy_text(char* target, int bytes, const char* text);

}  // namespace warpsim::cuda
