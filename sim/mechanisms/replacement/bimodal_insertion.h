// The bimodal choice of BRRIP and DRRIP: most lines enter with the most distant prediction, one in N with a long one.
//
// Source: Jaleel et al., ISCA 2010; 1 in 32 after the bimodal insertion of Qureshi et al., ISCA 2007. The papers draw
// with a probability; here each set counts, so that results are the same in each run, and a loop over all sets cannot
// give the long insertions to the same sets each time.
// State: a counter per set. Invariant: the Nth line of a set, and each Nth after it, is the one with a long prediction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mechanisms/replacement/rrip_values.h"

namespace warpsim::mechanism {

struct BimodalSettings {
  std::uint32_t long_insertion_interval = 32;  // paper: Jaleel et al., ISCA 2010

  void describe(Keys& keys) {
    keys.integer("long_insertion_interval", long_insertion_interval, 1, 65535,
                 "one line of this number enters a set with a long prediction, the others with the most distant one");
  }
};

class BimodalInsertion {
 public:
  BimodalInsertion(const BimodalSettings& settings, std::uint32_t sets)
      : interval_(settings.long_insertion_interval), lines_(sets) {}

  RripInsertion next(std::uint32_t set) {
    if (++lines_[set] < interval_) {
      return RripInsertion::kMostDistant;
    }
    lines_[set] = 0;
    return RripInsertion::kLong;
  }
  void clear() { std::fill(lines_.begin(), lines_.end(), std::uint16_t{0}); }

 private:
  std::uint32_t interval_;
  std::vector<std::uint16_t> lines_;  // of each set since the last long insertion
};

}  // namespace warpsim::mechanism
