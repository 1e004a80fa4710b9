#include "emulator/memory/reserved_ranges.h"

#include <sys/mman.h>

#include <iterator>

#include "base/check.h"
#include "base/round_up.h"

namespace warpsim {

namespace {

constexpr int kNoPages = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

void* pointer_to(Address address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): the address is fixed on purpose
}

// Aliases have a window of their own after that of the addresses, so that those of neighbouring ranges are neighbours.
void* take_alias(Address wanted, std::uint64_t bytes) {
  if (wanted != 0) {
    void* const mapped = mmap(pointer_to(wanted), bytes, PROT_NONE, kNoPages | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped != MAP_FAILED) {
      return mapped;
    }
  }
  return mmap(nullptr, bytes, PROT_NONE, kNoPages, -1, 0);
}

}  // namespace

ReservedRanges::~ReservedRanges() {
  for (const auto& [begin, range] : ranges_) {
    munmap(pointer_to(begin), range.bytes);
    munmap(range.alias, range.bytes);
  }
}

const ReservedRanges::Range* ReservedRanges::find(Address byte) const {
  const auto next = ranges_.upper_bound(byte);
  if (next == ranges_.begin()) {
    return nullptr;
  }
  const Range& range = std::prev(next)->second;
  return byte < range.end() ? &range : nullptr;
}

bool ReservedRanges::overlaps(Address begin, std::uint64_t bytes) const {
  const auto next = ranges_.lower_bound(begin);
  return (next != ranges_.end() && next->first < begin + bytes) || find(begin) != nullptr;
}

bool ReservedRanges::take_addresses(Address begin, std::uint64_t bytes) const {
  if (begin + bytes < begin || overlaps(begin, bytes)) {
    return false;
  }
  void* const mapped = mmap(pointer_to(begin), bytes, PROT_NONE, kNoPages | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped != MAP_FAILED && mapped != pointer_to(begin)) {
    munmap(mapped, bytes);  // kernels without MAP_FIXED_NOREPLACE use it as a hint
  }
  return mapped == pointer_to(begin);
}

// 0: from there on the window has no place. What else the process has mapped there is passed in steps.
Address ReservedRanges::place(std::uint64_t bytes, std::uint64_t alignment, Address from) const {
  constexpr std::uint64_t kStep = std::uint64_t{1} << 30U;
  constexpr Address kEnd = kWindowBegin + kWindowBytes;
  for (Address begin = round_up(from, alignment); begin < kEnd && bytes <= kEnd - begin;) {
    if (take_addresses(begin, bytes)) {
      return begin;
    }
    const auto after = ranges_.lower_bound(begin + bytes);
    const bool taken = overlaps(begin, bytes);
    begin = round_up(taken ? std::prev(after)->second.end() : begin + kStep, alignment);
  }
  return 0;
}

const ReservedRanges::Range* ReservedRanges::reserve(std::uint64_t bytes, std::uint64_t alignment, Address wanted) {
  if (bytes > kWindowBytes) {
    return nullptr;
  }
  Address begin = 0;
  if (wanted != 0 && wanted % alignment == 0 && take_addresses(wanted, bytes)) {
    begin = wanted;
  } else {
    begin = place(bytes, alignment, next_);
    begin = begin != 0 ? begin : place(bytes, alignment, kWindowBegin);
  }
  if (begin == 0) {
    return nullptr;
  }
  const bool in_window = begin - kWindowBegin < kWindowBytes;
  void* const alias = take_alias(in_window ? begin + kWindowBytes : 0, bytes);
  if (alias == MAP_FAILED) {
    munmap(pointer_to(begin), bytes);
    return nullptr;
  }
  if (in_window && begin + bytes > next_) {
    next_ = begin + bytes;
  }
  return &(ranges_[begin] = {begin, bytes, static_cast<std::byte*>(alias)});
}

void ReservedRanges::release(Address begin) {
  const auto found = ranges_.find(begin);
  munmap(pointer_to(begin), found->second.bytes);
  munmap(found->second.alias, found->second.bytes);
  ranges_.erase(found);
}

bool ReservedRanges::put(const Range& range, Address begin, const SharedPages& pages, std::uint64_t bytes) {
  return pages.map(range.host(begin), 0, bytes) != nullptr;
}

void ReservedRanges::take(const Range& range, Address begin, std::uint64_t bytes) {
  for (void* const place : {static_cast<void*>(range.host(begin)), pointer_to(begin)}) {
    SIM_CHECK(mmap(place, bytes, PROT_NONE, kNoPages | MAP_FIXED, -1, 0) == place, "a mapping cannot be replaced");
  }
}

bool ReservedRanges::open(Address begin, const SharedPages& pages, std::uint64_t bytes, Access access) {
  if (access == Access::kNone) {
    return mmap(pointer_to(begin), bytes, PROT_NONE, kNoPages | MAP_FIXED, -1, 0) != MAP_FAILED;
  }
  return pages.map(pointer_to(begin), 0, bytes) != nullptr &&
         (access == Access::kReadWrite || mprotect(pointer_to(begin), bytes, PROT_READ) == 0);
}

}  // namespace warpsim
