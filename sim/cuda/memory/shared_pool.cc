#include "cuda/memory/shared_pool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "base/round_up.h"
#include "cuda/memory/virtual_memory.h"

namespace warpsim::cuda {

namespace {

constexpr std::uint64_t kPoolMark = 0x6c6f6f7073707277U;  // "wrpspool"
constexpr std::uint64_t kPoolPage = MemoryArena::kPage;

}  // namespace

struct SharedPool::Record {
  std::uint64_t mark = kPoolMark;
  std::uint64_t bytes = 0;
  std::uint64_t gpu = 0;
};

struct SharedPool::Pointer {
  std::uint64_t mark = kPoolMark;
  std::uint64_t device = 0;  // of the pool, as identity_
  std::uint64_t file = 0;
  Block block = {};
};

SharedPool::SharedPool(SharedPages pages, std::uint64_t bytes, std::uint32_t gpu)
    : pages_(std::move(pages)), bytes_(bytes), gpu_(gpu) {
  struct stat file = {};
  fstat(pages_.descriptor(), &file);
  identity_ = {file.st_dev, file.st_ino};
}

std::shared_ptr<SharedPool> SharedPool::create(std::uint64_t bytes, std::uint32_t gpu) {
  const std::uint64_t whole = round_up(bytes, kPoolPage);
  SharedPages pages(whole + kPoolPage);
  const Record record{kPoolMark, whole, gpu};
  if (pwrite(pages.descriptor(), &record, sizeof record, static_cast<off_t>(whole)) != sizeof record) {
    throw std::bad_alloc();
  }
  return std::shared_ptr<SharedPool>(new SharedPool(std::move(pages), whole, gpu));
}

std::shared_ptr<SharedPool> SharedPool::import(int descriptor) {
  struct stat file = {};
  constexpr auto kPage = static_cast<off_t>(kPoolPage);
  if (fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size <= kPage) {
    return nullptr;
  }
  Record record;
  const off_t end = file.st_size - kPage;
  if (pread(descriptor, &record, sizeof record, end) != sizeof record || record.mark != kPoolMark ||
      record.bytes != static_cast<std::uint64_t>(end)) {
    return nullptr;
  }
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) {
    throw std::bad_alloc();
  }
  return std::shared_ptr<SharedPool>(
      new SharedPool(SharedPages::of_descriptor(own), record.bytes, static_cast<std::uint32_t>(record.gpu)));
}

int SharedPool::share() const {
  return fcntl(pages_.descriptor(), F_DUPFD_CLOEXEC, 0);
}

abi::PoolPointer SharedPool::describe(const Block& block) const {
  static_assert(sizeof(Pointer) <= sizeof(abi::PoolPointer));
  const Pointer pointer{kPoolMark, identity_.first, identity_.second, block};
  abi::PoolPointer data = {};
  std::memcpy(data.bytes, &pointer, sizeof pointer);
  return data;
}

std::optional<SharedPool::Block> SharedPool::described(const abi::PoolPointer& data) const {
  Pointer pointer;
  std::memcpy(static_cast<void*>(&pointer), data.bytes, sizeof pointer);
  const bool inside = pointer.block.offset <= bytes_ && pointer.block.bytes <= bytes_ - pointer.block.offset;
  if (pointer.mark != kPoolMark || std::pair(pointer.device, pointer.file) != identity_ || !inside) {
    return std::nullopt;
  }
  return pointer.block;
}

// The pages of a block may hold the ends of its neighbours.
Address SharedPool::open(DeviceMemory& memory, const Block& block, std::uint32_t open_to) const {
  const std::uint64_t first = block.offset / kPoolPage * kPoolPage;
  const std::uint64_t bytes = round_up(block.offset + block.bytes, kPoolPage) - first;
  if (bytes > bytes_ || first > bytes_ - bytes) {
    return 0;
  }
  constexpr std::uint64_t kUnit = VirtualMemory::kGranularity;
  ReservedRanges& ranges = memory.mapped().ranges();
  const ReservedRanges::Range* const range = ranges.reserve(round_up(bytes, kUnit), kUnit, 0);
  if (range == nullptr) {
    return 0;
  }
  if (pages_.map(range->alias, first, bytes) == nullptr) {
    ranges.release(range->begin);
    return 0;
  }
  const Address begin = range->begin + (block.offset - first);
  AddressSpace& space = *memory.space();
  AddressSpace::Allocation& allocation = space.allocations[begin];
  allocation = {.begin = begin,
                .bytes = block.bytes,
                .host = range->host(begin),
                .gpu = memory.gpu(),
                .pooled = true,
                .open_to = open_to};
  space.note_begin(allocation);
  return begin;
}

void SharedPool::close(DeviceMemory& memory, Address begin) {
  AddressSpace& space = *memory.space();
  const auto found = space.allocations.find(begin);
  const AddressSpace::Allocation gone = found->second;
  space.allocations.erase(found);
  space.note_end(gone);
  ReservedRanges& ranges = memory.mapped().ranges();
  ranges.release(ranges.find(begin)->begin);
  space.freed.add({begin, gone.bytes, 0, gone.name});
}

void SharedPool::clear(const Block& block) const {
  const std::uint64_t first = round_up(block.offset, kPoolPage);
  const std::uint64_t end = (block.offset + block.bytes) / kPoolPage * kPoolPage;
  if (first < end) {
    pages_.clear(first, end - first);
  }
}

}  // namespace warpsim::cuda
