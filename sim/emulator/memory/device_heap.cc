#include "emulator/memory/device_heap.h"

#include <fmt/format.h>

namespace warpsim {

Address DeviceHeap::allocate(std::uint64_t bytes) {
  if (bytes == 0 || used_ > limit_ || bytes > limit_ - used_) {
    return 0;
  }
  const Address address = memory_.allocate(bytes, DeviceMemory::kAlignment, "allocated by malloc() in a kernel");
  if (address != 0) {
    sizes_[address] = bytes;
    used_ += bytes;
  }
  return address;
}

bool DeviceHeap::release(Address address) {
  const auto found = sizes_.find(address);
  if (found == sizes_.end()) {
    return false;
  }
  used_ -= found->second;
  sizes_.erase(found);
  return memory_.release(address);
}

std::string DeviceHeap::why_not_released(Address address) const {
  if (const FreedMemory::Range* const freed = memory_.freed(address)) {
    return fmt::format("which is in memory that was freed before: {} bytes at {:#x}{}", freed->bytes, freed->begin,
                       freed->name.empty() ? "" : " (" + freed->name + ")");
  }
  if (const DeviceMemory::Allocation* const inside = memory_.find(address); inside != nullptr) {
    const auto behind = address - inside->begin;
    return behind == 0 ? "which malloc() has not returned"
                       : fmt::format("which is {} bytes inside of an allocation: {} bytes at {:#x}", behind,
                                     inside->bytes, inside->begin);
  }
  return "which malloc() has not returned";
}

}  // namespace warpsim
