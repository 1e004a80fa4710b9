// PTX executed at issue: kernels write the same as in the emulator, and time-dependent results follow
// the core's time.
#include "frontend/ptx/ptx_kernel.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "core/machine/machine.h"
#include "emulator/execution/fault.h"
#include "support/timed_ptx.h"

namespace warpsim::test {
namespace {

TimedPtx check_as_executed(const PtxGrid& launch) {
  const TimedPtx timed = run_ptx(launch);
  CHECK(timed.output == execute_ptx(launch));
  CHECK(timed.result.status == LaunchResult::Status::kComplete);
  return timed;
}

TEST_CASE("PTX at issue: memory, divergence and loops give the emulator's results") {
  PtxGrid launch;
  launch.body = R"(
    mov.u32 %r1, 0;
    and.b32 %r2, %t, 7;
    setp.lt.u32 %p1, %r2, 4;
    @%p1 bra LOOP;
    mul.lo.u32 %r1, %t, 100;
    bra END;
LOOP:
    add.u32 %r1, %r1, %r2;
    sub.u32 %r2, %r2, 1;
    setp.ge.s32 %p2, %r2, 0;
    @%p2 bra LOOP;
END:
    ld.global.u32 %r3, [%in];
    add.u32 %r1, %r1, %r3;
    st.global.u32 [%own], %r1;
  )";
  launch.input = {1000};
  launch.grid = {5, 1, 1};
  launch.block = {96, 1, 1};
  const TimedPtx timed = check_as_executed(launch);
  CHECK(timed.counters.at("sm.lsu.global_store_requests") == 15);
}

TEST_CASE("PTX at issue: a barrier orders writes and reads of the warps of a block") {
  PtxGrid launch;
  launch.before = ".shared .align 4 .b32 words[256];";
  launch.body = R"(
    mov.u64 %q1, words;
    mul.wide.u32 %q2, %t, 4;
    add.u64 %q3, %q1, %q2;
    st.shared.u32 [%q3], %t;
    bar.sync 0;
    sub.u32 %r1, 255, %t;
    mul.wide.u32 %q2, %r1, 4;
    add.u64 %q3, %q1, %q2;
    ld.shared.u32 %r2, [%q3];
    bar.sync 0;
    st.global.u32 [%own], %r2;
  )";
  launch.block = {256, 1, 1};
  launch.grid = {3, 1, 1};
  CHECK(run_ptx(launch, {}, {}, 60).output == execute_ptx(launch));
  const TimedPtx timed = check_as_executed(launch);
  CHECK(timed.counters.at("sm.barriers.arrivals") == 3 * 8 * 2);
  CHECK(timed.counters.at("sm.barriers.releases") == 3 * 2);
}

TEST_CASE("PTX at issue: lanes that reach a barrier one after another arrive as one warp") {
  PtxGrid launch;
  launch.before = ".shared .align 4 .u32 sum;";
  launch.body = R"(
    mov.u64 %q1, sum;
    setp.eq.u32 %p1, %t, 0;
    @%p1 st.shared.u32 [%q1], 0;
    bar.sync 0;
    and.b32 %r1, %t, 1;
    setp.eq.u32 %p2, %r1, 0;
    @%p2 bra EVEN;
    atom.shared.add.u32 %r2, [%q1], 10;
    barrier.sync 0;
    bra READ;
EVEN:
    atom.shared.add.u32 %r2, [%q1], 1;
    barrier.sync 0;
READ:
    ld.shared.u32 %r3, [%q1];
    st.global.u32 [%own], %r3;
  )";
  launch.block = {64, 1, 1};
  const TimedPtx timed = check_as_executed(launch);
  CHECK(timed.output == std::vector<std::uint32_t>(64, 32 * 11));
  CHECK(timed.counters.at("sm.barriers.arrivals") == 4);
}

