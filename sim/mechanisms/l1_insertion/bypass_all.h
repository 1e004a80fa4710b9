// No line that a load misses enters L1: a bound for studies of bypassing, in which only lines hit that stores or
// prefetchers leave there.
//
// State: none. Invariant: the answer is always the same.
#pragma once

#include "warpsim/l1_insertion.h"

namespace warpsim::mechanism {

class BypassAll final : public L1Insertion {
 public:
  using Settings = NoSettings;

  BypassAll(const Settings& settings, const L1InsertionSite& site, Counters& counters);

  Insertion access(const LineLookup& lookup) override;
};

}  // namespace warpsim::mechanism
