#include "emulator/memory/device_memory.h"

#include <algorithm>
#include <utility>

namespace warpsim {

namespace {

// Like kUsualBegin.
constexpr Address kManagedBegin = 0x6800'0000'0000;
constexpr std::uint64_t kGap = 512;

// An allocation with its gap. Managed ones have pages of their own.
std::uint64_t room_for(std::uint64_t bytes, bool managed) {
  constexpr std::uint64_t kUnit = DeviceMemory::kAlignment;
  constexpr std::uint64_t kPage = MemoryArena::kPage;
  const std::uint64_t room = (std::max<std::uint64_t>(bytes, 1) + kUnit - 1) / kUnit * kUnit + kGap;
  return managed ? (room + kPage - 1) / kPage * kPage : room;
}

}  // namespace

DeviceMemory::DeviceMemory(std::uint64_t capacity, Placement placement, Address begin)
    : capacity_(capacity), device_(begin, capacity, MemoryArena::HostAccess::kNone) {
  if (placement == Placement::kAsDriver) {
    placement_.emplace(begin, capacity);
  }
}

bool DeviceMemory::has_managed() {
  if (managed_ == nullptr) {
    managed_ = std::make_unique<MemoryArena>(kManagedBegin, capacity_, MemoryArena::HostAccess::kDirect);
  }
  return managed_->at_its_place();
}

MemoryArena* DeviceMemory::arena_of(Address address) {
  return device_.contains(address)                            ? &device_
         : managed_ != nullptr && managed_->contains(address) ? managed_.get()
                                                              : nullptr;
}

Address DeviceMemory::allocate(std::uint64_t bytes, std::uint64_t alignment, std::string name) {
  return add(device_, bytes, alignment, std::move(name));
}

Address DeviceMemory::allocate_managed(std::uint64_t bytes, std::uint64_t alignment, std::string name) {
  return has_managed() ? add(*managed_, bytes, alignment, std::move(name)) : 0;
}

Address DeviceMemory::add(MemoryArena& arena, std::uint64_t bytes, std::uint64_t alignment, std::string name) {
  if (bytes > capacity_ - used_) {
    return 0;
  }
  const bool managed = &arena != &device_;
  const Address begin =
      place(arena, bytes, std::max(alignment, managed ? MemoryArena::kPage : kAlignment), !name.empty());
  if (begin == 0) {
    return 0;
  }
  allocations_[begin] = {begin, bytes, arena.host(begin), false, std::move(name), managed};
  used_ += bytes;
  ++generation_;
  return begin;
}

// Freed memory is reused only if there is no other space.
Address DeviceMemory::place(MemoryArena& arena, std::uint64_t bytes, std::uint64_t alignment, bool variable) {
  if (const auto taken = take(arena, bytes, alignment, variable)) {
    return *taken;
  }
  const bool by_driver = &arena == &device_ && placement_;
  while (const auto oldest = freed_.take_oldest()) {
    use_again(*oldest);
    const auto taken = by_driver ? take(arena, bytes, alignment, variable)
                                 : arena.take_around(oldest->begin, room_for(bytes, &arena != &device_), alignment);
    if (taken) {
      return *taken;
    }
  }
  return 0;
}

std::optional<Address> DeviceMemory::take(MemoryArena& arena, std::uint64_t bytes, std::uint64_t alignment,
                                          bool variable) {
  if (&arena != &device_ || !placement_) {
    return arena.take(room_for(bytes, &arena != &device_), alignment);
  }
  return variable ? placement_->take_for_variable(bytes, alignment) : placement_->take(bytes, alignment);
}

void DeviceMemory::use_again(const FreedMemory::Range& range) {
  if (range.room != 0) {
    MemoryArena& arena = *arena_of(range.begin);
    closed_.open(arena, range.begin);
    if (&arena == &device_ && placement_) {
      placement_->give_back(range.begin, range.bytes);
    } else {
      arena.give_back(range.begin, range.room);
    }
  }
}

void DeviceMemory::set_quarantine(std::uint64_t bytes) {
  freed_.set_limit(bytes);
}

bool DeviceMemory::release(Address begin) {
  const auto found = allocations_.find(begin);
  if (found == allocations_.end()) {
    return false;
  }
  Allocation allocation = std::move(found->second);
  allocations_.erase(found);
  ++generation_;
  const std::uint64_t room = allocation.registered ? 0 : room_for(allocation.bytes, allocation.managed);
  if (!allocation.registered) {
    used_ -= allocation.bytes;
    arena_of(begin)->clear(begin, allocation.bytes);  // the next owner finds zeros, like the first
  }
  freed_.add({begin, allocation.bytes, room, std::move(allocation.name)});
  while (freed_.is_over_limit()) {
    use_again(*freed_.take_oldest());
  }
  if (allocation.managed && freed_.find(begin) != nullptr) {
    closed_.close(*managed_, begin, allocation.bytes);
  }
  return true;
}

bool DeviceMemory::register_host(void* begin, std::uint64_t bytes) {
  const auto address = reinterpret_cast<Address>(begin);
  if (bytes == 0 || address + bytes < address) {
    return false;
  }
  const auto next = allocations_.lower_bound(address);
  if (next != allocations_.end() && next->first < address + bytes) {
    return false;
  }
  if (next != allocations_.begin() && std::prev(next)->second.end() > address) {
    return false;
  }
  freed_.forget(address, bytes);
  allocations_[address] = {address, bytes, static_cast<std::byte*>(begin), true, {}, false};
  ++generation_;
  return true;
}

bool DeviceMemory::is_device_address(Address address) const {
  return (device_.contains(address) && device_.at_its_place()) ||
         (managed_ != nullptr && managed_->contains(address) && managed_->at_its_place());
}

DeviceMemory::Reserved DeviceMemory::reserved() const {
  return device_.at_its_place() ? Reserved{device_.begin(), device_.bytes()} : Reserved{};
}

DeviceMemory::Reserved DeviceMemory::managed() const {
  return managed_ != nullptr && managed_->at_its_place() ? Reserved{managed_->begin(), managed_->bytes()} : Reserved{};
}

const DeviceMemory::Allocation* DeviceMemory::find(Address byte) const {
  const auto next = allocations_.upper_bound(byte);
  if (next == allocations_.begin()) {
    return nullptr;
  }
  const Allocation& allocation = std::prev(next)->second;
  return byte < allocation.end() ? &allocation : nullptr;
}

const DeviceMemory::Allocation* DeviceMemory::nearest(Address byte) const {
  if (const Allocation* const inside = find(byte); inside != nullptr || allocations_.empty()) {
    return inside;
  }
  const auto next = allocations_.upper_bound(byte);
  if (next == allocations_.begin()) {
    return &next->second;
  }
  const auto before = std::prev(next);
  if (next == allocations_.end()) {
    return &before->second;
  }
  return byte - before->second.end() <= next->first - byte ? &before->second : &next->second;
}

std::byte* DeviceMemory::host(Address begin, std::uint64_t bytes) const {
  const Allocation* const allocation = find(begin);
  if (allocation == nullptr || bytes > allocation->end() - begin) {
    return nullptr;
  }
  return allocation->host + (begin - allocation->begin);
}

}  // namespace warpsim