TEST_CASE("PTX at issue: a barrier does not wait for lanes that end") {
  PtxGrid launch;
  launch.body = R"(
    setp.lt.u32 %p1, %t, 40;
    @%p1 exit;
    bar.sync 0;
    st.global.u32 [%own], %t;
  )";
  launch.block = {128, 1, 1};
  const TimedPtx timed = check_as_executed(launch);
  CHECK(timed.output[39] == 0);
  CHECK(timed.output[40] == 40);
  CHECK(timed.counters.at("sm.barriers.releases") == 1);
}

TEST_CASE("PTX at issue: the rest of a warp ends while the others wait at a barrier") {
  PtxGrid launch;
  launch.body = R"(
    setp.lt.u32 %p1, %t, 16;
    @%p1 bra WAIT;
    exit;
WAIT:
    bar.sync 0;
    st.global.u32 [%own], 7;
  )";
  launch.block = {32, 1, 1};
  const TimedPtx timed = check_as_executed(launch);
  CHECK(timed.output[15] == 7);
  CHECK(timed.output[16] == 0);
}

TEST_CASE("PTX at issue: a barrier does not wait for threads that return early") {
  PtxGrid launch;
  launch.body = R"(
    setp.ge.u32 %p1, %t, 40;
    @%p1 bra END;
    bar.sync 0;
    st.global.u32 [%own], 7;
END:
  )";
  launch.block = {64, 1, 1};
  const TimedPtx timed = check_as_executed(launch);
  CHECK(timed.output[39] == 7);
  CHECK(timed.counters.at("sm.barriers.releases") == 1);
}

TEST_CASE("PTX at issue: arithmetic passes a barrier that defers blocking") {
  // The second warp arrives long after the first; by then the arithmetic of the first has been issued.
  PtxGrid launch;
  launch.body = R"(
    mov.u32 %r8, 0;
    setp.lt.u32 %p1, %t, 32;
    @%p1 bra WAIT;
    mov.u32 %r1, %clock;
LATER:
    mov.u32 %r2, %clock;
    sub.u32 %r2, %r2, %r1;
    setp.lt.u32 %p2, %r2, 2000;
    @%p2 bra LATER;
WAIT:
    bar.sync 0;
    add.u32 %r8, %r8, 3;
    mul.lo.u32 %r8, %r8, 5;
    xor.b32 %r8, %r8, 1;
    add.u32 %r8, %r8, %t;
    mov.u32 %r9, %clock;
    st.global.u32 [%own], %r8;
  )";
  launch.block = {64, 1, 1};
  const TimedPtx passing = run_ptx(launch, {"sm.barriers.deferred_blocking=true"});
  const TimedPtx blocking = run_ptx(launch, {"sm.barriers.deferred_blocking=false"});
  CHECK(passing.output == blocking.output);
  CHECK(passing.output[5] == 14 + 5);
  CHECK(passing.result.elapsed_cycles < blocking.result.elapsed_cycles);
  CHECK(run_ptx(launch, {"sm.barriers.deferred_blocking=true"}, {.skip = false}).statistics == passing.statistics);
}

TEST_CASE("PTX at issue: barriers with numbers and counts in registers, arrivals without waiting") {
  PtxGrid launch;
  launch.before = ".shared .align 4 .u32 word;";
  launch.body = R"(
    mov.u64 %q1, word;
    mov.u32 %r1, 3;
    mov.u32 %r2, 64;
    setp.ge.u32 %p1, %t, 64;
    @%p1 bra DONE;
    setp.lt.u32 %p2, %t, 32;
    @%p2 bra READ;
    st.shared.u32 [%q1], 99;
    bar.arrive %r1, %r2;
    bra DONE;
READ:
    bar.sync %r1, %r2;
    ld.shared.u32 %r3, [%q1];
    st.global.u32 [%own], %r3;
DONE:
  )";
  launch.block = {128, 1, 1};
  const TimedPtx timed = check_as_executed(launch);
  CHECK(timed.output[31] == 99);
  CHECK(timed.counters.at("sm.barriers.releases") == 1);
}

