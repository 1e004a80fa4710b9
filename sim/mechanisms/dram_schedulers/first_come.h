// First come, first served in each bank: no access overtakes an older one of its bank.
//
// Source: FCFS of Rixner et al., "Memory Access Scheduling", ISCA 2000. Modelled: also among banks the older access
// goes first, where the constraints of DRAM allow it. State: none.
#pragma once

#include "warpsim/dram_scheduler.h"

namespace warpsim::mechanism {

class FirstCome final : public DramScheduler {
 public:
  FirstCome(const Settings& /*settings*/, const DramSchedulerSite& /*site*/, Counters& /*counters*/) {}

  bool before(const DramAccess& a, const DramAccess& b) const override { return a.order < b.order; }
  void served(const DramAccess& /*access*/, std::uint32_t /*bursts*/, Cycle /*now*/) override {}
};

}  // namespace warpsim::mechanism
