// Memory that kernels allocate with malloc(): allocations of the device within a limit (cudaLimitMallocHeapSize).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "emulator/memory/device_memory.h"

namespace warpsim {

class DeviceHeap {
 public:
  DeviceHeap(DeviceMemory& memory, std::uint64_t limit_bytes) : memory_(memory), limit_(limit_bytes) {}

  // 0 if the limit does not allow it.
  Address allocate(std::uint64_t bytes);
  // Returns false if no current allocation begins there.
  bool release(Address address);
  // Why release() has failed, for messages: it was freed before, it is inside of an allocation, or neither.
  std::string why_not_released(Address address) const;
  void set_limit(std::uint64_t bytes) { limit_ = bytes; }

 private:
  DeviceMemory& memory_;
  std::uint64_t limit_;
  std::uint64_t used_ = 0;
  std::map<Address, std::uint64_t> sizes_;
};

}  // namespace warpsim
