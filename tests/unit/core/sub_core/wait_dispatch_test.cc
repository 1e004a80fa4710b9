#include "core/sub_core/wait_dispatch.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

struct WaitBench : SubCoreParts {
  // Dispatches the first instruction of a warp.
  ResidentWarp& dispatched(const KernelBuilder& builder) {
    ResidentWarp& warp = start(builder, 100);
    waits.dispatch(0, warp, warp.info(), 100);
    return warp;
  }
  WaitDispatch waits{0, {barriers, async, grids, fences, completion, warp_events}};
};

TEST_CASE("A barrier holds its warp until the block has arrived, unless blocking is deferred") {
  KernelBuilder deferred;
  deferred.bar();
  deferred.exit();
  WaitBench one;
  ResidentWarp& warp = one.dispatched(deferred);
  CHECK(warp.at_barrier);
  CHECK_FALSE(warp.held());
  one.complete(100, 120);
  CHECK_FALSE(warp.at_barrier);
  CHECK(warp.in_flight == 0);

  KernelBuilder plain;
  plain.op("BAR.SYNC").raw().immediate = 0;
  plain.exit();
  WaitBench other;
  ResidentWarp& held = other.dispatched(plain);
  CHECK(held.hold == StallReason::kBarrier);
  other.complete(100, 120);
  CHECK_FALSE(held.held());
}

TEST_CASE("A warp that only arrives is not held") {
  KernelBuilder k;
  k.bar_arrive(1).raw().barrier_threads = 64;
  k.exit();
  WaitBench bench;
  const ResidentWarp& warp = bench.dispatched(k);
  CHECK_FALSE(warp.held());
  CHECK_FALSE(warp.at_barrier);
  CHECK(warp.in_flight == 0);
}

TEST_CASE("Fences and sleeps hold their warp for a time, instructions without lanes do not") {
  KernelBuilder fence;
  fence.membar_block();
  fence.exit();
  CHECK(WaitBench().dispatched(fence).hold == StallReason::kMembar);
  KernelBuilder sleep;
  sleep.op("NANOSLEEP");
  sleep.exit();
  CHECK(WaitBench().dispatched(sleep).hold == StallReason::kSleeping);
  KernelBuilder nothing;
  nothing.op("NANOSLEEP").lanes(0);
  nothing.exit();
  CHECK_FALSE(WaitBench().dispatched(nothing).held());
}

TEST_CASE("A wait for the kernels before holds its warp until they are over, and its source does not continue it") {
  KernelBuilder k;
  k.op("ACQBULK");
  k.iadd(4, 1, 2);
  k.exit();
  WaitBench bench;
  bench.grids.begin_launch(0, true);
  ResidentWarp& warp = bench.dispatched(k);
  CHECK(warp.hold == StallReason::kMisc);
  bench.streams.advance(0, warp, warp.info(), 100);
  CHECK(warp.suspended);
  CHECK_FALSE(warp.has_next());
  bench.grids.end_waits(0, 150);
  bench.complete(101, 149);
  CHECK(warp.held());
  bench.complete(150, 150);
  CHECK_FALSE(warp.held());
  CHECK(warp.has_next());
  CHECK(warp.in_flight == 0);
  WaitBench free;
  free.grids.begin_launch(0, false);
  CHECK_FALSE(free.dispatched(k).held());
}

TEST_CASE("The first warp of a block that lets dependent kernels begin counts for it") {
  KernelBuilder k;
  k.op("PREEXIT");
  k.exit();
  WaitBench bench;
  bench.grids.start_block(0);
  ResidentWarp& warp = bench.dispatched(k);
  CHECK_FALSE(warp.held());
  CHECK(bench.grids.triggers() == std::vector<std::uint32_t>{0});
  bench.grids.clear_triggers();
  bench.waits.dispatch(0, warp, warp.info(), 101);
  CHECK(bench.grids.triggers().empty());
  CHECK(bench.grids.has_triggered(0));
}

TEST_CASE("Other instructions hold nothing") {
  KernelBuilder k;
  k.iadd(4, 1, 2);
  k.exit();
  WaitBench bench;
  const ResidentWarp& warp = bench.dispatched(k);
  CHECK_FALSE(warp.held());
  CHECK(warp.in_flight == 0);
}

}  // namespace
}  // namespace warpsim::test
