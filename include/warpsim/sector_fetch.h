// The interface that decides which sectors of a line a cache fetches when a load misses: L1, or a slice of L2 for lines
// that are at home there.
//
// The simulator asks for each load that misses sectors of a line, unless it bypasses the cache. All sectors of the
// answer travel in one request. Addresses are those of prefetcher.h: of the program in L1, of the slice's own order of
// lines in L2. A cache keeps one number for the mechanism with each line (a memo), and returns it when the line leaves.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

struct SectorFetchSite {
  CacheLevel cache = CacheLevel::kL1;
};

// A load misses sectors of a line.
struct SectorMiss {
  Address line = 0;
  SectorMask wanted = 0;   // that the load needs, and that are neither present nor on their way
  SectorMask absent = 0;   // all sectors of the line that are neither present nor on their way; contains `wanted`
  Address pc = 0;          // of the load; L2: 0, requests do not carry it
  std::uint32_t warp = 0;  // its number in the SM; L2: 0
};

// A line for which fetch() was called leaves the cache.
struct SectorUse {
  Address line = 0;
  SectorMask present = 0;
  SectorMask used = 0;     // that loads needed while the line was present or on its way
  std::uint32_t memo = 0;  // of the last fetch() for the line
};

class SectorFetch {
 public:
  using Interface = SectorFetch;
  using Site = SectorFetchSite;
  using Settings = NoSettings;

  virtual ~SectorFetch() = default;
  // The sectors to request: all of `wanted`, none outside of `absent`. `memo`: of the line's last fetch() if the line
  // is present or on its way, else 0; the function may change it.
  virtual SectorMask fetch(const SectorMiss& miss, std::uint32_t& memo) = 0;
  // Not called for lines that are removed because the whole cache is emptied.
  virtual void leaves(const SectorUse& line) = 0;
};

}  // namespace warpsim::mechanism
