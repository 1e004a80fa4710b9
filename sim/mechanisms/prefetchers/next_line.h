// Prefetch of the lines after each line that a load misses.
//
// Source: one block lookahead, Smith, "Cache Memories", ACM Computing Surveys 1982. Modelled: a number of next lines,
// after misses or after all lookups, with the sectors that the load reads. Not modelled: the end of an allocation.
// State: none. Invariant: the answer only depends on the lookup.
#pragma once

#include <cstdint>

#include "warpsim/prefetcher.h"

namespace warpsim::mechanism {

class NextLine final : public Prefetcher {
 public:
  struct Settings {
    std::uint32_t degree = 1;  // paper: Smith, 1982
    bool on_hits = false;      // paper: Smith, 1982, "prefetch on miss"

    void describe(Keys& keys);
  };

  NextLine(const Settings& settings, const PrefetcherSite& site, Counters& counters);

  void access(const LineLookup& lookup, PrefetchList& wanted) override;

 private:
  Settings settings_;
  Counter predictions_;
};

}  // namespace warpsim::mechanism
