// The kit of arbitrations finds the faults that it is for.
#include "warpsim/testing/arbitration_contract.h"

#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism {
namespace {

class BothFirst final : public Arbitration {
 public:
  BothFirst(const Settings& /*settings*/, const Site& /*site*/, Counters& /*counters*/) {}
  bool before(const ArbitrationOffer& /*a*/, const ArbitrationOffer& /*b*/) const override { return true; }
  void sent(const ArbitrationOffer& /*offer*/, Cycle /*now*/) override {}
};

// GPCs 0, 1, 2 beat each other as stone, scissors and paper do.
class CircleOfGpcs final : public Arbitration {
 public:
  CircleOfGpcs(const Settings& /*settings*/, const Site& /*site*/, Counters& /*counters*/) {}
  bool before(const ArbitrationOffer& a, const ArbitrationOffer& b) const override {
    return a.gpc < 3 && b.gpc < 3 && (a.gpc + 1) % 3 == b.gpc;
  }
  void sent(const ArbitrationOffer& /*offer*/, Cycle /*now*/) override {}
};

class CountsCalls final : public Arbitration {
 public:
  CountsCalls(const Settings& /*settings*/, const Site& /*site*/, Counters& /*counters*/) {}
  bool before(const ArbitrationOffer& a, const ArbitrationOffer& b) const override {
    return ++calls_ % 7 == 0 ? a.requester > b.requester : a.requester < b.requester;
  }
  void sent(const ArbitrationOffer& /*offer*/, Cycle /*now*/) override {}

 private:
  mutable std::uint32_t calls_ = 0;
};

class SharesTurns final : public Arbitration {
 public:
  SharesTurns(const Settings& /*settings*/, const Site& /*site*/, Counters& /*counters*/) {}
  bool before(const ArbitrationOffer& a, const ArbitrationOffer& b) const override {
    return (a.requester + turn) % 64 < (b.requester + turn) % 64;
  }
  void sent(const ArbitrationOffer& /*offer*/, Cycle /*now*/) override { ++turn; }

 private:
  static inline std::uint32_t turn = 0;
};

TEST_CASE("The kit of arbitrations finds answers that are no order, and state that objects share") {
  CHECK(says(testing::check_arbitration(entry_of<BothFirst>("both", "both go first")), "each go before the other"));
  CHECK(says(testing::check_arbitration(entry_of<CircleOfGpcs>("circle", "GPCs go in a circle")), "is no order"));
  CHECK(says(testing::check_arbitration(entry_of<CountsCalls>("counts", "counts calls")), "answers differently"));
  CHECK(says(testing::check_arbitration(entry_of<SharesTurns>("shares", "shares turns")), "two objects"));
}

}  // namespace
}  // namespace warpsim::mechanism
