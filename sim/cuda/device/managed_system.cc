#include "cuda/device/managed_system.h"

#include "cuda/device/timed_machine.h"

namespace warpsim::cuda {

namespace {

bool is_linked(const GpuConfig& config) {
  return config.links.peer.kind != PeerLinkKind::kNone;
}

}  // namespace

ManagedSystem::ManagedSystem(const std::vector<const GpuConfig*>& configs, const std::vector<DeviceMemory*>& memories,
                             bool timed)
    : configs_(configs),
      memories_(memories),
      pages_(DeviceMemory::managed_addresses().begin, DeviceMemory::managed_addresses().bytes),
      touches_(pages_, [this](std::uint64_t piece) { return memories_[0]->managed_bytes(pages_.address_of(piece)); }),
      memory_(pages_, configs,
              {.capacity = [this](std::uint32_t gpu) { return memories_[gpu]->capacity() - memories_[gpu]->used(); },
               // Without time the program and the emulator use the same pages, which must stay where they are.
               .leaves_host =
                   [this, timed](std::uint64_t piece) {
                     if (timed) {
                       touches_.watch(piece);
                     }
                   },
               .are_linked =
                   [this](std::uint32_t gpu, std::uint32_t other) {
                     return is_linked(*configs_[gpu]) && is_linked(*configs_[other]);
                   }}) {
  memories_[0]->let_managed_move(memory_.has_page_faults(0), timed);
}

void ManagedSystem::note(const DeviceMemory::Allocation& allocation, bool exists) {
  if (!allocation.managed) {
    if (!allocation.registered && exists) {
      memory_.make_room(allocation.gpu);
    }
    return;
  }
  if (exists) {
    memory_.add(allocation.begin, allocation.bytes);
    ++allocations_;
  } else {
    memory_.remove(allocation.begin);
    --allocations_;
  }
}

void ManagedSystem::look(TimedMachine& machine) {
  if (allocations_ == 0) {
    return;
  }
  const std::vector<ManagedMemory::Touch> touches = touches_.look(memory_.ranges());
  if (touches.empty()) {
    return;
  }
  machine.attempt([&](DeviceRun& device) {
    device.catch_up();
    device.spend(memory_.host_touches(touches, 0));
  });
}

}  // namespace warpsim::cuda
