#include "core/sub_core/memory_dispatch.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

struct MemoryBench : SubCoreParts {
  SharedPipe address_unit;
  MemoryDispatch memory{0, lsu, barriers, address_unit, states};
};

KernelBuilder three_loads() {
  KernelBuilder k;
  for (int i = 0; i < 3; ++i) {
    k.ldg(4, {.base = 0x1000}).writes(0);
  }
  k.exit();
  return k;
}

TEST_CASE("A load occupies the queue and is expected to read its sources and to write its result") {
  MemoryBench bench;
  ResidentWarp& warp = bench.start(three_loads(), 100);
  CHECK_FALSE(bench.memory.blocked(0, warp.info(), 100));
  bench.memory.dispatch(0, warp, warp.info(), 100);
  CHECK(warp.in_flight == 2);
  CHECK(warp.stats->pipe[static_cast<std::size_t>(Pipe::kLsu)].value() == 1);
  CHECK_FALSE(bench.lsu.idle());
}

TEST_CASE("Warps that find the queue full wait in line, and the first one is examined when an entry is free") {
  MemoryBench bench;
  ResidentWarp& first = bench.start(three_loads(), 100);
  ResidentWarp& second = bench.start(three_loads(), 100);
  while (bench.memory.accepts(0)) {
    bench.memory.dispatch(0, first, first.info(), 100);
  }
  CHECK(bench.memory.blocked(0, first.info(), 101));
  CHECK(bench.memory.blocked(1, second.info(), 101));
  CHECK(bench.states.reason(1) == StallReason::kLgThrottle);
  CHECK_FALSE(bench.states.waits_for_event(1));
  Cycle now = 101;
  while (bench.lsu.tick(now) == 0) {
    ++now;
  }
  bench.memory.queue_freed(now);
  CHECK(bench.states.take_due(now) == 0b01);
  CHECK_FALSE(bench.memory.accepts(1));
  CHECK_FALSE(bench.memory.blocked(0, first.info(), now));
}

TEST_CASE("A warp that gives way leaves its place in line, and the next one is examined if the queue has space") {
  MemoryBench bench;
  ResidentWarp& first = bench.start(three_loads(), 100);
  ResidentWarp& second = bench.start(three_loads(), 100);
  while (bench.memory.accepts(0)) {
    bench.memory.dispatch(0, first, first.info(), 100);
  }
  bench.memory.blocked(0, first.info(), 101);
  bench.memory.blocked(1, second.info(), 101);
  bench.memory.give_way(1, 101);  // is not the first
  CHECK(bench.states.take_due(101) == 0);
  Cycle now = 101;
  while (bench.lsu.tick(now) == 0) {
    ++now;
  }
  bench.memory.give_way(0, now);
  CHECK(bench.states.take_due(now) == 0b10);
  CHECK(bench.memory.accepts(1));
  CHECK(bench.memory.blocked(0, first.info(), now));  // behind the other one
}

TEST_CASE("An LDC occupies the address unit of its sub-core, a load does not") {
  KernelBuilder k;
  k.ldc(4, 0, 0x210);
  k.ldg(5, {.base = 0x1000}).writes(0);
  k.exit();
  MemoryBench bench;
  ResidentWarp& warp = bench.start(k, 100);
  REQUIRE(warp.info().address_unit_cycles == 4);
  bench.memory.dispatch(0, warp, warp.info(), 100);
  CHECK(bench.address_unit.take(1, 101) == 101 + 4);  // free after what occupied it
  bench.skip(0, 100);
  bench.memory.dispatch(0, warp, warp.info(), 101);
  CHECK(bench.address_unit.take(1, 101) == 101 + 4 + 1);
}

}  // namespace
}  // namespace warpsim::test
