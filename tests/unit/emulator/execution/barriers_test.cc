// Threads of a warp, a block, a cluster and a grid that wait for each other.
#include "emulator/execution/barriers.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/execution/fault.h"
#include "support/ptx_grid.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

using Words = std::vector<std::uint32_t>;

FaultKind fault_of(const PtxGrid& grid) {
  try {
    execute_ptx(grid);
  } catch (const KernelFault& fault) {
    return fault.kind();
  }
  FAIL("no fault");
  return FaultKind::kTrap;
}

// --- a warp ---

TEST_CASE("a shuffle whose members come from both sides of a branch exchanges their values") {
  // Both sides add their own number, then all 32 take part, each with the instruction of its side.
  const std::string body =
      "setp.lt.u32 %p1, %t, 16;\nxor.b32 %r3, %t, 31;\n@%p1 bra low;\nadd.u32 %r1, %t, 1000;\nbra join;\n"
      "low: add.u32 %r1, %t, 500;\njoin: shfl.sync.idx.b32 %r2, %r1, %r3, 31, 0xffffffff;\n"
      "st.global.u32 [%own], %r2;";
  Words expected;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t from = lane ^ 31U;
    expected.push_back(from + (from < 16 ? 500 : 1000));
  }
  CHECK(execute_ptx({.body = body}) == expected);
}

TEST_CASE("votes of each side of a branch count the members of that side") {
  const std::string body =
      "setp.lt.u32 %p1, %t, 8;\nand.b32 %r1, %t, 1;\nsetp.ne.u32 %p2, %r1, 0;\n@%p1 bra low;\n"
      "vote.sync.ballot.b32 %r2, %p2, 0xffffff00;\nbra join;\nlow: vote.sync.ballot.b32 %r2, %p2, 0xff;\n"
      "join: st.global.u32 [%own], %r2;";
  Words expected(32, 0xaaaaaa00);
  std::fill_n(expected.begin(), 8, 0xaaU);
  CHECK(execute_ptx({.body = body}) == expected);
}

TEST_CASE("the same instruction synchronises diverged threads that reach it one after another") {
  // Each lane leaves the loop in a different iteration, but the sum includes all.
  const std::string body =
      "mov.u32 %r1, 0;\nloop: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, %t;\n@%p1 bra loop;\n"
      "redux.sync.add.u32 %r2, %r1, 0xffffffff;\nst.global.u32 [%own], %r2;";
  CHECK(execute_ptx({.body = body}) == Words(32, 1 + 31 * 32 / 2));
}

TEST_CASE("a .sync operation does not wait for members that have ended") {
  const std::string body =
      "setp.ge.u32 %p1, %t, 4;\n@%p1 exit;\nbar.warp.sync 0xffffffff;\n"
      "match.any.sync.b32 %r1, 7, 0xffffffff;\nst.global.u32 [%own], %r1;";
  Words expected(32, 0);
  std::fill_n(expected.begin(), 4, 0xfU);
  CHECK(execute_ptx({.body = body}) == expected);
}

TEST_CASE("a member mask without the own lane is a fault") {
  CHECK(fault_of({.body = "bar.warp.sync 0xfffffffe;"}) == FaultKind::kIllegalInstruction);
}

TEST_CASE("before 7.0 the active threads take part, for any mask") {
  const std::string body =
      "setp.ge.u32 %p1, %t, 4;\n@%p1 bra join;\nsetp.eq.u32 %p2, %t, %t;\n"
      "vote.sync.ballot.b32 %r1, %p2, 0xffffffff;\nst.global.u32 [%own], %r1;\njoin:";
  Words expected(32, 0);
  std::fill_n(expected.begin(), 4, 0xfU);
  CHECK(execute_ptx({.body = body, .independent_threads = false}) == expected);
}

// --- a block ---

