// PTX executed at issue: locks and flags between threads of one warp take as long as their accesses.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "core/machine/machine.h"
#include "frontend/ptx/ptx_kernel.h"
#include "support/timed_ptx.h"

namespace warpsim::test {
namespace {

// Every thread of 2 blocks of 64 increments a counter under a lock.
PtxGrid counting(const std::string& lock, const std::string& unlock) {
  PtxGrid launch;
  launch.body = lock +
                "ld.volatile.global.u32 %r2, [%in+4];\nadd.u32 %r2, %r2, 1;\nst.volatile.global.u32 [%in+4], %r2;\n"
                "membar.gl;\n" +
                unlock + "st.global.u32 [%own], %r2;\n";
  launch.input = {0, 0, 0};
  launch.block = {64, 1, 1};
  launch.grid = {2, 1, 1};
  return launch;
}

// On test_tiny: a critical section's memory accesses and the failing ones meanwhile, well below a thousand cycles.
void check_ends(const PtxGrid& launch) {
  const TimedPtx timed = run_ptx(launch, {}, {.max_cycles = 128 * 1000});
  REQUIRE(timed.result.status == LaunchResult::Status::kComplete);
  std::vector<std::uint32_t> sorted = timed.output;
  std::ranges::sort(sorted);
  for (std::uint32_t i = 0; i < 128; ++i) {
    CHECK(sorted[i] == i + 1);
  }
}

TEST_CASE("PTX at issue: every thread of a warp gets a lock in turn, within the time of its accesses") {
  check_ends(
      counting("try: atom.global.cas.b32 %r1, [%in], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra try;\nmembar.gl;\n",
               "atom.global.exch.b32 %r3, [%in], 0;\n"));
}

TEST_CASE("PTX at issue: a lock with pauses while waiting") {
  check_ends(
      counting("bra test;\npause: nanosleep.u32 40;\n"
               "test: atom.global.cas.b32 %r1, [%in], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra pause;\n",
               "atom.global.exch.b32 %r3, [%in], 0;\n"));
}

TEST_CASE("PTX at issue: a lock by tickets") {
  check_ends(
      counting("atom.global.add.u32 %r1, [%in+8], 1;\n"
               "wait: ld.volatile.global.u32 %r3, [%in];\nsetp.ne.u32 %p1, %r3, %r1;\n@%p1 bra wait;\n",
               "add.u32 %r3, %r3, 1;\nst.volatile.global.u32 [%in], %r3;\n"));
}

TEST_CASE("PTX at issue: a lock in shared memory") {
  PtxGrid launch = counting(
      "mov.u32 %r10, lock;\nsetp.eq.u32 %p2, %t, 0;\n@%p2 st.shared.u32 [%r10], 0;\nbar.sync 0;\n"
      "try: atom.shared.cas.b32 %r1, [%r10], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra try;\n",
      "atom.shared.exch.b32 %r3, [%r10], 0;\n");
  launch.before = ".shared .align 4 .u32 lock;";
  launch.grid = {1, 1, 1};
  launch.block = {128, 1, 1};
  check_ends(launch);
}

TEST_CASE("PTX at issue: before 7.0 a lock for which other threads of the warp wait is never released") {
  PtxGrid launch =
      counting("try: atom.global.cas.b32 %r1, [%in], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra try;\nmembar.gl;\n",
               "atom.global.exch.b32 %r3, [%in], 0;\n");
  launch.independent_threads = false;
  CHECK(run_ptx(launch, {}, {.max_cycles = 50000}).result.status == LaunchResult::Status::kCycleLimit);
}

TEST_CASE("PTX at issue: threads separated by a lock are one warp again after a barrier") {
  // A loop of 200 iterations after it costs the time of one warp, not of 32.
  const auto cycles = [](const std::string& barrier) {
    PtxGrid launch = counting("try: atom.global.cas.b32 %r1, [%in], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra try;\n",
                              "atom.global.exch.b32 %r3, [%in], 0;\n" + barrier +
                                  "mov.u32 %r4, 200;\nmore: mad.lo.u32 %r5, %r5, %r4, 7;\nsub.u32 %r4, %r4, 1;\n"
                                  "setp.ne.u32 %p2, %r4, 0;\n@%p2 bra more;\n");
    launch.grid = {1, 1, 1};
    launch.block = {32, 1, 1};
    return run_ptx(launch).result.elapsed_cycles;
  };
  CHECK(cycles("bar.sync 0;\n") + 31 * 200 * 3 < cycles(""));
  CHECK(cycles("bar.warp.sync 0xffffffff;\n") + 31 * 200 * 3 < cycles(""));
}

}  // namespace
}  // namespace warpsim::test
