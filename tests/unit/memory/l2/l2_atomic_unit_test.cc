#include "memory/l2/l2_atomic_unit.h"

#include <catch2/catch.hpp>

#include "unit/memory/l2_bench.h"

// A sector takes two cycles, a full one a cycle; 64 cycles of work may wait.
namespace warpsim::testing {
namespace {

// Executes one atomic on part of a sector.
void execute_partial(L2Bench& bench, Address line, Cycle now) {
  L2Waiter waiter;
  waiter.atomic_parts = bench.atomic_unit.parts_of(atomic_of(MemOp::kAtomic, line));
  bench.atomic_unit.execute(waiter, bench.map.home_of(line).line_number, line, 0x1, now);
}

}  // namespace

TEST_CASE("L2 atomic unit: a fully used sector takes less time than a partly used one") {
  L2Bench bench;
  MemRequest request = atomic_of(MemOp::kAtomic, bench.line());
  CHECK(bench.atomic_unit.parts_of(request) == 2 * 1024);
  request.sector_mask = 0x5;
  request.byte_mask = {0xffffffffU, 0xffU, 0x0fffffffU, 0xffU};  // sectors 1 and 3 are not in the mask
  CHECK(bench.atomic_unit.parts_of(request) == 3 * 1024);
}

TEST_CASE("L2 atomic unit: operations follow each other, and each is answered after the latency") {
  L2Config config = tiny_l2();
  config.atomic_latency_cycles = 7;
  L2Bench bench(config);
  const Address line = bench.line();
  CHECK(bench.atomic_unit.executed_at(100) == 100);
  execute_partial(bench, line, 100);
  CHECK(bench.atomic_unit.executed_at(100) == 102);
  CHECK(bench.atomic_unit.answer_at(100) == 109);
  execute_partial(bench, line, 101);
  CHECK(bench.atomic_unit.executed_at(101) == 104);
  CHECK(bench.stats[0].atomic_operations.value() == 2);
}

TEST_CASE("L2 atomic unit: a request whose sectors arrive in parts is charged once") {
  L2Bench bench;
  const Address line = bench.line();
  bench.fill(line, 0x3);
  L2Waiter waiter;
  waiter.atomic_parts = 4 * 1024;
  bench.atomic_unit.execute(waiter, bench.map.home_of(line).line_number, line, 0x1, 100);
  bench.atomic_unit.execute(waiter, bench.map.home_of(line).line_number, line, 0x2, 100);
  CHECK(bench.atomic_unit.executed_at(100) == 104);
  bench.array.clear();
  CHECK(bench.stats[0].flushed_sectors.value() == 2);  // both sectors became dirty
}

TEST_CASE("L2 atomic unit: it refuses requests from the limit of its backlog on") {
  L2Config config = tiny_l2();
  config.atomic_queue_cycles = 4;
  L2Bench bench(config);
  execute_partial(bench, bench.line(), 100);
  CHECK_FALSE(bench.atomic_unit.full(100));
  execute_partial(bench, bench.line(), 100);
  CHECK(bench.atomic_unit.full(100));
  CHECK(bench.atomic_unit.room_at(100) == 101);
  CHECK_FALSE(bench.atomic_unit.full(101));
}

}  // namespace warpsim::testing
