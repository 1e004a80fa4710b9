// Block barriers: which warps wait, for what, and what issues meanwhile. Times are those of the tiny GPU;
// the first warp of a kernel issues its first instruction at cycle 114.
#include <catch2/catch.hpp>

#include "core/sub_core/sub_core.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

TEST_CASE("A barrier releases its warps ten cycles after the last arrival") {
  KernelBuilder k;
  k.bar();
  k.exit();
  SyntheticKernel kernel(k, {.warps = 2});
  const KernelRun result = run(kernel, perfect_front_end());
  // Arrivals are processed two cycles apart: at 114 and 116.
  CHECK(kernel.warp(0).issued == std::vector<Cycle>{114, 126});
  CHECK(kernel.warp(1).issued == std::vector<Cycle>{115, 126});
  CHECK(result["sm.sub_core.stalled_barrier"] == 11 + 10);
  CHECK(result["sm.barriers.releases"] == 1);
}

TEST_CASE("A warp that exits releases the others at the barrier") {
  KernelBuilder k;
  k.only([](std::uint32_t warp) { return warp == 0; }, [&] { k.bar(); });
  k.mufu(4, 1).stall(15);
  k.exit();
  SyntheticKernel kernel(k, {.warps = 2});
  run(kernel, perfect_front_end());
  // Warp 1 jumps to MUFU and EXIT, 15 cycles apart, and has left a cycle later.
  const Cycle left = kernel.warp(1).issued.back() + 1;
  CHECK(kernel.warp(0).issued[1] == left + 10);
}

TEST_CASE("A warp that only arrives at a barrier does not wait") {
  KernelBuilder k;
  k.only([](std::uint32_t warp) { return warp == 0; }, [&] { k.bar_arrive(1).raw().barrier_threads = 64; });
  k.only([](std::uint32_t warp) { return warp == 1; },
         [&] {
           k.op("DADD", 4, {1, 2}).stall(15);
           k.bar(1).raw().barrier_threads = 64;
         });
  k.exit();
  SyntheticKernel kernel(k, {.warps = 2});
  run(kernel, perfect_front_end());
  CHECK(kernel.warp(0).gaps() == Gaps{6});  // jumps over warp 1's part
  CHECK(kernel.warp(1).gaps() == Gaps{15, 10});
}

TEST_CASE("A named barrier of two warps does not wait for the rest of the block") {
  KernelBuilder k;
  k.only([](std::uint32_t warp) { return warp < 2; }, [&] { k.bar(1).raw().barrier_threads = 64; });
  k.only([](std::uint32_t warp) { return warp >= 2; },
         [&] {
           for (int i = 0; i < 10; ++i) {
             k.op("DADD", 4, {1, 2}).stall(15);
           }
         });
  k.exit();
  SyntheticKernel kernel(k, {.warps = 4});
  run(kernel, perfect_front_end());
  CHECK(kernel.warp(0).issued.back() == kernel.warp(1).issued[0] + 1 + 10);  // processed a cycle after warp 0's arrival
}

TEST_CASE("A barrier that is predicated off neither arrives nor waits") {
  KernelBuilder k;
  k.only([](std::uint32_t warp) { return warp == 0; },
         [&] {
           k.bar().lanes(0);
           k.op("DADD", 4, {1, 2}).stall(15);
         });
  k.bar();
  k.exit();
  SyntheticKernel kernel(k, {.warps = 2});
  run(kernel, perfect_front_end());
  CHECK(kernel.warp(0).gaps() == Gaps{1, 15, 10});
  CHECK(kernel.warp(1).issued.back() == kernel.warp(0).issued.back());
}

TEST_CASE("Arithmetic after a deferred barrier does not wait for it, other instructions do") {
  KernelBuilder k;
  k.only([](std::uint32_t warp) { return warp == 1; },
         [&] {
           for (int i = 0; i < 10; ++i) {
             k.op("DADD", 4, {1, 2}).stall(15);
           }
         });
  k.bar();
  k.ffma(4, 4, 1, 2).stall(4);
  k.iadd(5, 4, 1).stall(2);
  k.mufu(6, 5);
  k.exit();
  for (const bool deferred : {true, false}) {
    SyntheticKernel kernel(k, {.warps = 2});
    run(kernel, perfect_front_end() +
                    Overrides{deferred ? "sm.barriers.deferred_blocking=true" : "sm.barriers.deferred_blocking=false"});
    const std::vector<Cycle>& late = kernel.warp(1).issued;
    const Cycle released = late[late.size() - 5] + 10;
    const std::vector<Cycle> early = kernel.warp(0).issued;  // barrier, FFMA, IADD3, MUFU, EXIT
    if (deferred) {
      CHECK(early[1] == early[0] + 1);
      CHECK(early[2] == early[0] + 5);
      CHECK(early[3] == released);
    } else {
      CHECK(early[1] == released);
    }
  }
}

TEST_CASE("Two deferred barriers in a row are waited for one after another") {
  KernelBuilder k;
  k.bar();
  k.ffma(4, 4, 1, 2);
  k.bar();
  k.ffma(4, 4, 1, 2);
  k.exit();
  // Each barrier releases the warp ten cycles after its arrival; FFMAs issue a cycle later.
  CHECK(gaps(k) == Gaps{1, 9, 1, 9});
}

TEST_CASE("A warp may end with a barrier, a fence or a sleep") {
  for (const char* opcode : {"BAR.SYNC.DEFER_BLOCKING", "MEMBAR.SC.GPU", "NANOSLEEP"}) {
    INFO(opcode);
    KernelBuilder k;
    k.op(opcode);
    CHECK(run(k, {}, perfect_front_end())["sm.sub_core.inst_executed"] == 1);
  }
}

}  // namespace
}  // namespace warpsim::test
