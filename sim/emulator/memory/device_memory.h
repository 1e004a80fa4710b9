// The memory of a simulated device as programs address it: allocations in the same address space as the host's.
//
// The addresses of device memory are reserved in the host's address space and cannot be accessed there, as with a GPU;
// the bytes are elsewhere (`Allocation::host`). Managed memory is at its own addresses. Both ranges are fixed, so
// that addresses, and with them simulated times, are the same in every run. Ranges of the host can also be registered
// here. Freed memory is not reused while there is other space (freed_memory.h), and the host cannot access freed
// managed memory until then (closed_pages.h); therefore managed allocations share no pages. Invariant: allocations do
// not overlap; those of the device are aligned to 512 bytes.
//
// The memories of several GPUs are parts of one address space (address_space.h), each with a range of its own. All of
// them find all allocations; kernels of a GPU may access those of others that are opened to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/types.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/arena_sharing.h"
#include "emulator/memory/driver_placement.h"
#include "emulator/memory/freed_memory.h"
#include "emulator/memory/memory_arena.h"

namespace warpsim {

class DeviceMemory {
 public:
  using Allocation = AddressSpace::Allocation;

  // Where device memory begins, unless stated: programs and libraries are not loaded there.
  static constexpr Address kUsualBegin = 0x7000'0000'0000;
  enum class Placement : std::uint8_t {
    kWithGaps,  // so that an access after the end of an allocation is not inside another
    kAsDriver,  // at the addresses that the driver chooses (driver_placement.h), beside each other
  };
  // Reserves address space for `capacity` bytes; pages cost nothing until they are touched. `begin`: a multiple of
  // DriverPlacement::kSegment. Throws std::bad_alloc.
  explicit DeviceMemory(std::uint64_t capacity, Placement placement = Placement::kWithGaps,
                        Address begin = kUsualBegin);
  // The memory of a further GPU, at the addresses after those of the GPUs before it.
  DeviceMemory(std::uint64_t capacity, const DeviceMemory& before);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Returns 0 if there is no space. `bytes` 0 takes the space of one byte. Contents are zero.
  Address allocate(std::uint64_t bytes, std::uint64_t alignment = kAlignment, std::string name = {});
  // For a pool, which has charged the memory (charge()); `open_to`: bit i: kernels of GPU i may access it.
  Address allocate_of_pool(std::uint64_t bytes, std::uint32_t open_to);
  // Managed memory. Only if has_managed().
  Address allocate_managed(std::uint64_t bytes, std::uint64_t alignment = kAlignment, std::string name = {});
  // Before the first managed memory: it moves to where it is used, so that it takes no memory of a GPU and may be more
  // than a GPU has; the host program accesses it by a mapping of its own.
  void let_managed_move(bool moves, bool own_mapping);
  // The emulator's bytes at an address of managed memory, allocated or not; null if there is no managed memory.
  std::byte* managed_bytes(Address address) const;
  // Whether the address space of managed memory is free in this process.
  bool has_managed();
  // Returns false if no allocation begins there.
  bool release(Address begin);
  // Whether kernels of the other GPU may access what is allocated here, now and later.
  void open_to(std::uint32_t gpu, bool open);
  // The same for one allocation. Returns false if none begins there.
  bool open_allocation(Address begin, std::uint32_t gpu, bool open);
  bool is_open_to(std::uint32_t gpu) const { return (open_to_ >> gpu & 1U) != 0; }
  // `changed` is told of each allocation and release of any GPU, and of memory of the host.
  void watch(std::function<void(const Allocation& allocation, bool exists)> changed) {
    space_->changed = std::move(changed);
  }
  // The number of the GPU, in the order in which the memories were made.
  std::uint32_t gpu() const { return gpu_; }

  // Sharing with other processes (device_memory_sharing.cc). What another process needs to map an allocation:
  struct ExportedPages {
    int descriptor = -1;       // of a file that holds its bytes, as long as this memory exists
    std::uint64_t offset = 0;  // of its first byte in the file
    std::uint64_t bytes = 0;
  };
  // An allocation of this GPU, which exists. Throws std::bad_alloc.
  ExportedPages export_allocation(Address begin);
  // Makes bytes of another process an allocation of this GPU. Returns 0 if there is no space, or if they cannot be
  // mapped.
  Address import_allocation(const SharedPages& pages, std::uint64_t offset, std::uint64_t bytes);
  // Whether other processes may read and write some of the memory.
  bool is_shared() const { return space_->is_shared; }
  void note_shared() { space_->is_shared = true; }

