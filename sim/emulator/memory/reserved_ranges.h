// Ranges of addresses that a program reserves without memory, to map memory there later.
//
// The addresses are reserved in the host's address space and cannot be accessed there until memory of the host is
// opened to the host. Of each range there is a second one, the alias, through which the simulator accesses what is
// mapped; neighbours, also in ranges beside each other, are neighbours there. Ranges follow each other in a window of
// addresses, so that they are the same in every run, and none is used again before the window ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "base/types.h"
#include "emulator/memory/shared_pages.h"

namespace warpsim {

class ReservedRanges {
 public:
  static constexpr Address kWindowBegin = 0x3000'0000'0000;
  static constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 44U;
  enum class Access : std::uint8_t { kNone, kRead, kReadWrite };
  struct Range {
    Address begin = 0;
    std::uint64_t bytes = 0;
    std::byte* alias = nullptr;
    Address end() const { return begin + bytes; }
    std::byte* host(Address address) const { return alias + (address - begin); }
  };

  ReservedRanges() = default;
  ~ReservedRanges();
  ReservedRanges(const ReservedRanges&) = delete;
  ReservedRanges& operator=(const ReservedRanges&) = delete;

  // At `wanted` if it is not 0 and nothing is there. `bytes`: whole pages of the host; `alignment`: a power of two.
  // Returns null if there is no place.
  const Range* reserve(std::uint64_t bytes, std::uint64_t alignment, Address wanted);
  // The range begins there.
  void release(Address begin);
  // The range that holds the byte, or null.
  const Range* find(Address byte) const;
  bool empty() const { return ranges_.empty(); }

  // Pages of the host at a part of a range. Returns false if the host does not allow it.
  static bool put(const Range& range, Address begin, const SharedPages& pages, std::uint64_t bytes);
  static void take(const Range& range, Address begin, std::uint64_t bytes);
  // What the host program can do at the addresses themselves, where the pages were put.
  static bool open(Address begin, const SharedPages& pages, std::uint64_t bytes, Access access);

 private:
  bool overlaps(Address begin, std::uint64_t bytes) const;
  bool take_addresses(Address begin, std::uint64_t bytes) const;
  Address place(std::uint64_t bytes, std::uint64_t alignment, Address from) const;

  std::map<Address, Range> ranges_;  // by begin
  Address next_ = kWindowBegin;
};

}  // namespace warpsim
