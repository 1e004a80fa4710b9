#include "cuda/memory/memory_errors.h"

#include <fmt/format.h>

#include "cuda/ipc/ipc_memory.h"
#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {

namespace {

std::string name_in_text(const std::string& name) {
  return name.empty() ? "" : " (" + name + ")";
}

}  // namespace

std::string why_not(const DeviceMemory& memory, Address address, std::size_t bytes) {
  if (const FreedMemory::Range* const freed = memory.freed(address)) {
    return fmt::format("{:#x} is in memory that was freed: {} bytes at {:#x}{}", address, freed->bytes, freed->begin,
                       name_in_text(freed->name));
  }
  if (const DeviceMemory::Allocation* const inside = memory.find(address)) {
    return fmt::format("{} bytes at {:#x} end after their allocation: {} bytes at {:#x}{}", bytes, address,
                       inside->bytes, inside->begin, name_in_text(inside->name));
  }
  if (const ReservedRanges::Range* const range = memory.mapped().ranges().find(address)) {
    return fmt::format("{:#x} is in a reserved range of {} bytes at {:#x}, where no memory is mapped", address,
                       range->bytes, range->begin);
  }
  return fmt::format("{:#x} is in no allocation of the device", address);
}

void require_own(Context& context, const void* data) {
  DeviceMemory& memory = context.device().memory();
  const DeviceMemory::Allocation* const allocation = memory.find(to_address(data));
  const Address address = to_address(data);
  if (allocation == nullptr) {
    throw CallError(kInvalidValue, fmt::format("a free: {}", why_not(memory, address, 0)));
  }
  if (allocation->begin != address) {
    throw CallError(kInvalidValue, fmt::format("a free: {:#x} is {} bytes inside of an allocation: {} bytes at {:#x}{}",
                                               address, address - allocation->begin, allocation->bytes,
                                               allocation->begin, name_in_text(allocation->name)));
  }
  if (context.ipc_memory().is_imported(address)) {
    throw CallError(kInvalidValue, fmt::format("a free: {:#x} is memory of another process, which is closed", address));
  }
  if (allocation->mapped) {
    throw CallError(kInvalidValue, fmt::format("a free: {:#x} was mapped with cuMemMap", address));
  }
  if (allocation->pooled) {
    throw CallError(kInvalidValue, fmt::format("a free: {:#x} is memory of a pool that was freed before", address));
  }
  if (allocation->registered || !allocation->name.empty()) {
    throw CallError(kInvalidValue,
                    fmt::format("a free: {:#x} is {}, not memory that the program has allocated on the "
                                "device",
                                address, allocation->registered ? "memory of the host" : allocation->name));
  }
}

}  // namespace warpsim::cuda
