// CUDA's virtual memory management: handles of physical memory, reserved ranges of addresses, mappings and access.
//
// Modelled: what the driver's functions do and their errors, as the documentation states them and as an H100 with
// driver 580 answers (granularity 2 MiB; only a whole memory is mapped; a range to be unmapped may have gaps). Not
// modelled: compression, sparse arrays, multicast objects, handles of Windows and of fabrics.
// Evidence: cuda.h of CUDA 13, "Virtual Memory Management"; calls on an H100. Invariant: a handle exists while it has
// references or its memory is mapped.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "cuda/abi/virtual_memory_abi.h"
#include "cuda/context.h"
#include "emulator/memory/physical_memory.h"

namespace warpsim::cuda {

// A range of addresses as calls state it.
struct AddressRange {
  Address begin = 0;
  std::uint64_t bytes = 0;
};

class VirtualMemory {
 public:
  static constexpr std::uint64_t kGranularity = std::uint64_t{2} << 20U;

  // Physical memory. Fails with kInvalidValue, kInvalidDevice, kNotPermitted and kOutOfMemory.
  std::uint64_t create(Context& context, std::uint64_t bytes, const abi::AllocationProperties& properties);
  // The rest fails with kInvalidValue if the handle is none, and otherwise as stated.
  void release(std::uint64_t handle);
  // Of the mapping that holds the address; it has one reference more. kInvalidValue: nothing is mapped there.
  std::uint64_t retain(Context& context, Address address);
  const abi::AllocationProperties& properties(std::uint64_t handle) { return find(handle).properties; }
  // A new descriptor. kInvalidValue: it was not created to be shared.
  int share(std::uint64_t handle, int type);
  // Of this or another process. kUnknown: the descriptor is of something else.
  std::uint64_t import(Context& context, int descriptor, int type);
  // How the memory of a mapping can be shared: ShareableType.
  int handle_types(const MappedMemory::Mapping& mapping) const;
  // kNotSupported: not the whole memory. kInvalidValue: the range is not reserved, not aligned, or mapped.
  void map(Context& context, const AddressRange& range, std::uint64_t offset, std::uint64_t handle);

 private:
  struct Handle {
    std::shared_ptr<PhysicalMemory> memory = {};  // null without references
    std::weak_ptr<PhysicalMemory> mapped = {};    // the same
    abi::AllocationProperties properties = {};
    std::uint32_t references = 1;
  };
  std::uint64_t add(std::shared_ptr<PhysicalMemory> memory, const abi::AllocationProperties& properties);
  Handle& find(std::uint64_t handle);

  std::map<std::uint64_t, Handle> handles_;
  std::uint64_t next_ = 0;
};

// Fails with kInvalidValue and kOutOfMemory.
Address reserve_addresses(Context& context, std::uint64_t bytes, std::uint64_t alignment, Address wanted);
// kInvalidValue: it is not a whole reserved range, or something is mapped in it.
void free_addresses(Context& context, const AddressRange& range);
// After all work. kInvalidValue: the range is not reserved, or is a part of a mapping.
void unmap(Context& context, const AddressRange& range);
// After all work. kInvalidValue: the range does not consist of whole mappings, or an access does not exist.
// kNotSupported: access of the host to memory of a GPU. kInvalidDevice: GPUs without a link.
void set_access(Context& context, const AddressRange& range, const abi::AccessDescription* descriptions,
                std::size_t count);
// AccessFlags. Fails with kInvalidValue and kInvalidDevice.
int access_of(Context& context, Address address, const abi::MemoryLocation& location);

// Copies and fills need access of the current GPU, or of that which has the memory. Nothing happens for memory that the
// program has not mapped itself; else fails with kInvalidValue.
void require_access(Context& context, Address begin, std::uint64_t bytes, bool writes);

}  // namespace warpsim::cuda