TEST_CASE("PTX at issue: a barrier's reduction is available after it") {
  PtxGrid launch;
  launch.body = R"(
    setp.lt.u32 %p1, %t, 50;
    bar.red.popc.u32 %r1, 0, %p1;
    st.global.u32 [%own], %r1;
  )";
  launch.block = {96, 1, 1};
  const TimedPtx timed = check_as_executed(launch);
  CHECK(timed.output == std::vector<std::uint32_t>(96, 50));
}

TEST_CASE("PTX at issue: a lock passes from warp to warp") {
  PtxGrid launch;
  launch.body = R"(
    and.b32 %r1, %t, 31;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra DONE;
TRY:
    atom.global.cas.b32 %r2, [%in], 0, 1;
    setp.ne.u32 %p2, %r2, 0;
    @%p2 bra TRY;
    ld.volatile.global.u32 %r3, [%in+4];
    add.u32 %r3, %r3, 1;
    st.volatile.global.u32 [%in+4], %r3;
    st.global.u32 [%own], %r3;
    membar.gl;
    atom.global.exch.b32 %r4, [%in], 0;
DONE:
  )";
  launch.input = {0, 0};
  launch.block = {128, 1, 1};
  launch.grid = {4, 1, 1};
  const TimedPtx timed = run_ptx(launch);
  CHECK(std::accumulate(timed.output.begin(), timed.output.end(), 0U) == 16 * 17 / 2);
}

TEST_CASE("PTX at issue: atomics execute in the order of issue") {
  // The first warp is late: it gets the value that all others have left.
  PtxGrid launch;
  launch.body = R"(
    setp.ge.u32 %p1, %t, 32;
    @%p1 bra COUNT;
    mov.u32 %r1, %clock;
LATER:
    mov.u32 %r2, %clock;
    sub.u32 %r2, %r2, %r1;
    setp.lt.u32 %p2, %r2, 3000;
    @%p2 bra LATER;
COUNT:
    atom.global.add.u32 %r3, [%in], 1;
    st.global.u32 [%own], %r3;
  )";
  launch.input = {0};
  launch.block = {128, 1, 1};
  const TimedPtx timed = run_ptx(launch);
  std::vector<std::uint32_t> first(timed.output.begin(), timed.output.begin() + 32);
  std::vector<std::uint32_t> expected(32);
  std::iota(expected.begin(), expected.end(), 96U);
  CHECK(first == expected);
  CHECK(std::accumulate(timed.output.begin(), timed.output.end(), 0U) == 127 * 128 / 2);
}

TEST_CASE("PTX at issue: the clock passes at least a load's latency") {
  PtxGrid launch;
  launch.body = R"(
    ld.global.u32 %r6, [%in];
    add.u32 %r6, %r6, 1;
    mov.u32 %r1, %clock;
    ld.global.u32 %r2, [%in];
    add.u32 %r3, %r2, 1;
    mov.u32 %r4, %clock;
    sub.u32 %r5, %r4, %r1;
    st.global.u32 [%own], %r5;
  )";
  launch.input = {5};
  launch.block = {1, 1, 1};
  const TimedPtx near = run_ptx(launch);
  const TimedPtx far = run_ptx(launch, {"sm.l1.hit_latency_cycles=200"});
  const GpuConfig config = tiny_config();
  CHECK(near.output[0] >= config.sm.l1.hit_latency_cycles);
  CHECK(far.output[0] >= 200);
  CHECK(far.output[0] < 5000);
}

TEST_CASE("PTX at issue: blocks of a cluster meet at its barrier and read each other's shared memory") {
  PtxGrid launch;
  launch.before = ".shared .align 4 .u32 word;";
  launch.body = R"(
    mov.u32 %r9, %cluster_ctarank;
    mov.u32 %r1, word;
    add.u32 %r2, %r9, 40;
    st.shared.u32 [%r1], %r2;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    xor.b32 %r3, %r9, 1;
    mapa.shared::cluster.u32 %r4, %r1, %r3;
    ld.shared::cluster.u32 %r5, [%r4];
    barrier.cluster.arrive;
    barrier.cluster.wait;
    st.global.u32 [%own], %r5;
  )";
  launch.grid = {8, 1, 1};
  launch.cluster = {2, 1, 1};
  launch.block = {64, 1, 1};
  const TimedPtx timed = check_as_executed(launch);
  CHECK(timed.output[0] == 41);
  CHECK(timed.output[64] == 40);
}

