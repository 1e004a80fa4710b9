// The lower requester goes first, always: the simplest arbiter, and an unfair one.
//
// Source: Dally and Towles, "Principles and Practices of Interconnection Networks", 2004, section 18.3. State: none.
#pragma once

#include "warpsim/arbitration.h"

namespace warpsim::mechanism {

class FixedPriority final : public Arbitration {
 public:
  FixedPriority(const Settings& /*settings*/, const ArbitrationSite& /*site*/, Counters& /*counters*/) {}

  bool before(const ArbitrationOffer& a, const ArbitrationOffer& b) const override { return a.requester < b.requester; }
  void sent(const ArbitrationOffer& /*offer*/, Cycle /*now*/) override {}
};

}  // namespace warpsim::mechanism