// Reads what the thread of the other warp wrote before the barrier.
std::string exchange(const std::string& barrier) {
  return ".shared .align 4 .b32 s[64];\nmov.u32 %r1, s;\nshl.b32 %r2, %t, 2;\nadd.u32 %r3, %r1, %r2;\n"
         "st.shared.u32 [%r3], %t;\n" +
         barrier + "\nxor.b32 %r2, %r2, 128;\nadd.u32 %r3, %r1, %r2;\nld.shared.u32 %r4, [%r3];\n" +
         "st.global.u32 [%own], %r4;";
}

Words exchanged() {
  Words expected;
  for (std::uint32_t thread = 0; thread < 64; ++thread) {
    expected.push_back(thread ^ 32U);
  }
  return expected;
}

TEST_CASE("a barrier stops all warps of the block") {
  for (const char* const barrier : {"bar.sync 0;", "bar.sync 15, 64;", "barrier.sync 3;",
                                    "barrier.cta.sync.aligned 1, 64;", "mov.u32 %r9, 5;\nbar.sync %r9;"}) {
    INFO(barrier);
    CHECK(execute_ptx({.body = exchange(barrier), .block = {64, 1, 1}}) == exchanged());
  }
}

TEST_CASE("a barrier in a loop is passed once per iteration") {
  const std::string body =
      exchange("mov.u32 %r9, 0;\nloop: bar.sync 0;\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, 5;\n@%p1 bra loop;");
  CHECK(execute_ptx({.body = body, .block = {64, 1, 1}}) == exchanged());
}

TEST_CASE("threads that arrive at a barrier continue, threads that synchronise wait for them") {
  // Warp 0 waits for a value that warp 1 writes before it arrives.
  const std::string body =
      ".shared .align 4 .b32 s;\nsetp.ge.u32 %p1, %t, 32;\n@%p1 bra gives;\nbar.sync 1, 64;\n"
      "ld.shared.u32 %r1, [s];\nbra join;\ngives: st.shared.u32 [s], 42;\nbar.arrive 1, 64;\nmov.u32 %r1, 7;\n"
      "join: st.global.u32 [%own], %r1;";
  Words expected(64, 42);
  std::fill(expected.begin() + 32, expected.end(), 7);
  CHECK(execute_ptx({.body = body, .block = {64, 1, 1}}) == expected);
}

TEST_CASE("a barrier reduces the predicates of all its threads") {
  const auto reduced = [](const std::string& body) {
    return execute_ptx(
        {.body = "setp.lt.u32 %p1, %t, 40;\n" + body + "\nst.global.u32 [%own], %r1;", .block = {64, 1, 1}});
  };
  CHECK(reduced("bar.red.popc.u32 %r1, 0, %p1;") == Words(64, 40));
  CHECK(reduced("bar.red.popc.u32 %r1, 2, 64, !%p1;") == Words(64, 24));
  CHECK(reduced("bar.red.and.pred %p2, 0, %p1;\nselp.u32 %r1, 1, 0, %p2;") == Words(64, 0));
  CHECK(reduced("bar.red.or.pred %p2, 0, %p1;\nselp.u32 %r1, 1, 0, %p2;") == Words(64, 1));
}

TEST_CASE("a barrier does not wait for threads that have ended") {
  const std::string body =
      "setp.lt.u32 %p1, %t, 40;\n@!%p1 exit;\nbar.red.popc.u32 %r1, 0, %p1;\nst.global.u32 [%own], %r1;";
  Words expected(64, 0);
  std::fill_n(expected.begin(), 40, 40U);
  CHECK(execute_ptx({.body = body, .block = {64, 1, 1}}) == expected);
}

TEST_CASE("waiting for more threads than exist is a deadlock, and a fault") {
  CHECK(fault_of({.body = "bar.sync 0, 64;"}) == FaultKind::kDeadlock);
  CHECK(fault_of({.body = "setp.lt.u32 %p1, %t, 32;\n@%p1 bar.sync 0;\n@!%p1 bar.sync 1;", .block = {64, 1, 1}}) ==
        FaultKind::kDeadlock);
}

TEST_CASE("barrier numbers beyond 15 and counts that are not whole warps are faults") {
  CHECK(fault_of({.body = "mov.u32 %r1, 16;\nbar.sync %r1;"}) == FaultKind::kIllegalInstruction);
  CHECK(fault_of({.body = "mov.u32 %r1, 33;\nbar.sync 0, %r1;"}) == FaultKind::kIllegalInstruction);
}

