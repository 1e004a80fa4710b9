// The interaction of the parts of an SM: how blocks and warps start, their places, how they end.
#include "core/sm/sm.h"

#include <catch2/catch.hpp>

#include "support/machine.h"

namespace warpsim::test {
namespace {

KernelBuilder long_kernel() {
  KernelBuilder k;
  for (int i = 0; i < 20; ++i) {
    k.op("DADD", 4, {1, 2}).stall(15);
  }
  k.exit();
  return k;
}

std::vector<Cycle> starts(const SyntheticKernel& kernel, std::uint64_t block, std::uint32_t warps) {
  std::vector<Cycle> cycles;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    cycles.push_back(kernel.warp(warp, block).started);
  }
  return cycles;
}

using Cycles = std::vector<Cycle>;

TEST_CASE("The warps of a block start one per cycle, two cycles after the block has arrived") {
  // The block leaves the scheduler at 100 and needs ten cycles to the SM.
  SyntheticKernel kernel(long_kernel(), {.warps = 4});
  run(kernel, perfect_front_end());
  CHECK(starts(kernel, 0, 4) == Cycles{112, 113, 114, 115});
}

TEST_CASE("Warps can start at another interval, or all at once") {
  SyntheticKernel slow(long_kernel(), {.warps = 3});
  run(slow, {"sm.warp_start_interval_cycles=5"});
  CHECK(starts(slow, 0, 3) == Cycles{112, 117, 122});
  SyntheticKernel at_once(long_kernel(), {.warps = 3});
  run(at_once, {"sm.warp_start_interval_cycles=0"});
  CHECK(starts(at_once, 0, 3) == Cycles{112, 112, 112});
}

TEST_CASE("The warps of a later block start after those of the earlier one") {
  // Blocks 0 and 2 go to SM 0 at 100 and 102. Block 2 could start at 114, but the warps of block 0 take until 116, and
  // only then do its own two cycles begin.
  SyntheticKernel kernel(long_kernel(), {.blocks = 4, .warps = 4});
  run(kernel, perfect_front_end());
  CHECK(starts(kernel, 0, 1) == Cycles{112});
  CHECK(starts(kernel, 1, 1) == Cycles{113});
  CHECK(starts(kernel, 2, 2) == Cycles{118, 119});
}

TEST_CASE("Warps are distributed evenly over the sub-cores") {
  SyntheticKernel kernel(long_kernel(), {.warps = 6});
  const KernelRun result = run(kernel, perfect_front_end());
  const auto warps = [&](int sub_core) {
    return result.statistics.at("sm[0].sub_core[" + std::to_string(sub_core) + "].warps_launched");
  };
  CHECK(warps(0) == 2);
  CHECK(warps(1) == 2);
  CHECK(warps(2) == 1);
  CHECK(warps(3) == 1);
}

TEST_CASE("An SM is active from the arrival of its first block to the end of its last") {
  KernelBuilder k;
  k.exit();
  // Arrives at 110, issues its exit at 114, has left at 115.
  CHECK(run(k, {}, perfect_front_end())["sm.cycles_active"] == 5);
}

TEST_CASE("A block slot is reused when its block has ended") {
  // Eight blocks of eight warps: one at a time on each of two SMs.
  SyntheticKernel kernel(long_kernel(), {.blocks = 8, .warps = 8});
  const KernelRun result = run(kernel, perfect_front_end());
  CHECK(result["sm.blocks_launched"] == 8);
  CHECK(result["sm.sub_core.warps_launched"] == 64);
  CHECK(result["sm.sub_core.inst_executed"] == kernel.instructions());
  // A block's place is reused when the scheduler is notified of its end, ten cycles later, and ten cycles after that
  // the next one arrives.
  const Cycle ended = kernel.warp(7, 0).issued.back() + 1;
  CHECK(kernel.warp(0, 2).started == ended + 10 + 10 + 2);
}

TEST_CASE("The block that arrived first or the one that arrived last is preferred, as the policy says") {
  // Three blocks on each of two SMs, a warp of each on a sub-core. The pipe takes an instruction in every second cycle
  // and a warp can issue in every fourth one, so two warps share the pipe for 80 cycles, and the third one, which needs
  // as long, waits for most of that time.
  KernelBuilder k;
  for (int i = 0; i < 20; ++i) {
    k.iadd(static_cast<std::uint8_t>(4 + i), 1, 2).stall(4);
  }
  k.exit();
  SyntheticKernel kernel(k, {.blocks = 6, .warps = 4});
  const auto end = [&](std::uint64_t block) { return kernel.warp(0, block).issued.back(); };
  Overrides overrides = perfect_front_end();
  for (const char* value :
       {"sm.sub_core.warp_slots=3", "occupancy.warps_per_sm=12", "sm.sub_core.fetch.instructions_per_cycle=4"}) {
    overrides.emplace_back(value);
  }
  overrides.emplace_back("sm.sub_core.scheduler.policy=oldest_block");
  run(kernel, overrides);
  CHECK(end(4) > end(0) + 60);
  CHECK(end(4) > end(2) + 60);
  overrides.back() = "sm.sub_core.scheduler.policy=cggty";
  run(kernel, overrides);
  CHECK(end(0) > end(2) + 50);  // it had issued a few instructions before the others came
  CHECK(end(0) > end(4) + 50);
}

TEST_CASE("Every warp slot has its own local memory") {
  KernelBuilder k;
  k.load("LDL", 4, {.base = 0, .lane_stride = 0}).writes(0);
  k.exit().waits(0);
  const KernelRun two = run(k, {.warps = 2, .local_bytes = 16});
  CHECK(two["sm.lsu.local_load_sectors"] == 8);
  CHECK(two["sm.l1.requested_sectors"] == 8);
}

TEST_CASE("A warp that follows another one in its slot finds the local memory of that warp in L1") {
  KernelBuilder k;
  k.load("LDL", 4, {.base = 0, .lane_stride = 0}).writes(0);
  k.exit().waits(0);
  // Block 2 follows block 0 in the only slot of SM 0.
  const KernelRun result = run(k, {.blocks = 4, .warps = 8, .local_bytes = 16});
  CHECK(result["sm.lsu.local_load_sectors"] == 4 * 8 * 4);
  CHECK(result["sm.l1.requested_sectors"] == 2 * 8 * 4);
}

TEST_CASE("Blocks on one SM share its L1, blocks on different SMs do not") {
  KernelBuilder k;
  k.ldg(4, {.base = 0x1000}).writes(0);
  k.exit().waits(0);
  CHECK(run(k, {.blocks = 1})["sm.l1.requested_sectors"] == 4);
  CHECK(run(k, {.blocks = 2})["sm.l1.requested_sectors"] == 8);
  CHECK(run(k, {.blocks = 6})["sm.l1.requested_sectors"] == 8);
}

TEST_CASE("Barriers of resident blocks do not disturb each other") {
  KernelBuilder k;
  k.only([](std::uint32_t warp) { return warp == 1; }, [&] { k.op("DADD", 4, {1, 2}).stall(15); });
  k.bar();
  k.exit();
  SyntheticKernel kernel(k, {.blocks = 6, .warps = 2});
  const KernelRun result = run(kernel, perfect_front_end());
  CHECK(result["sm.barriers.releases"] == 6);
  CHECK(result["sm.barriers.arrivals"] == 12);
}

}  // namespace
}  // namespace warpsim::test
