// Bypassing of loads whose lines are seldom hit again, by the address of the load in the code.
//
// Source: the idea of Tian et al., "Adaptive GPU Cache Bypassing", GPGPU 2015, whose predictor has a table of counters
// by pc; the rules and values here are simpler and assumed. Modelled: a saturating counter for each load, raised by its
// hits and lowered by its misses whose lines are kept; below a threshold its lines bypass L1, except a sample of them,
// whose hits can raise the counter again. Lines that bypass do not lower it, because they cannot be hit. Not modelled:
// the load that brought the line that another one hits, and tags of the table, so that loads may share an entry. State:
// two numbers per entry. Invariant: counters are at most 2^counter_bits - 1.
#pragma once

#include <cstdint>
#include <vector>

#include "warpsim/l1_insertion.h"

namespace warpsim::mechanism {

class ReuseByPc final : public L1Insertion {
 public:
  struct Settings {
    std::uint32_t table_entries = 128;   // assumed: more than the loads of most kernels
    std::uint32_t counter_bits = 4;      // assumed
    std::uint32_t threshold = 4;         // assumed: 12 misses without a hit lead to bypassing
    std::uint32_t hit_weight = 4;        // assumed: lines of a load with one hit in five lookups are kept
    std::uint32_t sample_interval = 16;  // assumed

    void describe(Keys& keys);
  };

  // std::invalid_argument if no counter can reach the threshold.
  ReuseByPc(const Settings& settings, const L1InsertionSite& site, Counters& counters);

  Insertion access(const LineLookup& lookup) override;

 private:
  struct Entry {
    std::uint32_t reuse;
    std::uint32_t bypassed;  // misses since the last sample
  };

  Settings settings_;
  std::uint32_t highest_;
  std::vector<Entry> table_;
  Counter bypasses_;
  Counter samples_;
};

}  // namespace warpsim::mechanism
