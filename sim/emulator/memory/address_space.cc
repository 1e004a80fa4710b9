#include "emulator/memory/address_space.h"

#include <iterator>

namespace warpsim {

const AddressSpace::Allocation* AddressSpace::find(Address byte) const {
  const auto next = allocations.upper_bound(byte);
  if (next == allocations.begin()) {
    return nullptr;
  }
  const Allocation& allocation = std::prev(next)->second;
  return byte < allocation.end() ? &allocation : nullptr;
}

const AddressSpace::Allocation* AddressSpace::nearest(Address byte) const {
  if (const Allocation* const inside = find(byte); inside != nullptr || allocations.empty()) {
    return inside;
  }
  const auto next = allocations.upper_bound(byte);
  if (next == allocations.begin()) {
    return &next->second;
  }
  const auto before = std::prev(next);
  if (next == allocations.end()) {
    return &before->second;
  }
  return byte - before->second.end() <= next->first - byte ? &before->second : &next->second;
}

bool AddressSpace::overlaps(Address begin, std::uint64_t bytes) const {
  const auto next = allocations.lower_bound(begin);
  return (next != allocations.end() && next->first < begin + bytes) ||
         (next != allocations.begin() && std::prev(next)->second.end() > begin);
}

Address AddressSpace::end_of_run(const Allocation& allocation, std::uint32_t gpus, bool writes) const {
  const auto is_open = [&](const Allocation& part) {
    return gpus == 0 || (part.open_to & (writes ? ~part.read_only_to : ~0U) & gpus) != 0;
  };
  Address end = allocation.end();
  const std::byte* host = allocation.host + allocation.bytes;
  for (auto next = allocations.find(end); allocation.mapped && next != allocations.end();
       next = allocations.find(end)) {
    const Allocation& part = next->second;
    if (!part.mapped || part.host != host || !is_open(part)) {
      break;
    }
    end = part.end();
    host += part.bytes;
  }
  return end;
}

void AddressSpace::note_begin(Allocation& allocation) {
  allocation.number = ++generation;
  if (changed) {
    changed(allocation, true);
  }
}

void AddressSpace::note_end(const Allocation& allocation) {
  ++generation;
  if (changed) {
    changed(allocation, false);
  }
}

}  // namespace warpsim
