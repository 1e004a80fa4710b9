#include "mechanisms/dram_schedulers/least_served.h"

#include <catch2/catch.hpp>

#include "warpsim/testing/test_counters.h"

namespace warpsim::mechanism {
namespace {

struct Rig {
  explicit Rig(const LeastServed::Settings& settings) : scheduler(settings, {}, counters) {}
  testing::TestCounters counters;
  LeastServed scheduler;
};

constexpr LeastServed::Settings kShort{.quantum_cycles = 100, .old_weight = 0.5, .longest_wait_cycles = 1000};

TEST_CASE("Least served: without any service open rows go first, then the older access") {
  Rig rig(kShort);
  CHECK(rig.scheduler.before({.order = 2, .requester = 0, .row_open = true}, {.order = 1, .requester = 1}));
  CHECK(rig.scheduler.before({.order = 1, .requester = 0}, {.order = 2, .requester = 1}));
}

TEST_CASE("Least served: service counts from the next quantum on") {
  Rig rig(kShort);
  const DramAccess heavy{.order = 1, .arrival = 95, .requester = 7, .row_open = true};
  const DramAccess light{.order = 2, .arrival = 95, .requester = 8};
  rig.scheduler.served({.requester = 7}, 4, 10);
  CHECK(rig.scheduler.before(heavy, light));
  rig.scheduler.served({.requester = 9}, 1, 99);
  CHECK(rig.scheduler.before(heavy, light));  // one cycle before the quantum ends
  rig.scheduler.served({.requester = 9}, 1, 100);
  CHECK(rig.scheduler.before(light, heavy));
  // The weight of the service halves with each quantum: 2 bursts of requester 7 become 1; requester 8 has 1.5.
  rig.scheduler.served({.requester = 8}, 3, 150);
  rig.scheduler.served({.requester = 9}, 1, 200);
  CHECK(rig.scheduler.before(heavy, light));
}

TEST_CASE("Least served: write-backs are last, and too old accesses first") {
  Rig rig(kShort);
  rig.scheduler.served({.requester = 7}, 4, 10);
  rig.scheduler.served({.requester = 7}, 4, 1100);
  const DramAccess old_writeback{.order = 1, .arrival = 99};
  const DramAccess writeback{.order = 2, .arrival = 100};
  const DramAccess read{.order = 3, .arrival = 1050, .requester = 7};
  CHECK(rig.scheduler.before(read, writeback));
  CHECK(rig.scheduler.before(old_writeback, read));  // waits for 1,001 cycles
  rig.scheduler.served(old_writeback, 1, 1101);
  CHECK(rig.counters.value("served_by_age") == 1);
}

TEST_CASE("Least served: a long time without work lowers the weight of old service only") {
  Rig rig({.quantum_cycles = 1, .old_weight = 0.5, .longest_wait_cycles = 1000000000});
  rig.scheduler.served({.requester = 1}, 1, 1'000'000'000'000U);
  rig.scheduler.served({.requester = 2}, 1, 1'000'000'000'001U);
  constexpr Cycle kNow = 1'000'000'000'000U;
  CHECK(rig.scheduler.before({.order = 2, .arrival = kNow, .requester = 3},
                             {.order = 1, .arrival = kNow, .requester = 1}));
}

}  // namespace
}  // namespace warpsim::mechanism
