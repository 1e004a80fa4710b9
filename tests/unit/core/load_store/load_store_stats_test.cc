#include "core/load_store/load_store_stats.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

struct CountedAccess {
  explicit CountedAccess(OpKind kind) {
    info.kind = kind;
    instruction.info = &info;
    instruction.instruction = 1;
  }
  IssueInfo info;
  MemoryInstruction instruction;
};

}  // namespace

TEST_CASE("Load/store counters: an access is counted by its kind and space") {
  StatGroup root{"root"};
  LoadStoreStats stats(root, "lsu");
  stats.count_access(CountedAccess(OpKind::kLoad).instruction, false, 4);
  stats.count_access(CountedAccess(OpKind::kStore).instruction, true, 3);
  stats.count_access(CountedAccess(OpKind::kReduction).instruction, false, 2);
  stats.count_access(CountedAccess(OpKind::kAsyncCopy).instruction, false, 1);
  CHECK(stats.global_load_sectors.value() == 5);
  CHECK(stats.local_store_sectors.value() == 3);
  CHECK(stats.global_reduction_sectors.value() == 2);
  CHECK(stats.async_copy_requests.value() == 1);
}

TEST_CASE("Load/store counters: passes of shared memory beyond the minimum are conflicts of their kind") {
  StatGroup root{"root"};
  LoadStoreStats stats(root, "lsu");
  stats.count_shared(CountedAccess(OpKind::kLoad).instruction, {4, 1});
  stats.count_shared(CountedAccess(OpKind::kStoreMatrix).instruction, {3, 2});
  stats.count_shared(CountedAccess(OpKind::kReduction).instruction, {8, 1});
  CHECK(stats.shared_load_conflicts.value() == 3);
  CHECK(stats.shared_store_conflicts.value() == 1);
  CHECK(stats.shared_atomic_conflicts.value() == 7);
  CHECK(stats.shared_wavefronts.value() == 15);
  CHECK(stats.stage_busy_cycles.value() == 15);
}

TEST_CASE("Load/store counters: a load's latency belongs to the place that its data came from") {
  StatGroup root{"root"};
  LoadStoreStats stats(root, "lsu");
  const CountedAccess load(OpKind::kLoad);
  stats.record_latency(load.instruction, ServedBy::kNone, 30);
  stats.record_latency(load.instruction, ServedBy::kL2Near, 200);
  stats.record_latency(load.instruction, ServedBy::kL2Far, 400);
  stats.record_latency(load.instruction, ServedBy::kDram, 600);
  stats.record_latency(CountedAccess(OpKind::kAtomic).instruction, ServedBy::kDram, 700);
  CHECK(stats.latency_l1.sum() == 30);
  CHECK(stats.latency_l2_near.sum() == 200);
  CHECK(stats.latency_l2_far.sum() == 400);
  CHECK(stats.latency_dram.sum() == 600);
  CHECK(stats.latency_atomic.sum() == 700);
}

TEST_CASE("Load/store counters: with a hot spot table, each instruction is also counted by itself") {
  StatGroup root{"root"};
  LoadStoreStats stats(root, "lsu");
  HotSpotTable table(2);
  stats.set_hot_spots(&table);
  const CountedAccess load(OpKind::kLoad);
  stats.count_access(load.instruction, false, 4);
  stats.count_lookup(load.instruction, 3, 1);
  stats.record_latency(load.instruction, ServedBy::kDram, 600);
  stats.count_shared(load.instruction, {4, 1});
  stats.record_shared_latency(load.instruction, 20);
  CHECK(table[1][HotSpotColumn::kRequests] == 2);
  CHECK(table[1][HotSpotColumn::kSectors] == 4);
  CHECK(table[1][HotSpotColumn::kHitSectors] == 3);
  CHECK(table[1][HotSpotColumn::kLoadsFromDram] == 1);
  CHECK(table[1][HotSpotColumn::kLoadCycles] == 620);
  CHECK(table[1][HotSpotColumn::kSharedWavefronts] == 4);
  CHECK(table[1][HotSpotColumn::kSharedConflicts] == 3);
  CHECK(table[0][HotSpotColumn::kRequests] == 0);
  stats.set_hot_spots(nullptr);
  stats.count_access(load.instruction, false, 4);
  CHECK(table[1][HotSpotColumn::kSectors] == 4);
}

}  // namespace warpsim
