// The cycles of resident warps: each has exactly one stall reason.
#include "core/sub_core/warp_states.h"

#include <catch2/catch.hpp>

#include "support/machine.h"

namespace warpsim::test {
namespace {

std::uint64_t all_stalls(const KernelRun& result) {
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < kStallReasonCount; ++i) {
    total += result[std::string("sm.sub_core.stalled_") + to_string(static_cast<StallReason>(i))];
  }
  return total;
}

KernelBuilder mixed_kernel() {
  KernelBuilder k;
  k.iadd_constant(1, 2, 0, 0x210);
  k.loop(4, [&] {
    k.ldg(4, {.base = 0x10000, .warp_stride = 0x1000, .round_stride = 128}).writes(0);
    k.lds(5, {.base = 0, .lane_stride = 16}).writes(1);
    k.ffma(6, 0, 2, 8);
    k.ffma(7, 0, 2, 8);
    k.mufu(8, 6).writes(2);
    k.iadd(9, 4, 5).waits(0).waits(1);
    k.sts({.base = 0, .lane_stride = 32}, 9).waits(2);
    k.bar();
    k.ldgsts({.base = 0x40000, .lane_stride = 16, .warp_stride = 512}).stall(2);
    k.commit(3);
    k.depbar(3, 0);
    k.stg({.base = 0x20000, .warp_stride = 128}, 9).yield();
  });
  k.membar_device();
  k.op("NANOSLEEP");
  k.exit();
  return k;
}

TEST_CASE("Every cycle of a resident warp has exactly one stall reason") {
  // One warp per sub-core: warp-cycles are the sub-cores' active cycles.
  for (const KernelShape shape : {KernelShape{.blocks = 1, .warps = 1}, KernelShape{.blocks = 2, .warps = 4}}) {
    const KernelRun result = run(mixed_kernel(), shape);
    CHECK(all_stalls(result) == result["sm.sub_core.cycles_active"]);
  }
}

TEST_CASE("A warp is selected in exactly the cycles in which it issues") {
  const KernelRun result = run(mixed_kernel(), {.blocks = 2, .warps = 4});
  CHECK(result["sm.sub_core.stalled_selected"] == result["sm.sub_core.inst_executed"]);
}

TEST_CASE("Warps that share a sub-core add up to the time that they were resident") {
  KernelBuilder k;
  k.loop(5, [&] {
    k.ffma(4, 0, 2, 6).stall(2);
    k.iadd(5, 4, 1);
    k.mufu(6, 5).writes(0);
    k.iadd(5, 6, 1).waits(0);
    k.bar();
  });
  k.exit();
  SyntheticKernel kernel(k, {.blocks = 1, .warps = 8});
  const KernelRun result = run(kernel);
  std::uint64_t resident = 0;
  for (std::uint32_t warp = 0; warp < 8; ++warp) {
    resident += kernel.warp(warp).issued.back() + 1 - kernel.warp(warp).started;
  }
  CHECK(all_stalls(result) == resident);
}

TEST_CASE("Warp states attribute every cycle to the current reason, independent of the time of queries") {
  StatGroup root("root");
  SubCoreStats stats(root, "sub_core", 0);
  Cycle wake = kNever;
  WarpStates states(2, wake);
  states.admit(0, stats.stalled, 100);
  states.examine_later(0, 100);
  CHECK(wake == 100);
  CHECK(states.take_due(100) == 1);
  states.wait_until(0, StallReason::kNoInstruction, 110, 100);
  CHECK(states.take_due(109) == 0);
  CHECK(states.take_due(110) == 1);
  states.make_ready(0, 110);
  states.issued(0, 115, 112);
  CHECK(states.next_timer() == 115);
  CHECK(states.take_due(115) == 1);
  states.wait(0, StallReason::kLongScoreboard, 115);
  states.remove(0, 150);
  const auto credited = [&](StallReason reason) { return stats.stalled[static_cast<std::size_t>(reason)].value(); };
  CHECK(credited(StallReason::kNoInstruction) == 10);
  CHECK(credited(StallReason::kNotSelected) == 2);
  CHECK(credited(StallReason::kSelected) == 1);
  CHECK(credited(StallReason::kWait) == 2);
  CHECK(credited(StallReason::kLongScoreboard) == 35);
  CHECK(states.resident() == 0);
}

TEST_CASE("A warp that waits for something else does not wait for its events") {
  StatGroup root("root");
  SubCoreStats stats(root, "sub_core", 0);
  Cycle wake = kNever;
  WarpStates states(2, wake);
  states.admit(0, stats.stalled, 100);
  states.wait(0, StallReason::kLongScoreboard, 100);
  CHECK(states.waits_for_event(0));
  states.wait_elsewhere(0, StallReason::kLgThrottle, 100);
  CHECK_FALSE(states.waits_for_event(0));
  states.examine_all(0b1, 105);
  CHECK(wake == 105);
  CHECK(states.take_due(105) == 0b1);
  states.wait(0, StallReason::kLongScoreboard, 105);
  CHECK(states.waits_for_event(0));
}

TEST_CASE("Each warp's cycles are counted where its launch counts them") {
  StatGroup root("root");
  SubCoreStats one(root, "sub_core", 0);
  SubCoreStats other(root, "sub_core", 1);
  Cycle wake = kNever;
  WarpStates states(2, wake);
  states.admit(0, one.stalled, 100);
  states.admit(1, other.stalled, 100);
  states.wait(0, StallReason::kMembar, 110);
  states.wait(1, StallReason::kBarrier, 120);
  states.close_accounts(150);
  const auto of = [](const SubCoreStats& stats, StallReason reason) {
    return stats.stalled[static_cast<std::size_t>(reason)].value();
  };
  CHECK(of(one, StallReason::kMembar) == 40);
  CHECK(of(one, StallReason::kBarrier) == 0);
  CHECK(of(other, StallReason::kBarrier) == 30);
  CHECK(of(other, StallReason::kNoInstruction) == 20);
}

}  // namespace
}  // namespace warpsim::test
