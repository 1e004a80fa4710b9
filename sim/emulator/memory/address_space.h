// The address space of a process, which the memories of its GPUs and managed memory share: what is allocated where.
//
// State: allocations, freed ranges that are not reused yet, the managed memory. Invariant: allocations do not overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/types.h"
#include "emulator/memory/closed_pages.h"
#include "emulator/memory/freed_memory.h"
#include "emulator/memory/mapped_memory.h"
#include "emulator/memory/memory_arena.h"
#include "emulator/memory/physical_memory.h"

namespace warpsim {

class DeviceMemory;

struct AddressSpace {
  static constexpr std::uint32_t kAllGpus = 0xffffffffU;
  // With other processes.
  enum class Sharing : std::uint8_t {
    kNone,
    kExported,  // others may map it
    kImported,  // it is memory of another process
  };
  struct Allocation {
    Address begin = 0;
    std::uint64_t bytes = 0;
    std::byte* host = nullptr;
    bool registered = false;           // memory of the host, not of the device
    std::string name = {};             // of a variable of a module; empty: allocated by the program
    bool managed = false;              // the host may access it at its address
    bool mapped = false;               // by the program (mapped_memory.h)
    std::uint32_t gpu = 0;             // that it was allocated on
    bool pooled = false;               // of a pool, which has an access of its own and is counted as a whole
    std::uint32_t open_to = kAllGpus;  // bit i: kernels of GPU i may access it
    Sharing sharing = Sharing::kNone;
    std::uint32_t read_only_to = 0;  // bit i: those of GPU i may not write it
    std::uint64_t number = 0;        // of this one alone, also after its end
    Address end() const { return begin + bytes; }
  };

  // The allocation that holds the byte, or null.
  const Allocation* find(Address byte) const;
  // The allocation nearest to a byte that is in none; null if there are none.
  const Allocation* nearest(Address byte) const;
  bool overlaps(Address begin, std::uint64_t bytes) const;
  // The end of the bytes that follow an allocation without a gap, also in the host's memory: of memory that the program
  // has mapped also that of its neighbours, if kernels of one of the GPUs (bit i: GPU i) may access them; 0: whoever.
  Address end_of_run(const Allocation& allocation, std::uint32_t gpus, bool writes) const;
  // The begin of an allocation in `allocations`, which gets its number, and the end of one.
  void note_begin(Allocation& allocation);
  void note_end(const Allocation& allocation);

  std::map<Address, Allocation> allocations = {};  // by begin
  FreedMemory freed = {};
  ClosedPages closed = {};                    // of managed memory
  std::unique_ptr<MemoryArena> managed = {};  // null until it is requested
  // Managed memory is where it is used: it takes no memory of the GPU that allocates it, and may be more than that.
  bool managed_moves = false;
  bool managed_is_shared = false;            // the host program and the emulator have mappings of their own
  std::vector<DeviceMemory*> memories = {};  // by GPU
  // Told of each allocation and release; may be empty.
  std::function<void(const Allocation& allocation, bool exists)> changed = {};
  std::uint64_t generation = 0;  // changes with every allocation, release and change of access
  bool is_shared = false;        // some memory was exported or imported: other processes may read and write it
  // Known here, by identity.
  std::map<PhysicalMemory::Identity, std::weak_ptr<PhysicalMemory>> physical = {};
  MappedMemory mapped{*this};
};

}  // namespace warpsim