  // Memory of the host that kernels may access at its own address. Returns false if it overlaps an allocation.
  // `open_to`: as of pools.
  bool register_host(void* begin, std::uint64_t bytes, std::uint32_t open_to = AddressSpace::kAllGpus);

  // The allocation that holds the byte, or null; also one of another GPU.
  const Allocation* find(Address byte) const { return space_->find(byte); }
  // Whether kernels of this GPU may access it, or write it.
  bool reaches(const Allocation& allocation, bool writes = false) const {
    return ((allocation.open_to & (writes ? ~allocation.read_only_to : ~0U)) >> gpu_ & 1U) != 0;
  }
  // The end of what kernels of this GPU may access from there on (AddressSpace::end_of_run).
  Address end_of_run(const Allocation& allocation, bool writes) const {
    return space_->end_of_run(allocation, std::uint32_t{1} << gpu_, writes);
  }
  // The allocation nearest to a byte that is in none, for messages; null if there are none.
  const Allocation* nearest(Address byte) const { return space_->nearest(byte); }
  // The freed range that holds the byte and was not reused, or null.
  const FreedMemory::Range* freed(Address byte) const { return space_->freed.find(byte); }
  // The host's pointer to a range inside one allocation, or inside of neighbours that the program has mapped; or null.
  std::byte* host(Address begin, std::uint64_t bytes) const;

  // The host's pointer to bytes of this GPU's memory, allocated or not, in pages that a GPU would have mapped: those of
  // 2 MiB that hold a part of an allocation. Null if they are not.
  std::byte* mapped_bytes(Address begin, std::uint64_t bytes) const;
  static constexpr std::uint64_t kMappedPage = std::uint64_t{1} << 21U;

  // Whether it is a device address, allocated or not, and so not an address of the host.
  bool is_device_address(Address address) const;
  // The addresses that the host cannot access, of all GPUs; empty if they could not be reserved in this process.
  struct Reserved {
    Address begin = 0;
    std::uint64_t bytes = 0;
  };
  Reserved reserved() const;
  // The addresses of managed memory, also before there is any.
  static Reserved managed_addresses();
  // Those that can be used; empty if there is none. The host cannot access freed ranges of it.
  Reserved managed() const;
  // Freed memory that is not reused yet, in bytes.
  void set_quarantine(std::uint64_t bytes);
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }
  // Memory in use that is no allocation here: what programs map themselves, and pools. False: there is not enough.
  bool charge(std::uint64_t bytes);
  void discharge(std::uint64_t bytes) { used_ -= bytes; }
  // What the program maps itself, on all GPUs, and the space that its memory belongs to.
  MappedMemory& mapped() { return space_->mapped; }
  const MappedMemory& mapped() const { return space_->mapped; }
  const std::shared_ptr<AddressSpace>& space() const { return space_; }
  // Changes with every allocation and release: earlier results of find() may be invalid.
  std::uint64_t generation() const { return space_->generation; }

  static constexpr std::uint64_t kAlignment = 512;

 private:
  // Of an allocation with its gap. Managed ones have pages of their own.
  static std::uint64_t room_for(std::uint64_t bytes, bool managed);
  Address place(MemoryArena& arena, std::uint64_t bytes, std::uint64_t alignment, bool variable);
  Address add(MemoryArena& arena, std::uint64_t bytes, std::uint64_t alignment, std::string name);
  std::optional<Address> take(MemoryArena& arena, std::uint64_t bytes, std::uint64_t alignment, bool variable);
  void give_back(const FreedMemory::Range& range);
  void use_again(const FreedMemory::Range& range);
  bool is_own(const MemoryArena& arena) const { return &arena == &device_; }
  void end_import(const Allocation& allocation);

  std::shared_ptr<AddressSpace> space_;
  std::uint32_t gpu_ = 0;
  std::uint32_t open_to_ = 0;  // bit i: GPU i

  Placement kind_;
  std::uint64_t capacity_;
  MemoryArena device_;
  std::optional<ArenaSharing> sharing_;       // of device_; none: nothing was exported
  std::optional<DriverPlacement> placement_;  // of device_, with Placement::kAsDriver
  std::uint64_t used_ = 0;
};

}  // namespace warpsim
