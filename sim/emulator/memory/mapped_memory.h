// Memory that a program maps itself into ranges of addresses that it has reserved (virtual memory management).
//
// Modelled: one memory at several places; access of each GPU, and of the host to its own memory, which a mapping does
// not have at first; ranges over several mappings. Not modelled: that mappings of one memory share lines of caches:
// each address has lines of its own. In a kernel, a store through one mapping is seen through another one when SMs
// exchange their effects (memory_view.h); CUDA promises no more without fence.proxy.alias. State: reserved ranges and
// the mappings in them, which are allocations of the address space while they exist. Invariant: a mapping lies in one
// range, and mappings do not overlap. Callers check what they ask for.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/types.h"
#include "emulator/memory/physical_memory.h"
#include "emulator/memory/reserved_ranges.h"

namespace warpsim {

class MappedMemory {
 public:
  using Access = ReservedRanges::Access;
  struct Mapping {
    Address begin = 0;
    std::uint64_t bytes = 0;
    std::shared_ptr<PhysicalMemory> memory = {};
    std::uint64_t handle = 0;  // by which it was mapped, for the caller
    Access host = Access::kNone;
    bool host_stated = false;
    Access numa_node = Access::kNone;  // as the program has set it for the host's node
    Address end() const { return begin + bytes; }
  };

  // Part of the address space.
  explicit MappedMemory(AddressSpace& space) : space_(space) {}

  ReservedRanges& ranges() { return ranges_; }
  const ReservedRanges& ranges() const { return ranges_; }

  // The whole memory at an address of a reserved range where nothing is mapped. Returns false if the host does not
  // allow it.
  bool map(Address begin, const std::shared_ptr<PhysicalMemory>& memory, std::uint64_t handle);
  void unmap(Address begin);
  // The mapping that holds the byte, or null.
  const Mapping* find(Address byte) const;
  // All mappings of which a byte is in the range, by address.
  std::vector<const Mapping*> in(Address begin, std::uint64_t bytes) const;
  // The range consists of whole mappings, without gaps.
  bool is_whole(Address begin, std::uint64_t bytes) const;

  // What kernels of a GPU may do with a mapping.
  void open_to_gpu(Address begin, std::uint32_t gpu, Access access);
  Access access_of_gpu(Address begin, std::uint32_t gpu) const;
  // The same for the host program, to memory of the host. `stated`: the program wants it so. Returns false if the host
  // does not allow it.
  bool open_to_host(Address begin, Access access, bool stated);
  void open_to_numa_node(Address begin, Access access);

 private:
  AddressSpace& space_;
  ReservedRanges ranges_;
  std::map<Address, Mapping> mappings_;  // by begin
};

}  // namespace warpsim
