// What a prefetcher wants after lookups.
#pragma once

#include <vector>

#include "warpsim/prefetcher.h"

namespace warpsim {

using Lines = std::vector<mechanism::Address>;

inline Lines prefetched(mechanism::Prefetcher& prefetcher, const mechanism::LineLookup& lookup) {
  mechanism::PrefetchList wanted;
  prefetcher.access(lookup, wanted);
  Lines lines;
  for (const mechanism::PrefetchList::Line& line : wanted) {
    lines.push_back(line.line);
  }
  return lines;
}

// A miss of line number `number` by the load at `pc` of a warp; the result has numbers of lines.
inline Lines prefetched_after_miss(mechanism::Prefetcher& prefetcher, mechanism::Address number,
                                   mechanism::Address pc = 0, std::uint32_t warp = 0, bool hit = false) {
  Lines lines = prefetched(prefetcher, {number * mechanism::kLineBytes, 0xf, hit, 0, pc, warp});
  for (mechanism::Address& line : lines) {
    line /= mechanism::kLineBytes;
  }
  return lines;
}

}  // namespace warpsim
