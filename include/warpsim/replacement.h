// The interface of replacement: which line of a set makes room for another one, in L1 or in a slice of L2.
//
// The simulator fills empty ways first; it calls victim() for a set whose ways all hold lines, and inserted() for the
// line that takes the place. A line takes a way when its first sectors arrive, or when a store writes it and the cache
// keeps stored lines; the lookup of an absent line causes no call. L1 changes its number of ways with the carve-out of
// a launch, and then makes a new object.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

struct ReplacementSite {
  CacheLevel cache = CacheLevel::kL1;
  std::uint32_t sets = 1;
  std::uint32_t ways = 1;
};

// A place of a cache.
struct Way {
  std::uint32_t set = 0;
  std::uint32_t way = 0;
};

class Replacement {
 public:
  using Interface = Replacement;
  using Site = ReplacementSite;
  using Settings = NoSettings;

  virtual ~Replacement() = default;
  // A line takes a way. `leaves_first`: the program (an evict-first access in L2) or the mechanism of sm.l1.insertion
  // expects no further use of it.
  virtual void inserted(Way place, Address line, bool leaves_first) = 0;
  // The line there is used again. L1: a load finds sectors in it. L2: a read or an atomic looks it up, also if it
  // misses sectors, or a write does; evict-first accesses and reads for the other partition do not count. The arrival
  // of further sectors is no use.
  virtual void used(Way place, Address line) = 0;
  // The line there is removed without another one in its place.
  virtual void removed(Way place) = 0;
  // A way of the set. Called once for each line that it replaces, so that it may change state: the next call is
  // inserted() for the line that takes this way.
  virtual std::uint32_t victim(std::uint32_t set) = 0;
  // All lines are removed at once, and what was learned from them: the object is like a new one.
  virtual void cleared() = 0;
};

}  // namespace warpsim::mechanism
