// Elapsed cycles of small kernels on the tiny GPU, derived by hand. A change here is a change of the machine.
//
// Every kernel pays 100 cycles of launch overhead, 10 to send a block to its SM, 2 to its first warp and 2 to fetch
// and decode the first instruction, which issues at cycle 114 of a warm front end. The block ends a cycle after its
// last warp's exit has issued (or when its last result arrives), is reported 10 cycles later, and the launch is over
// 50 cycles after that: an exit issued at cycle E ends a launch of one block at E + 61.
#include <catch2/catch.hpp>

#include "support/machine.h"

namespace warpsim::test {
namespace {

constexpr Cycle kFirstIssue = 114;
constexpr Cycle kAfterExit = 61;

Cycle elapsed(const KernelBuilder& k, const KernelShape& shape = {}, const Overrides& overrides = {}) {
  return run(k, shape, perfect_front_end() + overrides).result.elapsed_cycles;
}

TEST_CASE("Golden: an empty kernel") {
  KernelBuilder k;
  k.exit();
  CHECK(elapsed(k) == kFirstIssue + kAfterExit);
}

TEST_CASE("Golden: eight dependent FFMAs") {
  KernelBuilder k;
  for (int i = 0; i < 8; ++i) {
    k.ffma(4, 4, 1, 2).stall(4);
  }
  k.exit();
  CHECK(elapsed(k) == kFirstIssue + 8 * 4 + kAfterExit);
}

TEST_CASE("Golden: a loop of ten iterations") {
  // A round is an addition and a branch one cycle later; the next begins 6 cycles after the branch (4 until the target
  // is fetched, 2 to decode it). The last branch falls through with its stall count of one, but uses its pipe for two.
  KernelBuilder k;
  k.loop(
      10, [&] { k.iadd(4, 1, 2); }, 1);
  k.exit();
  CHECK(elapsed(k) == kFirstIssue + 9 * 7 + 1 + 2 + kAfterExit);
}

TEST_CASE("Golden: four warps in step") {
  // Warps start a cycle apart on their own sub-cores; the last issues its exit three cycles after the first.
  KernelBuilder k;
  for (int i = 0; i < 8; ++i) {
    k.ffma(4, 4, 1, 2).stall(4);
  }
  k.exit();
  CHECK(elapsed(k, {.warps = 4}) == kFirstIssue + 8 * 4 + 3 + kAfterExit);
}

TEST_CASE("Golden: blocks one after another on two SMs") {
  // Blocks of eight warps fill an SM. Blocks 0 and 1 start at 100 and 101; block 2 follows block 0 on SM 0. The second
  // warps of the sub-cores start four cycles after the first ones, warp 7 at 7, and issue their exits 32 cycles after
  // their first instruction: block 0 ends at 114 + 7 + 32 + 1 = 154. Chains of two warps with four cycles a step do not
  // disturb each other, since they start four cycles apart and issue in turn, the younger first: a warp whose turn
  // falls on the other's issues a cycle later, once.
  KernelBuilder k;
  for (int i = 0; i < 8; ++i) {
    k.ffma(4, 4, 1, 2).stall(4);
  }
  k.exit();
  SyntheticKernel kernel(k, {.blocks = 3, .warps = 8});
  const KernelRun result = run(kernel, perfect_front_end());
  const Cycle first_block_left = kernel.warp(7, 0).issued.back() + 1;
  CHECK(first_block_left - 154 <= 2);
  // Its space is free 10 cycles later; block 2 needs 10 + 2 + 2 to its first issue and runs like block 0.
  CHECK(kernel.warp(0, 2).issued.front() == first_block_left + 24);
  CHECK(result.result.elapsed_cycles == kernel.warp(7, 2).issued.back() + kAfterExit);
}

TEST_CASE("Golden: a dependent chain through shared memory") {
  // Store, barrier, load with a four-way conflict, dependent addition. STS at 0, BAR at 1, released at 11; LDS at 11
  // and its result 20 + 3 * 2 later at 37; the exit follows the addition a cycle later.
  KernelBuilder k;
  k.sts({.base = 0}, 4);
  k.bar();
  k.lds(5, {.base = 0, .lane_stride = 16}).writes(0);
  k.iadd(6, 5, 5).waits(0);
  k.exit();
  CHECK(elapsed(k) == kFirstIssue + 37 + 1 + kAfterExit);
}

TEST_CASE("Golden: a load that hits L2") {
  // One sector: usable after 66 cycles (see latency_test.cc); the addition issues then, the exit a cycle
  // later.
  KernelBuilder k;
  k.ldg(4, {.base = 0x10000, .lane_stride = 0}).writes(0);
  k.iadd(5, 4, 4).waits(0);
  k.exit();
  CHECK(elapsed(k, {}, {"l2.perfect=true"}) == kFirstIssue + 66 + 1 + kAfterExit);
}

TEST_CASE("Golden: a load that goes to DRAM, near") {
  // One partition. 66 cycles to L2 and back, 25 to the channel; there, at 2000 MHz: activate 10, read 10, burst 2,
  // return 18, 40 half cycles. The address stands for a closed bank.
  KernelBuilder k;
  k.ldg(4, {.base = 0x10000, .lane_stride = 0}).writes(0);
  k.iadd(5, 4, 4).waits(0);
  k.exit();
  CHECK(elapsed(k, {}, {"address_map.num_partitions=1"}) == kFirstIssue + 66 + 25 + 20 + 1 + kAfterExit);
}

TEST_CASE("Golden: a load, a computation and a store of four warps") {
  // Each warp loads a line (four sectors, 128 bytes): requests leave the SM a cycle apart at 120 to 123 and are at the
  // slices of L2 a cycle apart. The port returns 64 bytes per cycle: lines at 56, 58, 60 and 62 after the
  // first issue, usable 10 later. Then an addition and, four cycles later, a store: it has read its registers 10 cycles
  // after issue, and then its warp, whose exit issued before, may leave.
  KernelBuilder k;
  k.ldg(4, {.base = 0x10000, .warp_stride = 128}).writes(0);
  k.iadd(5, 4, 4).waits(0).stall(4);
  k.stg({.base = 0x20000, .warp_stride = 128}, 5);
  k.exit();
  SyntheticKernel kernel(k, {.warps = 4});
  const KernelRun result = run(kernel, perfect_front_end() + Overrides{"l2.perfect=true"});
  for (std::uint32_t warp = 0; warp < 4; ++warp) {
    CHECK(kernel.warp(warp).issued[1] == kFirstIssue + 56 + 2 * warp + 10);
  }
  // The stores issue at 184 to 190, two cycles apart, and leave the SM seven cycles after, when none has come for one.
  // Their 128 bytes occupy the port for 4 cycles each: the last is sent at 191 + 12 = 203, at its slice at 233 and
  // acknowledged at 253, long after its block has ended; 50 more to the end of the launch.
  CHECK(result.result.elapsed_cycles == 253 + 50);
}

TEST_CASE("Golden: cold instructions") {
  // GPC cache perfect. Fetch misses at 112: 5 to the GPC cache, 10 there, 5 back, at the L0 a cycle later, 133; decoded
  // at 135. Eight instructions to a line; the fetch of the second line starts when the ninth instruction is needed, as
  // soon as the buffer of three has space: at 133 + 8. 21 cycles later it has arrived and is decoded at 164.
  KernelBuilder k;
  for (int i = 0; i < 12; ++i) {
    k.ffma(4, 1, 2, 255);
  }
  k.exit();
  SyntheticKernel kernel(k, {});
  const KernelRun result = run(kernel, {"gpc_cache.perfect=true"});
  CHECK(kernel.warp(0).issued.front() == 135);
  CHECK(kernel.warp(0).issued[7] == 142);
  CHECK(kernel.warp(0).issued[8] == 164);
  CHECK(result.result.elapsed_cycles == 164 + 4 + kAfterExit);
}

TEST_CASE("Golden: atomics of a warp on one address") {
  // 66 cycles to L2 and back, and 32 operations there at one in two cycles.
  KernelBuilder k;
  k.load("ATOMG.E.ADD", 4, {.base = 0x10000, .lane_stride = 0}).writes(0);
  k.iadd(5, 4, 4).waits(0);
  k.exit();
  CHECK(elapsed(k, {}, {"l2.perfect=true"}) == kFirstIssue + 66 + 32 * 2 + 1 + kAfterExit);
}

}  // namespace
}  // namespace warpsim::test
