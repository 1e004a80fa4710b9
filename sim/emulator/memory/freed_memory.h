// The quarantine of freed memory: freed ranges that are not reused yet; the oldest leaves first.
//
// It keeps only addresses; their bytes have been returned to the system. Limits: bytes, as given, and 65,536 ranges, so
// that a program that allocates and frees in a loop uses little memory and time for it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "base/types.h"

namespace warpsim {

class FreedMemory {
 public:
  struct Range {
    Address begin = 0;
    std::uint64_t bytes = 0;
    std::uint64_t room = 0;  // bytes of its arena; 0: memory of the host
    std::string name = {};   // as in DeviceMemory::Allocation
    Address end() const { return begin + bytes; }
  };
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t kMostRanges = 65'536;

  void set_limit(std::uint64_t bytes) { limit_ = bytes; }
  void add(Range range);
  bool is_over_limit() const { return bytes_ > limit_ || ranges_.size() > kMostRanges; }
  std::optional<Range> take_oldest();
  // The range that holds the byte, or null. An empty range holds the byte at its beginning.
  const Range* find(Address byte) const;
  // The host uses the addresses for something else.
  void forget(Address begin, std::uint64_t bytes);

 private:
  struct Entry {
    Range range;
    std::uint64_t order = 0;
  };
  using Ranges = std::map<Address, Entry>;
  void remove(Ranges::iterator entry);

  Ranges ranges_;                            // by begin
  std::map<std::uint64_t, Address> oldest_;  // by order
  std::uint64_t next_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t limit_ = kNoLimit;
};

}  // namespace warpsim
