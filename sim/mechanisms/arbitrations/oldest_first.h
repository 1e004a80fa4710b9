// The message that has waited longest goes first, wherever it comes from.
//
// Source: Abts and Weisser, "Age-based packet arbitration in large-radix k-ary n-cubes", SC 2007. Modelled: the age
// since the message arrived at this switch; of equal ages the lower requester. Not modelled: age from the source on.
// State: none.
#pragma once

#include "warpsim/arbitration.h"

namespace warpsim::mechanism {

class OldestFirst final : public Arbitration {
 public:
  OldestFirst(const Settings& /*settings*/, const ArbitrationSite& /*site*/, Counters& /*counters*/) {}

  bool before(const ArbitrationOffer& a, const ArbitrationOffer& b) const override {
    return a.since != b.since ? a.since < b.since : a.requester < b.requester;
  }
  void sent(const ArbitrationOffer& /*offer*/, Cycle /*now*/) override {}
};

}  // namespace warpsim::mechanism
