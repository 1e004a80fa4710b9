// Whole lines or the needed sectors only, whichever the lines that left the cache would have needed.
//
// Source: the question of Rhu et al., "A Locality-Aware Memory Hierarchy for Energy-Efficient GPU Architectures", MICRO
// 2013: fine accesses for data without spatial locality, whole lines for the rest; the predictor here is simpler and
// assumed. Modelled: one saturating counter for the cache, raised by each line that leaves and of which loads needed
// more sectors than the first miss, lowered by the others; from a threshold on misses fetch whole lines. Not modelled:
// different answers for different data. State: the counter.
#pragma once

#include <cstdint>

#include "warpsim/sector_fetch.h"

namespace warpsim::mechanism {

class LineIfUsed final : public SectorFetch {
 public:
  struct Settings {
    std::uint32_t counter_bits = 6;  // assumed
    std::uint32_t threshold = 32;    // assumed: half of the range
    std::uint32_t use_weight = 1;    // assumed: more than half of the lines must be used further

    void describe(Keys& keys);
  };

  // std::invalid_argument if the counter cannot reach the threshold.
  LineIfUsed(const Settings& settings, const SectorFetchSite& site, Counters& counters);

  SectorMask fetch(const SectorMiss& miss, std::uint32_t& memo) override;
  void leaves(const SectorUse& line) override;

 private:
  Settings settings_;
  std::uint32_t highest_;
  std::uint32_t use_;
  Counter whole_lines_;
};

}  // namespace warpsim::mechanism
