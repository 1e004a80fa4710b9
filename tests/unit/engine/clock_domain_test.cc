#include "engine/clock_domain.h"

#include <catch2/catch.hpp>

#include "base/check.h"

namespace warpsim {
namespace {

TEST_CASE("A clock of 1980 MHz has a period of 505051 femtoseconds") {
  // 1e9 fs MHz / 1980 MHz = 505050.505..., rounded to the next femtosecond.
  CHECK(ClockDomain("core", 1980).period_fs() == 505051);
  CHECK(ClockDomain("tiny", 1000).period_fs() == 1'000'000);
}

TEST_CASE("Edge 0 of every clock is at time 0") {
  CHECK(ClockDomain("a", 1711).time_of(0).fs == 0);
  CHECK(ClockDomain("b", 3201).edge_at_or_after(TimeFs{0}) == 0);
}

TEST_CASE("An instant on an edge belongs to that edge; the next edge is strictly after it") {
  const ClockDomain clock("tiny", 1000);
  CHECK(clock.edge_at_or_after(TimeFs{3'000'000}) == 3);
  CHECK(clock.edge_after(TimeFs{3'000'000}) == 4);
  CHECK(clock.edge_at_or_after(TimeFs{3'000'001}) == 4);
  CHECK(clock.edge_after(TimeFs{2'999'999}) == 3);
}

TEST_CASE("Cycles converted to time and back are unchanged, for any frequency") {
  for (const double mhz : {1.0, 333.3, 1711.0, 1980.0, 3201.0, 9999.0}) {
    const ClockDomain clock("any", mhz);
    for (const Cycle cycle : {Cycle{0}, Cycle{1}, Cycle{12345}, Cycle{1} << 40}) {
      if (cycle < kNever / clock.period_fs()) {
        CHECK(clock.edge_at_or_after(clock.time_of(cycle)) == cycle);
        CHECK(clock.edge_after(clock.time_of(cycle)) == cycle + 1);
      }
    }
  }
}

TEST_CASE("The end of time has no edge before it") {
  CHECK(ClockDomain("tiny", 1000).time_of(kNever) == kNeverFs);
}

TEST_CASE("A clock without frequency is an internal error") {
  CHECK_THROWS_AS(ClockDomain("none", 0), InternalError);
}

}  // namespace
}  // namespace warpsim
