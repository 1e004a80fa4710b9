// Writes go around the cache where data that stayed were not used before they left.
//
// Source: the write-around of Jouppi, "Cache Write Policies and Performance", ISCA 1993, chosen by a predictor like
// that of Lai, Fide and Falsafi, "Dead-Block Prediction", ISCA 2001, reduced to one counter per place; its sizes are
// assumed. Modelled: a table of saturating counters without tags, by the store, or in L2, whose requests carry no
// instruction, by the region of the line; a line that leaves raises its counter if written sectors were read or written
// again, and lowers it if not; below the middle of the range writes of absent lines go around, but for one in a number
// of them, so that the counter can rise again. Not modelled: tags, so that places may share a counter. State: the
// counters, the writes around since the last one that should have gone there and stayed.
#pragma once

#include <cstdint>
#include <vector>

#include "warpsim/write_policy.h"

namespace warpsim::mechanism {

class AroundUnlessReused final : public WritePolicy {
 public:
  struct Settings {
    std::uint32_t table_entries = 256;  // assumed: more than the stores of most kernels
    std::uint32_t region_lines = 64;    // assumed: 8 KiB of one slice
    std::uint32_t counter_bits = 2;     // assumed: as in branch predictors
    std::uint32_t probe_interval = 32;  // assumed: 3 % of the lines

    void describe(Keys& keys);
  };

  AroundUnlessReused(const Settings& settings, const WritePolicySite& site, Counters& counters);

  WriteWay write(const LineWrite& write, std::uint32_t& memo) override;
  void leaves(const WrittenLine& line) override;

 private:
  Settings settings_;
  WriteWay stay_;
  std::uint32_t highest_;
  std::vector<std::uint32_t> table_;
  std::uint32_t passed_ = 0;  // writes around since the last probe
  Counter probes_;
};

}  // namespace warpsim::mechanism
