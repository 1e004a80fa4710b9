#include "core/sub_core/warpgroup_dispatch.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

struct WarpgroupBench : SubCoreParts {
  WarpgroupDispatch dispatch{0, config.operand_read_cycles, warpgroups, states, warp_events};
};

TEST_CASE("A wait for a warpgroup's arrival ends with an event, or at a time that the engine knows") {
  KernelBuilder k;
  k.op("WARPGROUP.ARRIVE");
  k.op("WARPGROUP.WAIT");
  k.exit();
  WarpgroupBench bench;
  ResidentWarp& warp = bench.start(k, 100);
  CHECK_FALSE(bench.dispatch.blocked(0, warp, warp.info(), 100));
  bench.dispatch.dispatch(0, warp, warp.info(), 100);
  bench.skip(0, 100);
  REQUIRE(warp.info().warpgroup != WarpgroupRole::kNone);
  CHECK(bench.dispatch.blocked(0, warp, warp.info(), 101));
  CHECK(bench.states.reason(0) == StallReason::kGmma);
  const bool timed = bench.states.next_timer() != kNever && !bench.states.waits_for_event(0);
  CHECK(timed != (warp.in_flight == 1));
}

TEST_CASE("A warpgroup operation without lanes does not wait") {
  KernelBuilder k;
  k.op("WARPGROUP.ARRIVE").lanes(0);
  k.op("WARPGROUP.WAIT").lanes(0);
  k.exit();
  WarpgroupBench bench;
  ResidentWarp& warp = bench.start(k, 100);
  bench.dispatch.dispatch(0, warp, warp.info(), 100);
  bench.skip(0, 100);
  CHECK_FALSE(bench.dispatch.blocked(0, warp, warp.info(), 101));
  CHECK(warp.in_flight == 0);
}

}  // namespace
}  // namespace warpsim::test
