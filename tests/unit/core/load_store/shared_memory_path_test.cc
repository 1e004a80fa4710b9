#include "core/load_store/shared_memory_path.h"

#include <catch2/catch.hpp>

#include "unit/core/load_store/path_bench.h"

// Instructions are issued at 100 and start at 105 or later.
namespace warpsim::test {
namespace {

// The result of the only instruction that starts.
Cycle result_of(PathBench& bench, const MemoryInstruction& instruction, Cycle start = 105) {
  bench.shared.start(PathBench::queued(instruction), start);
  return bench.results().at(instruction.instruction);
}

}  // namespace

TEST_CASE("Shared memory path: a load answers after the shared latency, from its start on") {
  PathBench bench;
  CHECK(result_of(bench, bench.instruction(OpKind::kLoad, MemorySpace::kShared)) == 120);
  PathBench late;
  CHECK(result_of(late, late.instruction(OpKind::kLoad, MemorySpace::kShared), 111) == 126);
  CHECK(late["lsu.queueing.sum"] == 11);
  CHECK(late["lsu.load_latency_shared.sum"] == 26);
}

TEST_CASE("Shared memory path: conflicts and further registers delay the result") {
  PathBench bench;
  MemoryInstruction load = bench.instruction(OpKind::kLoad, MemorySpace::kShared, 0, 16);
  CHECK(result_of(bench, load) == 120 + 3 * 2);  // four lanes per bank
  CHECK(bench["lsu.shared_load_conflicts"] == 3);
  PathBench wide;
  MemoryInstruction load64 = wide.instruction(OpKind::kLoad, MemorySpace::kShared, 0, 8);
  wide.info(load64).bytes_per_lane = 8;
  CHECK(result_of(wide, load64) == 120 + 3);
}

TEST_CASE("Shared memory path: a store has no latency to record") {
  PathBench bench;
  CHECK(result_of(bench, bench.instruction(OpKind::kStore, MemorySpace::kShared)) == 120);
  CHECK(bench["lsu.load_latency_shared.count"] == 0);
  CHECK(bench["lsu.shared_store_requests"] == 1);
}

TEST_CASE("Shared memory path: atomics have a latency of their own") {
  PathBench bench;
  CHECK(result_of(bench, bench.instruction(OpKind::kAtomic, MemorySpace::kShared)) == 125);
}

TEST_CASE("Shared memory path: an instruction of no lanes takes its fixed time, whatever it is") {
  PathBench bench;
  MemoryInstruction off = bench.instruction(OpKind::kLoad, MemorySpace::kShared);
  off.active = 0;
  CHECK(result_of(bench, off) == 106);  // no sooner than after its pass; four cycles have already passed
  CHECK(bench["lsu.shared_load_requests"] == 0);
  CHECK(bench["lsu.shared_wavefronts"] == 1);
}

TEST_CASE("Shared memory path: textures, tensor copies and lane exchanges take their fixed times from issue on") {
  PathBench bench;
  CHECK(result_of(bench, bench.instruction(OpKind::kTexture, MemorySpace::kGlobal)) == 160);
  PathBench copies;
  CHECK(result_of(copies, copies.instruction(OpKind::kBulkCopy, MemorySpace::kGlobal)) == 300);
  PathBench exchanges;
  MemoryInstruction shuffle = exchanges.instruction(OpKind::kCompute, MemorySpace::kNone);
  shuffle.addresses.kind = LaneAddresses::Kind::kNone;
  exchanges.info(shuffle).latency_cycles = 23;
  CHECK(result_of(exchanges, shuffle) == 123);
}

TEST_CASE("Shared memory path: an exchange of lanes that waits for its pass ends that much later") {
  PathBench bench;
  MemoryInstruction shuffle = bench.instruction(OpKind::kCompute, MemorySpace::kNone);
  shuffle.addresses.kind = LaneAddresses::Kind::kNone;
  bench.info(shuffle).latency_cycles = 23;
  CHECK(result_of(bench, shuffle, 109) == 127);
}

TEST_CASE("Shared memory path: an LDC goes to the indexed constant cache") {
  PathBench bench({"sm.constant_caches.perfect=true"});
  MemoryInstruction load = bench.instruction(OpKind::kConstantLoad, MemorySpace::kConstant);
  load.addresses.kind = LaneAddresses::Kind::kNone;
  CHECK(result_of(bench, load) == 130);
  CHECK(bench["constant_caches.indexed_requests"] == 1);
  CHECK(bench["lsu.wavefronts"] == 0);
}

TEST_CASE("Shared memory path: one instruction starts per cycle, a store to another block takes longer") {
  PathBench bench;
  bench.shared.start(PathBench::queued(bench.instruction(OpKind::kLoad, MemorySpace::kShared)), 105);
  CHECK(bench.shared.free_at() == 106);
  QueuedAccess store = PathBench::queued(bench.instruction(OpKind::kStore, MemorySpace::kGeneric));
  store.space = MemorySpace::kCluster;
  bench.shared.start(store, 106);
  CHECK(bench.shared.free_at() == 111);
  QueuedAccess load = PathBench::queued(bench.instruction(OpKind::kLoad, MemorySpace::kGeneric));
  load.space = MemorySpace::kCluster;
  bench.shared.start(load, 111);
  CHECK(bench.shared.free_at() == 112);
  const std::map<std::uint32_t, Cycle> results = bench.results();
  CHECK(results.at(1) == 107);
  CHECK(results.at(2) == 200);
  CHECK(bench["lsu.remote_store_requests"] == 1);
  CHECK(bench["lsu.remote_load_requests"] == 1);
}

TEST_CASE("Shared memory path: a barrier operation without a known barrier takes the barrier's latency") {
  PathBench bench;
  const AsyncOperation ignored{.kind = AsyncOperation::Kind::kIgnore};
  MemoryInstruction barrier = bench.instruction(OpKind::kCompute, MemorySpace::kNone);
  barrier.operations = &ignored;
  CHECK(result_of(bench, barrier) == 120);
  CHECK(bench["lsu.stage_busy_cycles"] == 1);
}

}  // namespace warpsim::test
