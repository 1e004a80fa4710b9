#include "memory/l2/l2_launch_traffic.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("A launch adds the system's reads and barriers, and more barriers for each SM that has stored") {
  LaunchStats<StatGroup> root{"root"};
  L2LaunchTraffic traffic({.read_sectors = 10,
                           .barriers = 100,
                           .fabric_barriers = 50,
                           .other_barriers = 7,
                           .barriers_per_sm = 4,
                           .fabric_barriers_per_sm = 3},
                          root);
  traffic.launch_ends(0, 0);
  traffic.launch_ends(0, 20);
  const auto counters = root[0].children()[0]->counters();
  REQUIRE(counters.size() == 4);
  CHECK(counters[0].value() == 2 * 10);
  CHECK(counters[1].value() == 2 * 100 + 20 * 4);
  CHECK(counters[2].value() == 2 * 50 + 20 * 3);
  CHECK(counters[3].value() == 2 * 7);
}

}  // namespace
}  // namespace warpsim
