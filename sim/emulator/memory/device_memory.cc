#include "emulator/memory/device_memory.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/round_up.h"

namespace warpsim {

namespace {

// Like kUsualBegin.
constexpr Address kManagedBegin = 0x6800'0000'0000;
constexpr std::uint64_t kMovingManagedBytes = std::uint64_t{1} << 40U;  // more than a host has
constexpr std::uint64_t kGap = 512;
constexpr std::uint32_t kMostGpus = 32;  // a bit for each

// The driver moves managed memory by regions of these sizes; large allocations begin with one (tests/hardware/managed:
// the accesses that fault).
std::uint64_t managed_alignment(std::uint64_t bytes) {
  constexpr std::uint64_t kPiece = std::uint64_t{64} << 10U;
  constexpr std::uint64_t kBlock = std::uint64_t{2} << 20U;
  return bytes >= kBlock ? kBlock : bytes >= kPiece ? kPiece : MemoryArena::kPage;
}

}  // namespace

DeviceMemory::DeviceMemory(std::uint64_t capacity, Placement placement, Address begin)
    : space_(std::make_shared<AddressSpace>()),
      open_to_(1U),
      kind_(placement),
      capacity_(capacity),
      device_(begin, capacity, MemoryArena::HostAccess::kNone) {
  space_->memories.push_back(this);
  if (placement == Placement::kAsDriver) {
    placement_.emplace(begin, capacity);
  }
}

DeviceMemory::DeviceMemory(std::uint64_t capacity, const DeviceMemory& before)
    : space_(before.space_),
      gpu_(static_cast<std::uint32_t>(space_->memories.size())),
      open_to_(std::uint32_t{1} << gpu_),
      kind_(before.kind_),
      capacity_(capacity),
      device_(round_up(before.device_.begin() + before.device_.bytes(), DriverPlacement::kSegment), capacity,
              MemoryArena::HostAccess::kNone) {
  SIM_CHECK(gpu_ < kMostGpus && before.gpu_ + 1 == gpu_, "the memory of a GPU follows that of the last one");
  space_->memories.push_back(this);
  if (kind_ == Placement::kAsDriver) {
    placement_.emplace(device_.begin(), capacity);
  }
}

DeviceMemory::~DeviceMemory() {
  space_->memories[gpu_] = nullptr;
}

std::uint64_t DeviceMemory::room_for(std::uint64_t bytes, bool managed) {
  constexpr std::uint64_t kPage = MemoryArena::kPage;
  const std::uint64_t room = round_up(std::max<std::uint64_t>(bytes, 1), kAlignment) + kGap;
  return managed ? round_up(room, kPage) : room;
}

bool DeviceMemory::has_managed() {
  if (space_->managed == nullptr) {
    const auto access = space_->managed_is_shared ? MemoryArena::HostAccess::kShared : MemoryArena::HostAccess::kDirect;
    const std::uint64_t bytes = space_->managed_moves ? kMovingManagedBytes : capacity_;
    space_->managed = std::make_unique<MemoryArena>(kManagedBegin, bytes, access);
  }
  return space_->managed->at_its_place();
}

Address DeviceMemory::allocate(std::uint64_t bytes, std::uint64_t alignment, std::string name) {
  return add(device_, bytes, alignment, std::move(name));
}

Address DeviceMemory::allocate_of_pool(std::uint64_t bytes, std::uint32_t open_to) {
  const Address begin = place(device_, bytes, kAlignment, false);
  if (begin != 0) {
    Allocation& allocation = space_->allocations[begin];
    allocation = {
        .begin = begin, .bytes = bytes, .host = device_.host(begin), .gpu = gpu_, .pooled = true, .open_to = open_to};
    space_->note_begin(allocation);
  }
  return begin;
}

Address DeviceMemory::allocate_managed(std::uint64_t bytes, std::uint64_t alignment, std::string name) {
  return has_managed() ? add(*space_->managed, bytes, alignment, std::move(name)) : 0;
}

Address DeviceMemory::add(MemoryArena& arena, std::uint64_t bytes, std::uint64_t alignment, std::string name) {
  const bool managed = !is_own(arena);
  const bool moves = managed && space_->managed_moves;
  if (!moves && bytes > capacity_ - used_) {
    return 0;
  }
  const std::uint64_t least = managed ? managed_alignment(bytes) : kAlignment;
  const Address begin = place(arena, bytes, std::max(alignment, least), !name.empty());
  if (begin == 0) {
    return 0;
  }
  space_->allocations[begin] = {.begin = begin,
                                .bytes = bytes,
                                .host = arena.host(begin),
                                .name = std::move(name),
                                .managed = managed,
                                .gpu = gpu_,
                                .open_to = managed ? AddressSpace::kAllGpus : open_to_};
  used_ += moves ? 0 : bytes;
  space_->note_begin(space_->allocations[begin]);
  return begin;
}

bool DeviceMemory::charge(std::uint64_t bytes) {
  if (bytes > capacity_ - used_) {
    return false;
  }
  used_ += bytes;
  return true;
}

void DeviceMemory::open_to(std::uint32_t gpu, bool open) {
  const std::uint32_t bit = std::uint32_t{1} << gpu;
  open_to_ = open ? open_to_ | bit : open_to_ & ~bit;
  for (auto& [begin, allocation] : space_->allocations) {
    const bool other = allocation.pooled || allocation.registered || allocation.managed || allocation.mapped;
    if (allocation.gpu == gpu_ && !other) {
      allocation.open_to = open ? allocation.open_to | bit : allocation.open_to & ~bit;
    }
  }
  ++space_->generation;
}

bool DeviceMemory::open_allocation(Address begin, std::uint32_t gpu, bool open) {
  const auto found = space_->allocations.find(begin);
  if (found == space_->allocations.end()) {
    return false;
  }
  const std::uint32_t bit = std::uint32_t{1} << gpu;
  std::uint32_t& bits = found->second.open_to;
  bits = open ? bits | bit : bits & ~bit;
  ++space_->generation;
  return true;
}

// Freed memory is reused only if there is no other space.
Address DeviceMemory::place(MemoryArena& arena, std::uint64_t bytes, std::uint64_t alignment, bool variable) {
  if (const auto taken = take(arena, bytes, alignment, variable)) {
    return *taken;
  }
  const bool by_driver = is_own(arena) && placement_;
  while (const auto oldest = space_->freed.take_oldest()) {
    use_again(*oldest);
    const bool elsewhere = !arena.contains(oldest->begin);
    const auto taken = by_driver   ? take(arena, bytes, alignment, variable)
                       : elsewhere ? std::nullopt
                                   : arena.take_around(oldest->begin, room_for(bytes, !is_own(arena)), alignment);
    if (taken) {
      return *taken;
    }
  }
  return 0;
}

std::optional<Address> DeviceMemory::take(MemoryArena& arena, std::uint64_t bytes, std::uint64_t alignment,
                                          bool variable) {
  if (!is_own(arena) || !placement_) {
    return arena.take(room_for(bytes, !is_own(arena)), alignment);
  }
  return variable ? placement_->take_for_variable(bytes, alignment) : placement_->take(bytes, alignment);
}

// Of this GPU.
void DeviceMemory::give_back(const FreedMemory::Range& range) {
  if (placement_) {
    placement_->give_back(range.begin, range.bytes);
  } else {
    device_.give_back(range.begin, range.room);
  }
}

void DeviceMemory::use_again(const FreedMemory::Range& range) {
  if (range.room == 0) {
    return;
  }
  if (space_->managed != nullptr && space_->managed->contains(range.begin)) {
    space_->closed.open(*space_->managed, range.begin);
    space_->managed->give_back(range.begin, range.room);
    return;
  }
  for (DeviceMemory* const memory : space_->memories) {
    if (memory != nullptr && memory->device_.contains(range.begin)) {
      memory->give_back(range);
    }
  }
}

void DeviceMemory::set_quarantine(std::uint64_t bytes) {
  space_->freed.set_limit(bytes);
}

bool DeviceMemory::release(Address begin) {
  const auto found = space_->allocations.find(begin);
  if (found == space_->allocations.end()) {
    return false;
  }
  Allocation allocation = std::move(found->second);
  space_->allocations.erase(found);
  space_->note_end(allocation);
  if (allocation.sharing == AddressSpace::Sharing::kImported) {
    space_->memories[allocation.gpu]->end_import(allocation);
    return true;
  }
  const std::uint64_t room = allocation.registered ? 0 : room_for(allocation.bytes, allocation.managed);
  if (!allocation.registered) {
    DeviceMemory& owner = *space_->memories[allocation.gpu];
    const bool counts = !allocation.pooled && !(allocation.managed && space_->managed_moves);
    owner.used_ -= counts ? allocation.bytes : 0;
    MemoryArena& arena = allocation.managed ? *space_->managed : owner.device_;
    arena.clear(begin, allocation.bytes);  // the next owner finds zeros, like the first
    if (allocation.sharing == AddressSpace::Sharing::kExported) {
      owner.sharing_->clear(begin, allocation.bytes);
    }
  }
  space_->freed.add({begin, allocation.bytes, room, std::move(allocation.name)});
  while (space_->freed.is_over_limit()) {
    use_again(*space_->freed.take_oldest());
  }
  if (allocation.managed && space_->freed.find(begin) != nullptr) {
    space_->closed.close(*space_->managed, begin, allocation.bytes);
  }
  return true;
}

bool DeviceMemory::register_host(void* begin, std::uint64_t bytes, std::uint32_t open_to) {
  const auto address = reinterpret_cast<Address>(begin);
  if (bytes == 0 || address + bytes < address || space_->overlaps(address, bytes)) {
    return false;
  }
  space_->freed.forget(address, bytes);
  space_->allocations[address] = {
      .begin = address, .bytes = bytes, .host = static_cast<std::byte*>(begin), .registered = true, .open_to = open_to};
  space_->note_begin(space_->allocations[address]);
  return true;
}

std::byte* DeviceMemory::mapped_bytes(Address begin, std::uint64_t bytes) const {
  const auto is_mapped = [this](Address byte) {
    const Address page = byte / kMappedPage * kMappedPage;
    const auto next = space_->allocations.upper_bound(page + kMappedPage - 1);
    return device_.contains(byte) && next != space_->allocations.begin() && std::prev(next)->second.end() > page;
  };
  return is_mapped(begin) && is_mapped(begin + bytes - 1) ? device_.host(begin) : nullptr;
}

bool DeviceMemory::is_device_address(Address address) const {
  const auto holds = [address](const DeviceMemory* memory) {
    return memory != nullptr && memory->device_.contains(address) && memory->device_.at_its_place();
  };
  return std::ranges::any_of(space_->memories, holds) || space_->mapped.ranges().find(address) != nullptr ||
         (space_->managed != nullptr && space_->managed->contains(address) && space_->managed->at_its_place());
}

DeviceMemory::Reserved DeviceMemory::reserved() const {
  Reserved all;
  for (const DeviceMemory* const memory : space_->memories) {
    if (memory == nullptr || !memory->device_.at_its_place()) {
      return {};
    }
    all.begin = all.bytes == 0 ? memory->device_.begin() : all.begin;
    all.bytes = memory->device_.begin() + memory->device_.bytes() - all.begin;
  }
  return all;
}

void DeviceMemory::let_managed_move(bool moves, bool own_mapping) {
  SIM_CHECK(space_->managed == nullptr, "there is managed memory already");
  space_->managed_moves = moves;
  space_->managed_is_shared = own_mapping;
}

std::byte* DeviceMemory::managed_bytes(Address address) const {
  return space_->managed != nullptr && space_->managed->contains(address) ? space_->managed->host(address) : nullptr;
}

DeviceMemory::Reserved DeviceMemory::managed_addresses() {
  return {kManagedBegin, kMovingManagedBytes};
}

DeviceMemory::Reserved DeviceMemory::managed() const {
  const MemoryArena* const arena = space_->managed.get();
  return arena != nullptr && arena->at_its_place() ? Reserved{arena->begin(), arena->bytes()} : Reserved{};
}

std::byte* DeviceMemory::host(Address begin, std::uint64_t bytes) const {
  const Allocation* const allocation = find(begin);
  if (allocation == nullptr ||
      (bytes > allocation->end() - begin && bytes > space_->end_of_run(*allocation, 0, false) - begin)) {
    return nullptr;
  }
  return allocation->host + (begin - allocation->begin);
}

}  // namespace warpsim
