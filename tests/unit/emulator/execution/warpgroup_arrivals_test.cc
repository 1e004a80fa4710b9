// The barrier between the warps of a warpgroup.
#include "emulator/execution/warpgroup_arrivals.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("warpgroup arrivals: a warp waits for as many arrivals of the others as it has itself") {
  WarpgroupArrivals arrivals;
  arrivals.start(6);
  CHECK(arrivals.may_go_on(0));
  arrivals.arrive(0);
  CHECK_FALSE(arrivals.may_go_on(0));
  CHECK(arrivals.may_go_on(1));  // has not arrived itself
  arrivals.arrive(1);
  arrivals.arrive(2);
  arrivals.arrive(2);
  CHECK_FALSE(arrivals.may_go_on(1));
  arrivals.arrive(3);
  CHECK(arrivals.may_go_on(0));
  CHECK_FALSE(arrivals.may_go_on(2));
  arrivals.arrive(4);  // another group, with two warps
  CHECK_FALSE(arrivals.may_go_on(4));
  arrivals.arrive(5);
  CHECK(arrivals.may_go_on(4));
}

TEST_CASE("warpgroup arrivals: nobody waits for a warp that has ended") {
  WarpgroupArrivals arrivals;
  arrivals.start(4);
  for (const std::uint32_t warp : {0U, 1U, 2U}) {
    arrivals.arrive(warp);
  }
  CHECK_FALSE(arrivals.may_go_on(0));
  arrivals.exited(3);
  CHECK(arrivals.may_go_on(0));
}

}  // namespace
}  // namespace warpsim
