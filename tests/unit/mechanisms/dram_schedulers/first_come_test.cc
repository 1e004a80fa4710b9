#include "mechanisms/dram_schedulers/first_come.h"

#include <catch2/catch.hpp>

#include "warpsim/testing/test_counters.h"

namespace warpsim::mechanism {

TEST_CASE("First come: the older access goes first, whatever row is open") {
  testing::TestCounters counters;
  const FirstCome scheduler({}, {}, counters);
  CHECK(scheduler.before({.order = 1}, {.order = 2, .row_open = true}));
  CHECK_FALSE(scheduler.before({.order = 2, .row_open = true}, {.order = 1}));
}

TEST_CASE("First come: reads and writes take turns by the watermarks") {
  testing::TestCounters counters;
  const FirstCome scheduler({}, {}, counters);
  CHECK(scheduler.writes_next({.reads = 1, .writes = 1, .by_watermarks = true}));
  CHECK_FALSE(scheduler.writes_next({.reads = 1, .writes = 1, .writing = true}));
}

}  // namespace warpsim::mechanism
