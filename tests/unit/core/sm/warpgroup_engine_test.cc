// Warpgroup operations on the tiny GPU: a queue of two entries, freed 10 cycles after an operation's start (20 with
// A in shared memory); results after 40 cycles (30 for integers), 10 more with A in shared memory, and the products.
// Warps start at 114, 115, ...; the first operation follows the last arrival by 10 cycles.
#include "core/sm/warpgroup_engine.h"

#include <catch2/catch.hpp>

#include "support/machine.h"

namespace warpsim::test {
namespace {

using Cycles = std::vector<Cycle>;
constexpr const char* kShape64 = "HGMMA.64x64x16.F32.BF16";  // takes 32 cycles
constexpr const char* kShape8 = "HGMMA.64x8x16.F32.BF16";    // 18, limited by shared memory

void operation(KernelBuilder& k, const char* opcode, bool closes = false, bool a_in_registers = false) {
  StaticInstruction& instruction = k.op(opcode, 24).raw();
  instruction.mma_closes_group = closes;
  instruction.mma_a_in_registers = a_in_registers;
}

void wait_groups(KernelBuilder& k, std::int32_t at_most) {
  k.op("WARPGROUP.DEPBAR.LE").raw().immediate = at_most;
}

struct Warpgroups {
  explicit Warpgroups(const KernelBuilder& builder, std::uint32_t warps = 4, const Overrides& overrides = {})
      : kernel(builder, {.warps = warps}), run(test::run(kernel, perfect_front_end() + overrides)) {}
  const Cycles& issued(std::uint32_t warp = 0) const { return kernel.warp(warp).issued; }