TEST_CASE("PTX at issue: calls, local memory and generic addresses") {
  PtxGrid launch;
  launch.before = R"(
    .func (.reg .u32 %result) twice(.reg .u32 %x) { add.u32 %result, %x, %x; ret; }
  )";
  launch.body = R"(
    .local .align 4 .b8 own[64];
    and.b32 %r1, %t, 15;
    mul.wide.u32 %q1, %r1, 4;
    mov.u64 %q2, own;
    add.u64 %q3, %q2, %q1;
    st.local.u32 [%q3], %t;
    cvta.local.u64 %q4, %q3;
    ld.u32 %r2, [%q4];
    call (%r3), twice, (%r2);
    st.global.u32 [%own], %r3;
  )";
  launch.block = {64, 1, 1};
  const TimedPtx timed = check_as_executed(launch);
  CHECK(timed.output[63] == 126);
}

TEST_CASE("PTX at issue: skipping time changes nothing") {
  PtxGrid launch;
  launch.before = ".shared .align 4 .b32 words[128];";
  launch.body = R"(
    mov.u64 %q1, words;
    mul.wide.u32 %q2, %t, 4;
    add.u64 %q3, %q1, %q2;
    mov.u32 %r6, 4;
AGAIN:
    atom.global.add.u32 %r1, [%in], 1;
    st.shared.u32 [%q3], %r1;
    bar.sync 0;
    and.b32 %r2, %t, 3;
    setp.eq.u32 %p1, %r2, 1;
    @%p1 bra ODD;
    ld.shared.u32 %r3, [%q3];
    bra MEET;
ODD:
    ld.shared.u32 %r3, [%q1];
    mov.u32 %r4, %clock;
    xor.b32 %r3, %r3, %r4;
MEET:
    bar.sync 0;
    red.global.add.u32 [%own], %r3;
    sub.u32 %r6, %r6, 1;
    setp.ne.u32 %p2, %r6, 0;
    @%p2 bra AGAIN;
  )";
  launch.input = {0};
  launch.block = {128, 1, 1};
  launch.grid = {12, 1, 1};
  const TimedPtx skipping = run_ptx(launch, {}, {.skip = true});
  const TimedPtx ticking = run_ptx(launch, {}, {.skip = false});
  CHECK(skipping.output == ticking.output);
  CHECK(skipping.statistics == ticking.statistics);
  CHECK(skipping.result.elapsed_cycles == ticking.result.elapsed_cycles);
  CHECK(skipping.result.component_ticks < ticking.result.component_ticks);
}

TEST_CASE("PTX at issue: deadlocks and endless launches are ended") {
  PtxGrid launch;
  launch.body = R"(
    setp.lt.u32 %p1, %t, 32;
    @%p1 bar.sync 1, 64;
  )";
  launch.block = {64, 1, 1};
  CHECK_THROWS_AS(run_ptx(launch), DeadlockError);
  launch.body = "AGAIN: ld.volatile.global.u32 %r1, [%in]; setp.eq.u32 %p1, %r1, 0; @%p1 bra AGAIN;";
  launch.input = {0};
  CHECK(run_ptx(launch, {}, {.max_cycles = 5000}).result.status == LaunchResult::Status::kCycleLimit);
}

TEST_CASE("PTX at issue: a fault leaves the launch") {
  PtxGrid launch;
  launch.body = "mov.u64 %q1, 64; st.global.u32 [%q1], 1;";
  CHECK_THROWS_AS(run_ptx(launch), KernelFault);
}

}  // namespace
}  // namespace warpsim::test
