#include "emulator/memory/memory_arena.h"

#include "base/round_up.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace warpsim {

namespace {

constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

// Returns whether the range is mapped exactly there.
bool map_at(Address begin, std::uint64_t bytes, int protection) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is fixed on purpose
  void* const wanted = reinterpret_cast<void*>(begin);
  void* const mapped = mmap(wanted, bytes, protection, kFlags | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped != MAP_FAILED && mapped != wanted) {
    munmap(mapped, bytes);  // kernels without MAP_FIXED_NOREPLACE use it as a hint
  }
  return mapped == wanted;
}

}  // namespace

MemoryArena::MemoryArena(Address begin, std::uint64_t bytes, HostAccess access)
    : begin_(begin), bytes_(round_up(bytes, kPage)), access_(access) {
  const bool direct = access == HostAccess::kDirect;
  at_its_place_ = map_at(begin_, bytes_, direct ? PROT_READ | PROT_WRITE : PROT_NONE);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is fixed on purpose
  auto* const place = reinterpret_cast<std::byte*>(begin_);
  if (access == HostAccess::kShared) {
    pages_.emplace(bytes_);
    at_its_place_ = at_its_place_ && pages_->map(place, 0, bytes_) == place;
    data_ = pages_->map(nullptr, 0, bytes_);
    if (data_ == nullptr) {
      throw std::bad_alloc();
    }
  } else if (at_its_place_ && direct) {
    data_ = place;
  } else {
    void* const mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (mapped == MAP_FAILED) {
      throw std::bad_alloc();
    }
    data_ = static_cast<std::byte*>(mapped);
  }
  holes_.emplace(begin_, bytes_);
}

MemoryArena::~MemoryArena() {
  munmap(data_, bytes_);
  if (at_its_place_ && access_ != HostAccess::kDirect) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is fixed on purpose
    munmap(reinterpret_cast<void*>(begin_), bytes_);
  }
}

std::optional<Address> MemoryArena::take_from(Holes::iterator hole, std::uint64_t bytes, std::uint64_t alignment) {
  const auto [begin, length] = *hole;
  const Address aligned = round_up(begin, alignment);
  if (aligned - begin > length || length - (aligned - begin) < bytes) {
    return std::nullopt;
  }
  holes_.erase(hole);
  if (aligned != begin) {
    holes_.emplace(begin, aligned - begin);
  }
  if (const std::uint64_t rest = length - (aligned - begin) - bytes; rest != 0) {
    holes_.emplace(aligned + bytes, rest);
  }
  return aligned;
}

std::optional<Address> MemoryArena::take(std::uint64_t bytes, std::uint64_t alignment) {
  for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
    if (const auto taken = take_from(hole, bytes, alignment)) {
      return taken;
    }
  }
  return std::nullopt;
}

std::optional<Address> MemoryArena::take_around(Address near, std::uint64_t bytes, std::uint64_t alignment) {
  const auto next = holes_.upper_bound(near);
  return next == holes_.begin() ? std::nullopt : take_from(std::prev(next), bytes, alignment);
}

void MemoryArena::give_back(Address begin, std::uint64_t bytes) {
  // Merges the hole with its neighbours.
  auto next = holes_.lower_bound(begin);
  if (next != holes_.end() && next->first == begin + bytes) {
    bytes += next->second;
    next = holes_.erase(next);
  }
  if (next != holes_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == begin) {
      before->second += bytes;
      return;
    }
  }
  holes_.emplace(begin, bytes);
}

bool MemoryArena::set_host_access(Address begin, std::uint64_t bytes, bool possible) {
  const Address first = begin / kPage * kPage;
  const std::uint64_t length = round_up(begin + bytes, kPage) - first;
  return at_its_place_ && access_ != HostAccess::kNone &&
         // NOLINTNEXTLINE(performance-no-int-to-ptr): the host program's mapping is at the addresses themselves
         mprotect(reinterpret_cast<void*>(first), length, possible ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

void MemoryArena::clear(Address begin, std::uint64_t bytes) {
  std::byte* const first = host(begin);
  std::byte* const end = first + bytes;
  std::byte* const first_page = data_ + round_up(begin - begin_, kPage);
  if (end - first_page < static_cast<std::ptrdiff_t>(kPage)) {
    std::fill(first, end, std::byte{0});
    return;
  }
  const auto whole = static_cast<std::uint64_t>(end - first_page) / kPage * kPage;
  std::fill(first, first_page, std::byte{0});
  std::fill(first_page + whole, end, std::byte{0});
  if (pages_) {
    pages_->clear(static_cast<std::uint64_t>(first_page - data_), whole);
  } else {
    madvise(first_page, whole, MADV_DONTNEED);
  }
}

}  // namespace warpsim
