// The requester that has been served least goes first, so that SMs with many requests do not delay those with few.
//
// Source: Kim et al., "ATLAS: A Scalable and High-Performance Scheduling Algorithm for Multiple Memory Controllers",
// HPCA 2010. Modelled: service in bursts, added up in each quantum and smoothed over quanta; then accesses to open
// rows, then older ones; an access that has waited for a time goes before all others. Not modelled: the exchange of
// service between channels. State: service by requester. Invariant: write-backs come last, since no warp waits for
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "warpsim/dram_scheduler.h"

namespace warpsim::mechanism {

class LeastServed final : public DramScheduler {
 public:
  struct Settings {
    std::uint32_t quantum_cycles = 100000;  // assumed: the paper's 10 million CPU cycles are longer than most launches
    double old_weight = 0.875;              // the paper's alpha
    std::uint32_t longest_wait_cycles = 10000;  // assumed: the paper's 100,000 CPU cycles, scaled as the quantum
    void describe(Keys& keys);
  };

  LeastServed(const Settings& settings, const DramSchedulerSite& site, Counters& counters);

  bool before(const DramAccess& a, const DramAccess& b) const override;
  void served(const DramAccess& access, std::uint32_t bursts, Cycle now) override;

 private:
  struct Service {
    double total = 0;    // smoothed, of past quanta
    double quantum = 0;  // bursts of this one
  };

  double service_of(const DramAccess& access) const;
  bool too_old(const DramAccess& access) const { return access.arrival + settings_.longest_wait_cycles < now_; }
  void end_quanta(Cycle now);

  Settings settings_;
  std::vector<Service> services_;  // by requester
  Cycle now_ = 0;                  // of the latest column command
  Cycle quantum_end_;
  Counter served_by_age_;
};

}  // namespace warpsim::mechanism
