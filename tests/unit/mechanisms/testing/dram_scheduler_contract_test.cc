// The kit of DRAM schedulers finds the faults that it is for.
#include "warpsim/testing/dram_scheduler_contract.h"

#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism {
namespace {

class BothWays final : public DramScheduler {
 public:
  BothWays(const Settings& /*settings*/, const Site& /*site*/, Counters& /*counters*/) {}
  bool before(const DramAccess& a, const DramAccess& b) const override { return a.order != b.order; }
  void served(const DramAccess& /*access*/, std::uint32_t /*bursts*/, Cycle /*now*/) override {}
};

// Rows 0, 1, 2 beat each other as stone, scissors and paper do.
class Circle final : public DramScheduler {
 public:
  Circle(const Settings& /*settings*/, const Site& /*site*/, Counters& /*counters*/) {}
  bool before(const DramAccess& a, const DramAccess& b) const override {
    return (a.row % 3 + 1) % 3 == b.row % 3 && a.row < 3 && b.row < 3;
  }
  void served(const DramAccess& /*access*/, std::uint32_t /*bursts*/, Cycle /*now*/) override {}
};

class Fickle final : public DramScheduler {
 public:
  Fickle(const Settings& /*settings*/, const Site& /*site*/, Counters& /*counters*/) {}
  bool before(const DramAccess& a, const DramAccess& b) const override {
    ++calls_;
    return calls_ % 7 == 0 ? a.order > b.order : a.order < b.order;
  }
  void served(const DramAccess& /*access*/, std::uint32_t /*bursts*/, Cycle /*now*/) override {}

 private:
  mutable std::uint32_t calls_ = 0;
};

TEST_CASE("The kit of DRAM schedulers finds answers that are no order") {
  CHECK(says(testing::check_dram_scheduler(entry_of<BothWays>("both", "both go first")), "each go before the other"));
  CHECK(says(testing::check_dram_scheduler(entry_of<Circle>("circle", "rows go in a circle")), "is no order"));
  CHECK(says(testing::check_dram_scheduler(entry_of<Fickle>("fickle", "changes its mind")), "answers differently"));
}

}  // namespace
}  // namespace warpsim::mechanism
