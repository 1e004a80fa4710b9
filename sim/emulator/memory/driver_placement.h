// Where the driver places allocations of device memory.
//
// Modelled as recorded programs show it (addresses in the traces of 31 programs on an H200, driver 580, CUDA 13):
// memory comes in blocks of 2 MiB. Allocations of up to 1 MiB share blocks, at multiples of 512 bytes and without gaps;
// larger ones have blocks of their own. Blocks lie in segments of 32 MiB, which an allocation does not cross unless it
// is larger; then it begins with a segment. The first segment belongs to the process (code, variables), but for its
// last block. Each allocation takes the lowest place. Segments follow each other here; the driver may leave space
// between them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "base/types.h"

namespace warpsim {

class DriverPlacement {
 public:
  static constexpr std::uint64_t kUnit = 512;
  static constexpr std::uint64_t kBlock = std::uint64_t{2} << 20U;
  static constexpr std::uint64_t kLargestShared = std::uint64_t{1} << 20U;
  static constexpr std::uint64_t kSegment = std::uint64_t{32} << 20U;

  // The range begins with a segment.
  DriverPlacement(Address begin, std::uint64_t bytes);

  // For allocations of the program. `alignment`: a power of two, at most that of a block.
  std::optional<Address> take(std::uint64_t bytes, std::uint64_t alignment);
  // For variables of modules: from the first segment, and elsewhere if it is full.
  std::optional<Address> take_for_variable(std::uint64_t bytes, std::uint64_t alignment);
  void give_back(Address begin, std::uint64_t bytes);

 private:
  // Free ranges by begin; they are not adjacent.
  using Ranges = std::map<Address, std::uint64_t>;
  static std::optional<Address> take_lowest(Ranges& ranges, std::uint64_t bytes, std::uint64_t alignment);
  static void cut(Ranges& ranges, Ranges::iterator range, Address begin, std::uint64_t bytes);
  static void put_back(Ranges& ranges, Address begin, std::uint64_t bytes);
  std::optional<Address> take_blocks(std::uint64_t bytes);
  void give_back_part(Address begin, std::uint64_t bytes);

  Address begin_;
  Ranges variables_;  // free parts of the first segment
  Ranges blocks_;     // free blocks
  Ranges shared_;     // free parts of blocks that small allocations share, each within one block
};

}  // namespace warpsim