// --- a cluster ---

TEST_CASE("a cluster's barrier stops the threads of all its blocks") {
  // Each thread reads the word that the other block's thread of its number wrote into its shared memory.
  const std::string body =
      ".shared .align 4 .b32 s[32];\nmov.u32 %r1, s;\nshl.b32 %r2, %t, 2;\nadd.u32 %r1, %r1, %r2;\n"
      "mov.u32 %r3, %ctaid.x;\nmad.lo.u32 %r4, %r3, 100, %t;\nst.shared.u32 [%r1], %r4;\n"
      "barrier.cluster.arrive;\nbarrier.cluster.wait;\nmov.u32 %r5, %cluster_ctarank;\nxor.b32 %r5, %r5, 1;\n"
      "mapa.shared::cluster.u32 %r6, %r1, %r5;\nld.shared::cluster.u32 %r7, [%r6];\n"
      "barrier.cluster.arrive;\nbarrier.cluster.wait;\nst.global.u32 [%own], %r7;";
  Words expected;
  for (std::uint32_t block = 0; block < 4; ++block) {
    for (std::uint32_t thread = 0; thread < 32; ++thread) {
      expected.push_back((block ^ 1U) * 100 + thread);
    }
  }
  CHECK(execute_ptx({.body = body, .grid = {4, 1, 1}, .cluster = {2, 1, 1}}) == expected);
}

TEST_CASE("a cluster's barrier does not wait for threads that have ended") {
  const std::string body =
      "mov.u32 %r1, %cluster_ctarank;\nsetp.eq.u32 %p1, %r1, 1;\n@%p1 exit;\n"
      "barrier.cluster.arrive;\nbarrier.cluster.wait;\nst.global.u32 [%own], 1;";
  Words expected(64, 1);
  std::fill(expected.begin() + 32, expected.end(), 0);
  CHECK(execute_ptx({.body = body, .grid = {2, 1, 1}, .cluster = {2, 1, 1}}) == expected);
}

// --- a grid ---

// Every block adds 1 and waits until all blocks have.
const std::string kMeetAll =
    "setp.eq.u32 %p1, %t, 0;\n@%p1 red.global.add.u32 [%in], 1;\nmov.u32 %r2, %nctaid.x;\n"
    "wait: ld.volatile.global.u32 %r1, [%in];\nsetp.lt.u32 %p2, %r1, %r2;\n@%p2 bra wait;\nst.global.u32 [%own], %r1;";

TEST_CASE("a barrier does not wait for threads that return early, also not in their own warp") {
  const auto early = [](const std::string& leave, const std::string& label) {
    return execute_ptx(
        {.body = "setp.ge.u32 %p1, %t, 40;\n@%p1 " + leave + ";\nbar.sync 0;\nst.global.u32 [%own], 7;\n" + label,
         .block = {64, 1, 1}});
  };
  Words expected(64, 7);
  std::fill(expected.begin() + 40, expected.end(), 0U);
  CHECK(early("ret", "") == expected);
  CHECK(early("exit", "") == expected);
  CHECK(early("bra END", "END:") == expected);
}

TEST_CASE("blocks that are resident at once may wait for each other") {
  CHECK(execute_ptx({.body = kMeetAll, .input = {0}, .grid = {6, 1, 1}, .resident_blocks = 6}) == Words(6 * 32, 6));
}

TEST_CASE("a grid of more blocks than are resident executes them one after another") {
  // Each block records the number of blocks that began before it.
  const std::string body =
      "setp.eq.u32 %p1, %t, 0;\n@!%p1 exit;\natom.global.add.u32 %r1, [%in], 1;\nst.global.u32 [%own], %r1;";
  const Words result = execute_ptx({.body = body, .input = {0}, .grid = {10, 1, 1}, .resident_blocks = 3});
  for (std::uint32_t block = 0; block < 10; ++block) {
    CHECK(result[std::size_t{block} * 32] == block);
  }
}

}  // namespace
