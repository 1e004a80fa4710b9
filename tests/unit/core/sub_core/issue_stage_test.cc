#include "core/sub_core/issue_stage.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

struct IssueBench : SubCoreParts {
  explicit IssueBench(const Overrides& overrides = {})
      : SubCoreParts(overrides),
        constant_operands(0, constants, states),
        dispatch(0, config, gpu.sm.execution, {lsu, warpgroups, barriers, async, grids},
                 {units, adu, issue_slots, results, states, warp_events}, fences, completion),
        issue(config.issue, issue_slots, {warps, scheduler, states, readiness, constant_operands, dispatch, streams}) {}
  // One cycle in which these warps are examined before.
  void tick(WarpMask examined, Cycle now) {
    for (std::uint32_t slot = 0; slot < warps.size(); ++slot) {
      if ((examined >> slot & 1U) != 0) {
        readiness.examine(slot, warps[slot], now);
      }
    }
    issue.tick(now);
  }

  ConstantOperands constant_operands;
  Dispatch dispatch;
  IssueStage issue;
};

KernelBuilder three_additions() {
  KernelBuilder k;
  for (std::uint8_t i = 0; i < 3; ++i) {
    k.iadd(static_cast<std::uint8_t>(4 + i), 1, 2);
  }
  k.exit();
  return k;
}

TEST_CASE("One of the ready warps issues, and goes on to its next instruction") {
  IssueBench bench;
  const ResidentWarp& first = bench.start(three_additions(), 100);
  const ResidentWarp& second = bench.start(three_additions(), 100);
  CHECK(bench.issue.next_issue(100) == kNever);
  bench.tick(0b11, 100);
  CHECK(first.stream.next->index + second.stream.next->index == 1);
  CHECK(bench.stats[0].inst_executed.value() == 1);
  CHECK(bench.issue.next_issue(100) == 101);
}

TEST_CASE("A warp that something outside blocks leaves the slot to another one") {
  KernelBuilder doubles;
  doubles.op("DADD", 4, {1, 2});
  doubles.op("DADD", 6, {1, 2});
  doubles.exit();
  IssueBench bench;
  const ResidentWarp& other = bench.start(three_additions(), 100);
  const ResidentWarp& blocked = bench.start(doubles, 100);
  bench.tick(0b10, 100);
  CHECK(blocked.stream.next->index == 1);
  bench.tick(0b11, 101);
  CHECK(blocked.stream.next->index == 1);
  CHECK(bench.states.reason(1) == StallReason::kMathPipeThrottle);
  CHECK(other.stream.next->index == 1);
}

TEST_CASE("A missing constant spends the slot without execution") {
  KernelBuilder k;
  k.iadd_constant(4, 1, 0, 0x210);
  k.exit();
  IssueBench bench({"sm.constant_caches.perfect=false"});
  bench.start(k, 100);
  const ResidentWarp& other = bench.start(three_additions(), 100);
  bench.tick(0b11, 100);
  CHECK(bench.stats[0].inst_issued.value() == 1);
  CHECK(bench.stats[0].inst_executed.value() == 0);
  CHECK(other.stream.next->index == 0);
  CHECK(bench.states.reason(0) == StallReason::kImcMiss);
}

TEST_CASE("Two independent instructions of a warp issue in one slot where the rules allow it") {
  KernelBuilder k(KernelBuilder::Dependences::kScoreboard);
  k.iadd(4, 1, 2);
  k.ffma(5, 1, 2, 3);
  k.iadd(6, 5, 4);
  k.exit();
  IssueBench bench({"sm.sub_core.issue.pairs=independent"});
  const ResidentWarp& warp = bench.start(k, 100);
  bench.tick(0b1, 100);
  CHECK(warp.stream.next->index == 2);
  CHECK(bench.stats[0].pairs_issued.value() == 1);
}

TEST_CASE("Executions are recorded where hot spots are wanted") {
  HotSpotTable table(4);
  IssueBench bench;
  bench.start(three_additions(), 100, &table);
  bench.tick(0b1, 100);
  CHECK(table[0][HotSpotColumn::kExecuted] == 1);
  CHECK(table[0][HotSpotColumn::kThreadsExecuted] == kWarpSize);
}

}  // namespace
}  // namespace warpsim::test
