#include "emulator/device_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

namespace warpsim {

namespace {

constexpr Address kArenaBegin = 0x7000'0000'0000;  // where neither programs nor libraries are loaded
constexpr std::uint64_t kGap = 512;
constexpr std::uint64_t kPage = 4096;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

DeviceMemory::DeviceMemory(std::uint64_t capacity) : capacity_(capacity), reserved_(round_up(capacity, kPage)) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is the point
  void* const wanted = reinterpret_cast<void*>(kArenaBegin);
  void* mapped = mmap(wanted, reserved_, PROT_READ | PROT_WRITE, kFlags | MAP_FIXED_NOREPLACE, -1, 0);
  identical_ = mapped == wanted;
  if (mapped != MAP_FAILED && !identical_) {
    munmap(mapped, reserved_);  // a kernel that does not know MAP_FIXED_NOREPLACE takes it as a hint
    mapped = MAP_FAILED;
  }
  if (mapped == MAP_FAILED) {
    mapped = mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  }
  if (mapped == MAP_FAILED) {
    throw std::bad_alloc();
  }
  arena_ = static_cast<std::byte*>(mapped);
  holes_.emplace(kArenaBegin, reserved_);
}

DeviceMemory::~DeviceMemory() {
  munmap(arena_, reserved_);
}

Address DeviceMemory::allocate(std::uint64_t bytes, std::uint64_t alignment, std::string name) {
  if (bytes > capacity_) {
    return 0;
  }
  alignment = std::max(alignment, kAlignment);
  const std::uint64_t wanted = round_up(std::max<std::uint64_t>(bytes, 1), kAlignment) + kGap;
  for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
    const auto [begin, length] = *hole;
    const Address aligned = round_up(begin, alignment);
    if (aligned - begin > length || length - (aligned - begin) < wanted) {
      continue;
    }
    holes_.erase(hole);
    if (aligned != begin) {
      holes_.emplace(begin, aligned - begin);
    }
    if (const std::uint64_t rest = length - (aligned - begin) - wanted; rest != 0) {
      holes_.emplace(aligned + wanted, rest);
    }
    allocations_[aligned] = {aligned, bytes, arena_ + (aligned - kArenaBegin), false, std::move(name)};
    used_ += bytes;
    ++generation_;
    return aligned;
  }
  return 0;
}

bool DeviceMemory::release(Address begin) {
  const auto found = allocations_.find(begin);
  if (found == allocations_.end()) {
    return false;
  }
  const Allocation allocation = found->second;
  allocations_.erase(found);
  ++generation_;
  if (allocation.registered) {
    return true;
  }
  used_ -= allocation.bytes;
  std::uint64_t length = round_up(std::max<std::uint64_t>(allocation.bytes, 1), kAlignment) + kGap;
  // The next owner finds zeros, as the first did. Whole pages go back to the system.
  std::byte* const first_page = arena_ + round_up(static_cast<std::uint64_t>(allocation.host - arena_), kPage);
  std::byte* const end = allocation.host + allocation.bytes;
  if (end - first_page >= static_cast<std::ptrdiff_t>(kPage)) {
    const auto whole = static_cast<std::uint64_t>(end - first_page) / kPage * kPage;
    std::fill(allocation.host, first_page, std::byte{0});
    std::fill(first_page + whole, end, std::byte{0});
    madvise(first_page, whole, MADV_DONTNEED);
  } else {
    std::fill(allocation.host, end, std::byte{0});
  }
  // Joins the hole with its neighbours.
  auto next = holes_.lower_bound(begin);
  if (next != holes_.end() && next->first == begin + length) {
    length += next->second;
    next = holes_.erase(next);
  }
  if (next != holes_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == begin) {
      before->second += length;
      return true;
    }
  }
  holes_.emplace(begin, length);
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
  allocations_[address] = {address, bytes, static_cast<std::byte*>(begin), true, {}};
  ++generation_;
  return true;
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
