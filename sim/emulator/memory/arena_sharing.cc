#include "emulator/memory/arena_sharing.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

#include "base/check.h"
#include "base/round_up.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kPageOfHost = MemoryArena::kPage;

Address page_of(Address byte) {
  return byte / kPageOfHost * kPageOfHost;
}

bool is_zero(const std::byte* page) {
  return std::all_of(page, page + kPageOfHost, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

bool ArenaSharing::is_shared(Address byte) const {
  const auto next = ranges_.upper_bound(byte);
  return next != ranges_.begin() && byte < std::prev(next)->second;
}

void ArenaSharing::share(Address begin, std::uint64_t bytes) {
  const Address end = round_up(begin + bytes, kPageOfHost);
  Address first = page_of(begin);
  while (first < end) {
    const auto next = ranges_.upper_bound(first);
    if (next != ranges_.begin() && first < std::prev(next)->second) {
      first = std::prev(next)->second;
      continue;
    }
    const Address last = next == ranges_.end() ? end : std::min(end, next->first);
    move(first, last - first);
    ranges_.emplace(first, last);
    first = last;
  }
}

// Pages that were never touched cost nothing in the file either.
void ArenaSharing::move(Address begin, std::uint64_t bytes) {
  std::byte* const from = arena_.host(begin);
  std::byte* const to = pages_.map(nullptr, offset_of(begin), bytes);
  if (to == nullptr) {
    throw std::bad_alloc();
  }
  for (std::uint64_t page = 0; page < bytes; page += kPageOfHost) {
    if (!is_zero(from + page)) {
      std::memcpy(to + page, from + page, kPageOfHost);
    }
  }
  munmap(to, bytes);
  if (pages_.map(from, offset_of(begin), bytes) == nullptr) {
    pages_.clear(offset_of(begin), bytes);
    throw std::bad_alloc();
  }
}

void ArenaSharing::clear(Address begin, std::uint64_t bytes) {
  const Address first = round_up(begin, kPageOfHost);
  const Address end = page_of(begin + bytes);
  for (const auto& [shared, shared_end] : ranges_) {
    const Address from = std::max(first, shared);
    const Address to = std::min(end, shared_end);
    if (from < to) {
      pages_.clear(offset_of(from), to - from);
    }
  }
}

bool put_foreign_pages(const MemoryArena& arena, Address begin, const SharedPages& pages, std::uint64_t offset,
                       std::uint64_t bytes) {
  SIM_CHECK(begin % kPageOfHost == 0 && offset % kPageOfHost == 0, "parts of pages are mapped");
  return pages.map(arena.host(begin), offset, bytes) != nullptr;
}

void put_own_pages(const MemoryArena& arena, Address begin, std::uint64_t bytes) {
  void* const mapped = mmap(arena.host(begin), round_up(bytes, kPageOfHost), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  SIM_CHECK(mapped != MAP_FAILED, "pages of a device's memory cannot be mapped again");
}

}  // namespace warpsim
