#include "core/sub_core/resident_warp.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("A hold ends with the next instruction, or with draining if there is none") {
  ResidentWarp warp;
  const WarpInstruction instruction;
  warp.stream.next = &instruction;
  warp.stream.end = &instruction + 1;
  warp.hold = StallReason::kBarrier;
  CHECK(warp.held());
  warp.end_hold();
  CHECK_FALSE(warp.held());
  warp.stream.next = warp.stream.end;
  warp.end_hold();
  CHECK(warp.hold == StallReason::kDrain);
}

TEST_CASE("A warp has ended when it drains and nothing of it is outstanding") {
  ResidentWarp warp;
  CHECK_FALSE(warp.ended());
  warp.hold = StallReason::kDrain;
  warp.expect(2);
  CHECK(warp.in_flight == 2);
  CHECK_FALSE(warp.ended());
  warp.in_flight = 0;
  CHECK(warp.ended());
}

TEST_CASE("What each issue changes is in the warp's first cache line") {
  CHECK(alignof(ResidentWarp) == 64);
  CHECK(offsetof(ResidentWarp, active_lanes) < 64);
}

}  // namespace
}  // namespace warpsim