  SyntheticKernel kernel;
  KernelRun run;
};

TEST_CASE("The first operation waits until all four warps have arrived") {
  KernelBuilder k;
  k.op("WARPGROUP.ARRIVE");
  operation(k, kShape64);
  k.exit();
  const Warpgroups result(k);
  CHECK(result.issued(0) == Cycles{114, 127, 128});
  CHECK(result.issued(3) == Cycles{117, 127, 128});
  CHECK(result.run["sm.sub_core.stalled_gmma"] == 12 + 11 + 10 + 9);
  CHECK(result.run["sm.warpgroup_mma.operations"] == 1);
  CHECK(result.run["sm.warpgroup_mma.shared_wavefronts"] == 32);
}

TEST_CASE("A wait only for arrivals releases the warps of a warpgroup together") {
  KernelBuilder k;
  k.op("WARPGROUP.ARRIVE");
  k.op("WARPGROUP.WAIT");
  k.exit();
  CHECK(Warpgroups(k).issued(1) == Cycles{115, 127, 128});
}

TEST_CASE("A wait for groups ends when the latency of the operation has elapsed") {
  const auto waited = [](const char* opcode, bool a_in_registers) {
    KernelBuilder k;
    k.op("WARPGROUP.ARRIVE");
    operation(k, opcode, true, a_in_registers);
    wait_groups(k, 0);
    k.exit();
    return Warpgroups(k).issued().at(2) - 127;
  };
  CHECK(waited(kShape64, false) == 40 + 10 + 32);
  CHECK(waited(kShape64, true) == 40 + 32);
  CHECK(waited("IGMMA.64x64x32.S8.S8", false) == 30 + 10 + 32);
  CHECK(waited("HGMMA.64x256x16.F32.BF16", false) == 40 + 10 + 128);
}

TEST_CASE("A wait may leave groups outstanding") {
  KernelBuilder k;
  k.op("WARPGROUP.ARRIVE");
  operation(k, kShape64, true);
  operation(k, kShape64, true);
  wait_groups(k, 1);
  wait_groups(k, 0);
  wait_groups(k, 0);
  k.exit();
  // Operations start at 127 and 159 and are done 82 cycles later; the last wait finds nothing outstanding.
  CHECK(Warpgroups(k).issued() == Cycles{114, 127, 128, 209, 241, 242, 243});
}

TEST_CASE("A wait takes its minimum time while any operation is outstanding, even if it waits for no group") {
  KernelBuilder k;
  k.op("WARPGROUP.ARRIVE");
  operation(k, kShape64, true);
  wait_groups(k, 1);
  k.exit();
  CHECK(Warpgroups(k).issued() == Cycles{114, 127, 128 + 15, 144});
}

TEST_CASE("A wait with a threshold that is unknown waits for all operations") {
  KernelBuilder k;
  k.op("WARPGROUP.ARRIVE");
  operation(k, kShape64);
  wait_groups(k, -1);
  k.exit();
  CHECK(Warpgroups(k).issued() == Cycles{114, 127, 209, 210});
}

TEST_CASE("Operations follow each other at their rate and hold their warps when the queue is full") {
  const auto five = [](bool a_in_registers) {
    KernelBuilder k;
    k.op("WARPGROUP.ARRIVE");
    for (int i = 0; i < 5; ++i) {
      operation(k, kShape64, i == 4, a_in_registers);
    }
    k.exit();
    return k;
  };
  // Starts at 127, 159, 191, ...: entries are free again at 147, 179, 211.
  const Warpgroups shared(five(false));
  CHECK(shared.issued() == Cycles{114, 127, 128, 147, 179, 211, 212});
  CHECK(Warpgroups(five(true)).issued() == Cycles{114, 127, 128, 137, 169, 201, 202});
  // One warp requests for the warpgroup.
  CHECK(shared.run["sm.sub_core.stalled_mio_throttle"] == 18 + 31 + 31);
  CHECK(shared.run["sm.sub_core.stalled_barrier"] == 3 * (18 + 31 + 31));
  CHECK(shared.run["sm.warpgroup_mma.busy_cycles"] == 5 * 32);
}

TEST_CASE("An operation starts when its last warp has issued it") {
  KernelBuilder k;
  k.op("WARPGROUP.ARRIVE");
  k.only([](std::uint32_t warp) { return warp == 3; }, [&] { k.op("DADD", 4, {1, 2}).stall(15); });
  k.only([](std::uint32_t warp) { return warp == 3; }, [&] { k.op("DADD", 4, {1, 2}).stall(15); });
  operation(k, kShape64, true);
  wait_groups(k, 0);
  k.exit();
  const Warpgroups result(k);
  const Cycle last = result.issued(3).at(3);
  CHECK(last > result.issued(0).at(1));
  CHECK(result.issued(0).at(2) == last + 82);
  CHECK(result.issued(3).at(4) == last + 82);
}

TEST_CASE("Warpgroups alternate if products are the limit") {
  KernelBuilder k;
  k.op("WARPGROUP.ARRIVE");
  for (int i = 0; i < 4; ++i) {
    operation(k, "HGMMA.64x128x16.F32.BF16", i == 3);  // 64 cycles
  }
  k.exit();
  const Warpgroups result(k, 8);
  // Entries are free 20 cycles after starts at 127, 191, 255, ...; the second warpgroup requests from 131 on.
  const Cycles first = {114, 127, 128, 147, 275, 276};
  CHECK(result.issued(0) == first);
  CHECK(result.issued(4).at(1) == 191 + 20);
  CHECK(result.issued(4).at(2) == 319 + 20);
}

TEST_CASE("If shared memory is the limit, a warpgroup continues until its group is closed") {
  KernelBuilder k;
  k.op("WARPGROUP.ARRIVE");
  for (int i = 0; i < 4; ++i) {
    operation(k, kShape8, i == 3);
  }
  k.exit();
  const Warpgroups result(k, 8);
  // Starts at 127, 145, 163, 181.
  CHECK(result.issued(0) == Cycles{114, 127, 128, 147, 165, 166});
  CHECK(result.issued(4).at(1) == 163 + 20);
}

TEST_CASE("Also with a scoreboard, operations on the same accumulators do not wait for each other") {
  KernelBuilder k(KernelBuilder::Dependences::kScoreboard);
  k.op("WARPGROUP.ARRIVE");
  for (int i = 0; i < 2; ++i) {
    StaticInstruction& instruction = k.op(kShape64, 24, {255, 255, 24}).raw();
    instruction.mma_closes_group = i == 1;
  }
  wait_groups(k, 0);
  k.exit();
  CHECK(Warpgroups(k).issued() == Cycles{114, 127, 128, 159 + 82, 242});
}

TEST_CASE("Operations that are predicated off have no effect") {
  KernelBuilder k;
  k.op("WARPGROUP.ARRIVE").lanes(0);
  k.op(kShape64, 24).lanes(0);
  k.exit();
  const Warpgroups result(k);
  CHECK(result.issued() == Cycles{114, 115, 116});
  CHECK(result.run["sm.warpgroup_mma.operations"] == 0);
}

TEST_CASE("Warpgroup operations behave the same with and without skipping") {
  KernelBuilder k;
  k.loop(5, [&] {
    k.op("WARPGROUP.ARRIVE");
    for (int i = 0; i < 3; ++i) {
      operation(k, kShape64, i == 2);
    }
    wait_groups(k, 1);
  });
  wait_groups(k, 0);
  k.exit();
  MachineOptions every_cycle;
  every_cycle.skip = false;
  SyntheticKernel skipped(k, {.blocks = 3, .warps = 8});
  SyntheticKernel ticked(k, {.blocks = 3, .warps = 8});
  CHECK(run(skipped).statistics == run(ticked, {}, every_cycle).statistics);
}

}  // namespace
}  // namespace warpsim::test
