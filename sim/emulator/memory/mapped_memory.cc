#include "emulator/memory/mapped_memory.h"

#include <iterator>

#include "emulator/memory/address_space.h"

namespace warpsim {

bool MappedMemory::map(Address begin, const std::shared_ptr<PhysicalMemory>& memory, std::uint64_t handle) {
  const ReservedRanges::Range& range = *ranges_.find(begin);
  if (!ReservedRanges::put(range, begin, memory->pages(), memory->bytes())) {
    return false;
  }
  mappings_[begin] = {.begin = begin, .bytes = memory->bytes(), .memory = memory, .handle = handle};
  AddressSpace::Allocation& allocation = space_.allocations[begin];
  allocation = {.begin = begin,
                .bytes = memory->bytes(),
                .host = range.host(begin),
                .registered = memory->of_host(),
                .mapped = true,
                .gpu = memory->of_host() ? 0 : memory->home().gpu,
                .open_to = 0};
  space_.note_begin(allocation);
  return true;
}

void MappedMemory::unmap(Address begin) {
  const auto found = mappings_.find(begin);
  const auto allocation = space_.allocations.find(begin);
  const AddressSpace::Allocation gone = allocation->second;
  space_.allocations.erase(allocation);
  space_.note_end(gone);
  ReservedRanges::take(*ranges_.find(begin), begin, found->second.bytes);
  mappings_.erase(found);
}

const MappedMemory::Mapping* MappedMemory::find(Address byte) const {
  const auto next = mappings_.upper_bound(byte);
  if (next == mappings_.begin()) {
    return nullptr;
  }
  const Mapping& mapping = std::prev(next)->second;
  return byte < mapping.end() ? &mapping : nullptr;
}

std::vector<const MappedMemory::Mapping*> MappedMemory::in(Address begin, std::uint64_t bytes) const {
  std::vector<const Mapping*> found;
  if (const Mapping* const first = find(begin); first != nullptr && first->begin < begin) {
    found.push_back(first);
  }
  for (auto next = mappings_.lower_bound(begin); next != mappings_.end() && next->first - begin < bytes; ++next) {
    found.push_back(&next->second);
  }
  return found;
}

bool MappedMemory::is_whole(Address begin, std::uint64_t bytes) const {
  Address next = begin;
  for (const Mapping* const mapping : in(begin, bytes)) {
    if (mapping->begin != next) {
      return false;
    }
    next = mapping->end();
  }
  return next == begin + bytes && next != begin;
}

void MappedMemory::open_to_gpu(Address begin, std::uint32_t gpu, Access access) {
  AddressSpace::Allocation& allocation = space_.allocations.at(begin);
  const std::uint32_t bit = std::uint32_t{1} << gpu;
  allocation.open_to = access == Access::kNone ? allocation.open_to & ~bit : allocation.open_to | bit;
  allocation.read_only_to = access == Access::kRead ? allocation.read_only_to | bit : allocation.read_only_to & ~bit;
  ++space_.generation;
}

MappedMemory::Access MappedMemory::access_of_gpu(Address begin, std::uint32_t gpu) const {
  const AddressSpace::Allocation& allocation = space_.allocations.at(begin);
  if ((allocation.open_to >> gpu & 1U) == 0) {
    return Access::kNone;
  }
  return (allocation.read_only_to >> gpu & 1U) != 0 ? Access::kRead : Access::kReadWrite;
}

bool MappedMemory::open_to_host(Address begin, Access access, bool stated) {
  Mapping& mapping = mappings_.at(begin);
  if (!ReservedRanges::open(begin, mapping.memory->pages(), mapping.bytes, access)) {
    return false;
  }
  mapping.host = access;
  mapping.host_stated = mapping.host_stated || stated;
  return true;
}

void MappedMemory::open_to_numa_node(Address begin, Access access) {
  mappings_.at(begin).numa_node = access;
}

}  // namespace warpsim
