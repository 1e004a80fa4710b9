// What threads on different SMs see of each other: nothing depends on the order in which SMs are executed, nor on the
// number of threads that execute them, and each thread sees its own effects in program order.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "emulator/execution/effect_time.h"
#include "emulator/execution/sm_effects.h"
#include "support/timed_ptx.h"

namespace warpsim::test {
namespace {

void check_in_any_order(const PtxGrid& launch, std::uint32_t lowered_to = 0) {
  const TimedPtx usual = run_ptx(launch, {}, {}, lowered_to);
  for (const MachineOptions& options :
       {MachineOptions{.shuffle = 1}, MachineOptions{.shuffle = 2}, MachineOptions{.threads = 2},
        MachineOptions{.skip = false}, MachineOptions{.threads = 4, .shuffle = 3}}) {
    INFO("threads " << options.threads << ", shuffle " << options.shuffle.value_or(0) << ", skip " << options.skip);
    const TimedPtx other = run_ptx(launch, {}, options, lowered_to);
    CHECK(other.output == usual.output);
    CHECK(other.statistics == usual.statistics);
    CHECK(other.result.elapsed_cycles == usual.result.elapsed_cycles);
  }
}

PtxGrid tickets() {
  PtxGrid launch;
  launch.body = R"(
    atom.global.add.u32 %r1, [%in], 1;
    st.global.u32 [%own], %r1;
  )";
  launch.input = {0};
  launch.grid = {12, 1, 1};
  launch.block = {64, 1, 1};
  return launch;
}

TEST_CASE("Results of contended atomics are unique and do not depend on the order of SMs") {
  std::vector<std::uint32_t> drawn = run_ptx(tickets()).output;
  std::vector<std::uint32_t> expected(drawn.size());
  std::iota(expected.begin(), expected.end(), 0U);
  CHECK_FALSE(drawn == expected);  // blocks on several SMs draw alternately
  std::ranges::sort(drawn);
  CHECK(drawn == expected);
  check_in_any_order(tickets());
  check_in_any_order(tickets(), 60);
}

TEST_CASE("Two launches at a time draw tickets from one counter, alike in any order of SMs") {
  // Each thread adds the tickets that it draws in the two launches.
  PtxGrid launch = tickets();
  launch.body = R"(
    atom.global.add.u32 %r1, [%in], 1;
    red.global.add.u32 [%own], %r1;
  )";
  const std::array<TimedPtx, 2> usual = run_ptx_twice(launch);
  const std::uint64_t drawn = 2 * usual[1].output.size();
  CHECK(std::accumulate(usual[1].output.begin(), usual[1].output.end(), std::uint64_t{0}) == drawn * (drawn - 1) / 2);
  // They overlap.
  CHECK(usual[1].result.start_cycle < usual[0].result.start_cycle + usual[0].result.elapsed_cycles);
  for (const MachineOptions& options :
       {MachineOptions{.threads = 3}, MachineOptions{.shuffle = 5}, MachineOptions{.skip = false}}) {
    const std::array<TimedPtx, 2> again = run_ptx_twice(launch, options);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(again[i].output == usual[i].output);
      CHECK(again[i].statistics == usual[i].statistics);
      CHECK(again[i].result.elapsed_cycles == usual[i].result.elapsed_cycles);
    }
  }
}

TEST_CASE("A race of stores has the same outcome in any order of SMs") {
  PtxGrid launch;
  launch.body = R"(
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r3, 0;
AGAIN:
    st.global.u32 [%in], %r1;
    ld.global.u32 %r2, [%in];
    mad.lo.u32 %r4, %r4, 31, %r2;
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p1, %r3, 20;
    @%p1 bra AGAIN;
    st.global.u32 [%own], %r4;
  )";
  launch.input = {99};
  launch.grid = {8, 1, 1};
  launch.block = {32, 1, 1};
  const std::vector<std::uint32_t> output = run_ptx(launch).output;
  CHECK(std::set(output.begin(), output.end()).size() > 1);
  check_in_any_order(launch);
}

TEST_CASE("A thread sees its own stores and reductions in program order") {
  PtxGrid launch;
  launch.body = R"(
    st.global.u32 [%own], 5;
    red.global.add.u32 [%own], 3;
    ld.global.u32 %r1, [%own];
    add.u32 %r1, %r1, 100;
    st.global.u32 [%own], %r1;
    st.global.u8 [%own+1], 1;
    ld.global.u32 %r2, [%own];
    red.global.max.u32 [%own], 4000;
    atom.global.add.u32 %r3, [%own], 1;
    add.u32 %r2, %r2, %r3;
    st.global.u32 [%own], %r2;
  )";
  launch.grid = {6, 1, 1};
  launch.block = {96, 1, 1};
  // 5 + 3 + 100 = 108; byte 1 set: 364; the greater one is 4000.
  CHECK(run_ptx(launch).output == std::vector<std::uint32_t>(6 * 96, 364 + 4000));
  check_in_any_order(launch);
}

