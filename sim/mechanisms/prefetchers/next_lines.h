// Lines at a distance from a line, without those beyond either end of the address space, which no load can reach.
#pragma once

#include <cstdint>

#include "warpsim/prefetcher.h"

namespace warpsim::mechanism {

// Adds the lines `first` to `last` strides after `line` (before it, if the stride is negative). Returns their number.
inline std::uint32_t add_lines_after(const LineLookup& lookup, std::int64_t stride_bytes, std::uint32_t first,
                                     std::uint32_t last, PrefetchList& wanted) {
  const auto stride = static_cast<Address>(stride_bytes);
  Address line = lookup.line;
  std::uint32_t added = 0;
  for (std::uint32_t step = 1; step <= last; ++step) {
    const bool wraps = stride_bytes > 0 ? line + stride < line : line + stride > line;
    if (wraps) {
      break;
    }
    line += stride;
    if (step >= first) {
      wanted.add(line, lookup.sectors);
      ++added;
    }
  }
  return added;
}

}  // namespace warpsim::mechanism
