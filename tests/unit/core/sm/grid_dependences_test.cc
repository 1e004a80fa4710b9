#include "core/sm/grid_dependences.h"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

namespace warpsim::test {
namespace {

struct Waits {
  SmEvents events;
  GridDependences grids{4, events};
  // The warps that go on in [from, until], by cycle.
  std::multimap<Cycle, int> released(Cycle from, Cycle until) {
    std::multimap<Cycle, int> found;
    for (Cycle now = from; now <= until; ++now) {
      events.drain(now, [&](const SmEvent& event) {
        CHECK(event.kind == SmEvent::Kind::kWarpReady);
        found.emplace(now, event.warp);
      });
    }
    return found;
  }
};

}  // namespace

TEST_CASE("grid waits: the warps of a launch go on when the kernels before it are over") {
  Waits waits;
  waits.grids.begin_launch(0, true);
  waits.grids.begin_launch(1, true);
  CHECK(waits.grids.wait(0, {0, 3}, 10));
  CHECK(waits.grids.wait(1, {0, 4}, 11));
  CHECK(waits.grids.wait(0, {1, 5}, 12));
  waits.grids.end_waits(0, 40);
  CHECK(waits.released(10, 60) == std::multimap<Cycle, int>{{40, 3}, {40, 5}});
  waits.grids.end_waits(1, 70);
  CHECK(waits.released(61, 80) == std::multimap<Cycle, int>{{70, 4}});
}

TEST_CASE("grid waits: one that begins before a known end lasts until then, one that begins later does nothing") {
  Waits waits;
  waits.grids.begin_launch(0, true);
  waits.grids.end_waits(0, 40);
  CHECK(waits.grids.wait(0, {0, 1}, 39));
  CHECK_FALSE(waits.grids.wait(0, {0, 2}, 40));
  CHECK(waits.released(10, 60) == std::multimap<Cycle, int>{{40, 1}});
  waits.grids.begin_launch(0, false);  // the next launch of the seat
  CHECK_FALSE(waits.grids.wait(0, {0, 1}, 61));
}

TEST_CASE("grid waits: a block triggers once, the next block of its slot again") {
  Waits waits;
  waits.grids.start_block(2);
  CHECK_FALSE(waits.grids.has_triggered(2));
  waits.grids.trigger(2);
  waits.grids.trigger(2);
  CHECK(waits.grids.triggers() == std::vector<std::uint32_t>{2});
  waits.grids.clear_triggers();
  CHECK(waits.grids.has_triggered(2));
  waits.grids.start_block(2);
  CHECK_FALSE(waits.grids.has_triggered(2));
  waits.grids.trigger(2);
  CHECK(waits.grids.triggers() == std::vector<std::uint32_t>{2});
}

}  // namespace warpsim::test
