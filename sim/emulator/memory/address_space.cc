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

}  // namespace warpsim
