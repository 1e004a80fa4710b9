// Managed memory of a process with time: its pages on GPUs and host, and what the host program does with them.
//
// Connects the allocations (emulator/memory/device_memory.h), the drivers of the GPUs (device/managed/managed_memory.h)
// and the accesses of the host program (host_touches.h). State: theirs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/gpu/gpu_config.h"
#include "cuda/device/host_touches.h"
#include "device/managed/managed_memory.h"
#include "emulator/memory/device_memory.h"
#include "memory/remote/managed_pages.h"

namespace warpsim::cuda {

class TimedMachine;

class ManagedSystem {
 public:
  // Both by GPU; they outlive it. There is no managed memory yet.
  // `timed`: the accesses of the host program are looked for.
  ManagedSystem(const std::vector<const GpuConfig*>& configs, const std::vector<DeviceMemory*>& memories, bool timed);

  const ManagedPages& pages() const { return pages_; }
  ManagedMemory& memory() { return memory_; }

  // An allocation of any kind exists now, or does not any more.
  void note(const DeviceMemory::Allocation& allocation, bool exists);
  // At the beginning of a call: the host has touched pages since the last one, which has taken time.
  void look(TimedMachine& machine);
  void call_ends() { touches_.call_ends(); }
  // Whether accesses of the host can be seen on this system.
  bool sees_host() const { return touches_.works(); }

 private:
  std::vector<const GpuConfig*> configs_;
  std::vector<DeviceMemory*> memories_;
  ManagedPages pages_;
  HostTouches touches_;
  ManagedMemory memory_;
  std::uint64_t allocations_ = 0;  // of managed memory
};

}  // namespace warpsim::cuda
