#include "core/sub_core/warp_readiness.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

KernelBuilder two_additions() {
  KernelBuilder k;
  k.iadd(4, 1, 2).stall(5);
  k.iadd(5, 4, 2).waits(0);
  k.exit();
  return k;
}

TEST_CASE("A warp is ready when nothing inside it prevents issue") {
  SubCoreParts parts;
  ResidentWarp& warp = parts.start(two_additions(), 100);
  parts.readiness.examine(0, warp, 100);
  CHECK(parts.is_ready(0));
  CHECK(parts.readiness.goes_on_at_once(0, warp, 100));
}

TEST_CASE("The first reason counts: hold, stall count, fetch, dependences") {
  SubCoreParts parts;
  ResidentWarp& warp = parts.start(two_additions(), 100);
  parts.skip(0, 100);
  IssueInfo load;
  load.write_barrier = 0;
  load.long_latency = true;
  warp.dependences.issued(load, warp.instruction(), 100);
  warp.hold = StallReason::kSleeping;
  const auto reason = [&](Cycle now) {
    parts.readiness.examine(0, warp, now);
    CHECK_FALSE(parts.is_ready(0));
    return parts.states.reason(0);
  };
  CHECK(reason(101) == StallReason::kSleeping);
  CHECK_FALSE(parts.readiness.goes_on_at_once(0, warp, 101));
  warp.hold = StallReason::kSelected;
  CHECK(reason(101) == StallReason::kWait);
  CHECK(parts.states.next_timer() == 105);
  CHECK(reason(105) == StallReason::kLongScoreboard);
  CHECK(parts.states.waits_for_event(0));
}

TEST_CASE("At a deferred barrier a warp issues only what passes barriers") {
  SubCoreParts parts;
  KernelBuilder k;
  k.iadd(4, 1, 2);
  k.lds(5, {.base = 0});
  k.exit();
  ResidentWarp& warp = parts.start(k, 100);
  warp.at_barrier = true;
  CHECK(warp.info().passes_barriers);
  parts.readiness.examine(0, warp, 100);
  CHECK(parts.is_ready(0));
  parts.skip(0, 100);
  parts.readiness.examine(0, warp, 101);
  CHECK(parts.states.reason(0) == StallReason::kBarrier);
  CHECK_FALSE(parts.readiness.goes_on_at_once(0, warp, 101));
}

TEST_CASE("A warp that waits for an instruction is examined when that is decoded, not at its own events") {
  SubCoreParts parts;
  KernelBuilder k;
  k.loop(
      2, [&] { k.iadd(4, 1, 2); }, 1);
  k.exit();
  ResidentWarp& warp = parts.start(k, 100);
  parts.skip(0, 100);
  parts.skip(0, 101);
  CHECK(parts.is_due(0, 102));
  parts.readiness.examine(0, warp, 102);
  CHECK(parts.states.reason(0) == StallReason::kBranchResolving);
  CHECK_FALSE(parts.states.waits_for_event(0));
  CHECK(parts.states.next_timer() == kNever);
  REQUIRE(parts.fetch.tick(105, parts.scheduler) == 0);
  parts.readiness.fetched(0, 105);
  CHECK(parts.states.next_timer() == 107);
}

}  // namespace
}  // namespace warpsim::test
