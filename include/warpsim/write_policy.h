// The interface that decides what a cache does with written data: L1, or a slice of L2 for lines that are at home
// there.
//
// The simulator asks for each line of a store that the cache sees: L1 for all but those of local memory that it writes
// back, L2 for all writes at home but atomics, which always stay. Addresses are those of prefetcher.h: of the program
// in L1, of the slice's own order of lines in L2. A cache keeps one number for the mechanism with each line (a memo),
// and returns it when the line leaves. The simulator has no data: what a way costs is space and traffic.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

struct WritePolicySite {
  CacheLevel cache = CacheLevel::kL1;
};

struct LineWrite {
  Address line = 0;
  SectorMask sectors = 0;   // that are written, completely or in part
  SectorMask complete = 0;  // of these, those of which all bytes are written
  bool line_present = false;
  SectorMask present = 0;  // sectors that the cache has completely before the write
  SectorMask dirty = 0;    // sectors that the next level does not have yet, before the write
  Address pc = 0;          // of the store; L2: 0, requests do not carry it
  std::uint32_t warp = 0;  // its number in the SM; L2: 0
};

enum class WriteWay : std::uint8_t {
  kBack,        // the sectors stay, dirty, and go to the next level when they leave; an absent line enters. L2 only
  kThrough,     // they go to the next level now, and stay; an absent line enters (L1: if a sector is complete)
  kAround,      // they go to the next level now; an absent line does not enter, a present one stays and is updated
  kInvalidate,  // they go to the next level now, and leave the cache if they are present
};

// A line with sectors that stayed when they were written leaves the cache.
struct WrittenLine {
  Address line = 0;
  SectorMask written = 0;
  SectorMask read = 0;       // of these, those that loads or atomics needed later
  SectorMask rewritten = 0;  // of these, those that were written again
  std::uint32_t memo = 0;    // of the last write() whose sectors stayed
};

class WritePolicy {
 public:
  using Interface = WritePolicy;
  using Site = WritePolicySite;
  using Settings = NoSettings;

  virtual ~WritePolicy() = default;
  // `memo`: of the line's last write whose sectors stayed, 0 if there is none; the function may change it, which counts
  // if the sectors stay again.
  virtual WriteWay write(const LineWrite& write, std::uint32_t& memo) = 0;
  // Not called for lines that are removed because the whole cache is emptied.
  virtual void leaves(const WrittenLine& line) = 0;
};

}  // namespace warpsim::mechanism
