#include "core/sm/launch_waits.h"

#include <catch2/catch.hpp>
#include <vector>

namespace warpsim {
namespace {

TEST_CASE("A warp that waits for grids of its block gets one event when they are over") {
  SmEvents events;
  LaunchWaits waits(events);
  CHECK(waits.empty());
  waits.wait({.block_slot = 3, .warp_in_block = 1, .sub_core = 0, .slot = 5});
  waits.wait({.block_slot = 2, .warp_in_block = 0, .sub_core = 1, .slot = 5});
  waits.wait({.block_slot = 3, .warp_in_block = 4, .sub_core = 1, .slot = 6});
  CHECK(waits.blocks() == std::vector<std::uint32_t>{3, 2});
  CHECK(waits.waits(1, 6));
  CHECK_FALSE(waits.waits(0, 6));

  waits.end(3, 4, 50);
  waits.end(3, 4, 60);  // it no longer waits
  waits.end(3, 7, 70);  // it never did
  std::vector<Cycle> cycles;
  for (Cycle now = 0; now < 100; ++now) {
    events.drain(now, [&](const SmEvent& event) {
      CHECK(event.kind == SmEvent::Kind::kWarpReady);
      CHECK(event.sub_core == 1);
      CHECK(event.warp == 6);
      cycles.push_back(now);
    });
  }
  CHECK(cycles == std::vector<Cycle>{50});

  waits.forget(3);
  CHECK(waits.blocks() == std::vector<std::uint32_t>{2});
}

}  // namespace
}  // namespace warpsim
