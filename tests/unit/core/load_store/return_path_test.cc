#include "core/load_store/return_path.h"

#include <catch2/catch.hpp>

#include "unit/core/load_store/path_bench.h"

namespace warpsim::test {
namespace {

MemoryInstruction issued_at(MemoryInstruction instruction, Cycle issued) {
  instruction.issued = issued;
  return instruction;
}

}  // namespace

TEST_CASE("Return path: a load is complete with its last line, and counted by the farthest") {
  PathBench bench;
  const std::uint32_t number =
      bench.returns.begin(issued_at(bench.instruction(OpKind::kLoad, MemorySpace::kGlobal), 100));
  bench.returns.expect(number, 1);
  bench.returns.expect(number, 1);
  REQUIRE(bench.returns.all_sent(number, {1, 0}));
  CHECK(bench.returns.arrived(number, 1, ServedBy::kDram, 150).passes == 0);
  CHECK(bench.events.empty());
  CHECK(bench.returns.arrived(number, 1, ServedBy::kL2Near, 160).passes == 0);
  CHECK(bench.results().at(0) == 170);
  CHECK(bench["lsu.load_latency_dram.sum"] == 70);
}

TEST_CASE("Return path: a load gives back the lines it holds with its last part") {
  PathBench bench;
  const std::uint32_t number = bench.returns.begin(bench.instruction(OpKind::kLoad, MemorySpace::kGlobal));
  bench.returns.expect(number, 2);
  bench.returns.hold_line(number);
  bench.returns.hold_line(number);
  CHECK(bench.returns.held_lines(number) == 2);
  bench.returns.all_sent(number, {1, 0});
  CHECK(bench.returns.arrived(number, 1, ServedBy::kDram, 150).held_lines == 0);
  CHECK(bench.returns.arrived(number, 1, ServedBy::kDram, 160).held_lines == 2);
}

TEST_CASE("Return path: registers are written pass by pass from the first data on") {
  PathBench bench;
  const std::uint32_t number = bench.returns.begin(bench.instruction(OpKind::kLoad, MemorySpace::kGlobal));
  bench.returns.expect(number, 2);
  bench.returns.all_sent(number, {1, 30});
  bench.returns.arrived(number, 1, ServedBy::kL2Near, 150);
  bench.returns.arrived(number, 1, ServedBy::kL2Near, 160);
  CHECK(bench.results().at(0) == 150 + 30 + 10);
}

TEST_CASE("Return path: data from memory occupy the data banks") {
  PathBench bench;
  const std::uint32_t number = bench.returns.begin(bench.instruction(OpKind::kLoad, MemorySpace::kGlobal));
  bench.returns.expect(number, 1);
  bench.returns.all_sent(number, {4, 0});
  bench.passes.take(1, 50, 150);  // one of the two turns, for 100 cycles
  bench.returns.arrived(number, 1, ServedBy::kL2Near, 150);
  CHECK(bench.passes.take(2, 1, 150) == 150 + 4 * 2);  // the other one
}

TEST_CASE("Return path: data that arrived before the last line was sent are handed out by the stage") {
  PathBench bench;
  const std::uint32_t number = bench.returns.begin(bench.instruction(OpKind::kLoad, MemorySpace::kGlobal));
  bench.returns.expect(number, 1);
  CHECK(bench.returns.arrived(number, 1, ServedBy::kL2Far, 150).passes == 0);
  CHECK(bench.events.empty());
  CHECK_FALSE(bench.returns.all_sent(number, {1, 6}));
  bench.returns.complete(number, 200);
  CHECK(bench.results().at(0) == 206);
  CHECK(bench["lsu.load_latency_l2_far.count"] == 1);
}

TEST_CASE("Return path: data of an atomic take the stage instead of the data banks") {
  PathBench bench;
  const std::uint32_t number = bench.returns.begin(bench.instruction(OpKind::kAtomic, MemorySpace::kGlobal));
  bench.returns.expect(number, 3);
  REQUIRE(bench.returns.all_sent(number, {5, 0}));
  CHECK(bench.returns.arrived(number, 1, ServedBy::kL2Near, 150).passes == 0);
  CHECK(bench.returns.arrived(number, 2, ServedBy::kL2Near, 151).passes == 5);
  CHECK(bench.results().at(0) == 161);
  CHECK(bench["lsu.atomic_latency.count"] == 1);
}

TEST_CASE("Return path: a copy through L1 is written to shared memory after that") {
  for (const bool bypass : {false, true}) {
    PathBench bench({"sm.load_store.copy_through_l1_cycles=7"});
    const MemoryInstruction copy = bench.instruction(OpKind::kAsyncCopy, MemorySpace::kGlobal);
    bench.info(copy).cache_op = bypass ? CacheOp::kBypassL1 : CacheOp::kDefault;
    const std::uint32_t number = bench.returns.begin(copy);
    bench.returns.all_sent(number, {1, 0});
    bench.returns.complete(number, 200);
    CHECK(bench.results().at(0) == (bypass ? 200 : 207));
  }
}

TEST_CASE("Return path: the number of a finished instruction is used again") {
  PathBench bench;
  const std::uint32_t first = bench.returns.begin(bench.instruction(OpKind::kLoad, MemorySpace::kGlobal));
  const std::uint32_t second = bench.returns.begin(bench.instruction(OpKind::kLoad, MemorySpace::kGlobal));
  CHECK(first != second);
  bench.returns.all_sent(first, {1, 0});
  bench.returns.complete(first, 200);
  CHECK(bench.returns.begin(bench.instruction(OpKind::kLoad, MemorySpace::kGlobal)) == first);
}

}  // namespace warpsim::test
