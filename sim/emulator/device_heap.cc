#include "emulator/device_heap.h"

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

}  // namespace warpsim