TEST_CASE("A reduction keeps its operands when the warp changes its registers") {
  PtxGrid launch;
  launch.body = R"(
    mov.u32 %r1, 1;
    mov.u64 %q1, %in;
    mov.u32 %r3, 0;
NEXT:
    red.global.add.u32 [%q1], %r1;
    add.u32 %r1, %r1, 1;
    add.u64 %q1, %q1, 4;
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p1, %r3, 8;
    @%p1 bra NEXT;
    bar.sync 0;
    and.b32 %r4, %t, 7;
    mul.wide.u32 %q2, %r4, 4;
    add.u64 %q2, %in, %q2;
    ld.global.u32 %r5, [%q2];
    st.global.u32 [%own], %r5;
  )";
  launch.input = std::vector<std::uint32_t>(8, 0);
  launch.block = {64, 1, 1};
  std::vector<std::uint32_t> expected;
  for (std::uint32_t thread = 0; thread < 64; ++thread) {
    expected.push_back(64 * (thread % 8 + 1));
  }
  CHECK(run_ptx(launch).output == expected);
  CHECK(execute_ptx(launch) == expected);
}

// Two blocks of one thread: each sets its word, then reads that of the other one, round after round.
PtxGrid store_buffers(const std::string& fence) {
  PtxGrid launch;
  launch.body = R"(
    mov.u32 %r1, %ctaid.x;
    xor.b32 %r2, %r1, 1;
    mul.wide.u32 %q1, %r1, 256;
    mul.wide.u32 %q2, %r2, 256;
    add.u64 %q1, %in, %q1;
    add.u64 %q2, %in, %q2;
    mov.u64 %q3, %out;
    mul.wide.u32 %q4, %r1, 128;
    add.u64 %q3, %q3, %q4;
    mov.u32 %r3, 0;
ROUND:
    st.relaxed.gpu.global.u32 [%q1], 1;
    )" + fence + R"(
    ld.relaxed.gpu.global.u32 %r4, [%q2];
    st.global.u32 [%q3], %r4;
    add.u64 %q1, %q1, 4;
    add.u64 %q2, %q2, 4;
    add.u64 %q3, %q3, 4;
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p1, %r3, 32;
    @%p1 bra ROUND;
  )";
  launch.input = std::vector<std::uint32_t>(128, 0);
  launch.output_words = 64;
  launch.grid = {2, 1, 1};
  launch.block = {1, 1, 1};
  return launch;
}

int rounds_in_which_neither_saw_the_other(const std::string& fence) {
  const std::vector<std::uint32_t> output = run_ptx(store_buffers(fence)).output;
  int count = 0;
  for (std::size_t round = 0; round < 32; ++round) {
    count += output[round] == 0 && output[32 + round] == 0 ? 1 : 0;
  }
  return count;
}

TEST_CASE("A sequentially consistent fence orders a store before a later load") {
  CHECK(rounds_in_which_neither_saw_the_other("fence.sc.gpu;") == 0);
  CHECK(rounds_in_which_neither_saw_the_other("membar.gl;") == 0);
  check_in_any_order(store_buffers("fence.sc.gpu;"));
}

TEST_CASE("Blocks of a cluster exchange words of shared memory in any order of SMs") {
  PtxGrid launch;
  launch.before = ".shared .align 4 .u32 words[64];";
  launch.body = R"(
    mov.u32 %r1, %cluster_ctarank;
    mov.u32 %r2, words;
    mad.lo.u32 %r3, %t, 4, %r2;
    mov.u32 %r9, 1000;
    st.shared.u32 [%r3], %r9;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    xor.b32 %r4, %r1, 1;
    mapa.shared::cluster.u32 %r5, %r3, %r4;
    mad.lo.u32 %r6, %r1, 100, %t;
    atom.shared::cluster.add.u32 %r7, [%r5], %r6;
    st.shared::cluster.u32 [%r5+128], %r6;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ld.shared.u32 %r8, [%r3];
    ld.shared.u32 %r10, [%r3+128];
    add.u32 %r8, %r8, %r10;
    add.u32 %r8, %r8, %r7;
    st.global.u32 [%own], %r8;
  )";
  launch.grid = {8, 1, 1};
  launch.cluster = {2, 1, 1};
  launch.block = {32, 1, 1};
  CHECK(run_ptx(launch).output == execute_ptx(launch));
  check_in_any_order(launch);
}

TEST_CASE("A block that reads what another one has published sees all that was written before") {
  PtxGrid launch;
  launch.body = R"(
    mov.u32 %r1, %ctaid.x;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra READER;
    mul.wide.u32 %q1, %t, 4;
    add.u64 %q1, %in, %q1;
    add.u32 %r2, %t, 7;
    st.global.u32 [%q1+64], %r2;
    bar.sync 0;
    setp.ne.u32 %p2, %t, 0;
    @%p2 bra END;
    st.release.gpu.global.u32 [%in], 1;
    bra END;
READER:
    ld.acquire.gpu.global.u32 %r3, [%in];
    setp.eq.u32 %p2, %r3, 0;
    @%p2 bra READER;
    mul.wide.u32 %q1, %t, 4;
    add.u64 %q1, %in, %q1;
    ld.global.u32 %r4, [%q1+64];
    st.global.u32 [%own], %r4;
END:
  )";
  launch.input = std::vector<std::uint32_t>(64, 0);
  launch.grid = {5, 1, 1};
  launch.block = {32, 1, 1};
  launch.resident_blocks = 5;
  const std::vector<std::uint32_t> output = run_ptx(launch).output;
  for (std::uint32_t i = 32; i < output.size(); ++i) {
    CHECK(output[i] == i % 32 + 7);
  }
  check_in_any_order(launch);
}

}  // namespace
}  // namespace warpsim::test
