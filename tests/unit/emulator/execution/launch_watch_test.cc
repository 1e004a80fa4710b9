// Limits and deadlocks of launches without timing. A reported deadlock must be one: half of the cases here
// end.
#include "emulator/execution/launch_watch.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "emulator/execution/fault.h"
#include "emulator/execution/grid_execution.h"
#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

struct Ended {
  std::string fault;  // empty: it has finished
  FaultKind kind = FaultKind::kTrap;
};

Ended run(const PtxGrid& grid, LaunchWatch::Options options) {
  const PreparedPtx prepared(grid);
  LaunchContext launch = prepared.context;
  LaunchWatch watch(*launch.kernel, launch.grid.count(), std::move(options));
  launch.watch = &watch;
  try {
    execute_grid(launch, {.resident_blocks = grid.resident_blocks, .local_bytes = grid.local_bytes});
  } catch (const KernelFault& fault) {
    return {fault.what(), fault.kind()};
  }
  return {};
}

// Examines early, and ends launches that take too long.
Ended run_watched(const PtxGrid& grid) {
  return run(grid, {.most_instructions = 3'000'000, .first_look = 1000});
}

void check_deadlock(const PtxGrid& grid, const std::vector<std::string>& words) {
  const Ended ended = run_watched(grid);
  INFO(ended.fault);
  REQUIRE(ended.kind == FaultKind::kDeadlock);
  for (const std::string& word : words) {
    CHECK(ended.fault.find(word) != std::string::npos);
  }
}

TEST_CASE("launch watch: a launch may execute warp instructions up to the limit") {
  // 8 of the prologue and the return, and those of the body.
  PtxGrid grid{.body = "add.u32 %r1, %t, 1;\nadd.u32 %r1, %r1, 1;"};
  std::uint64_t needed = 1;
  while (run(grid, {.most_instructions = needed}).kind == FaultKind::kLimit) {
    ++needed;
  }
  CHECK(run(grid, {.most_instructions = needed}).fault.empty());
  grid.body += "\nadd.u32 %r1, %r1, 1;";
  const Ended ended = run(grid, {.most_instructions = needed});
  CHECK(ended.kind == FaultKind::kLimit);
  CHECK(ended.fault.find("has not finished after " + std::to_string(needed) +
                         " warp instructions (--max-instructions)\n  test.ptx:") != std::string::npos);
  grid.block = {64, 1, 1};
  CHECK(run(grid, {.most_instructions = 2 * needed + 1}).kind == FaultKind::kLimit);
  CHECK(run(grid, {.most_instructions = 2 * needed + 2}).fault.empty());
}

TEST_CASE("launch watch: progress is reported with the executed instructions") {
  std::vector<KernelProgress> notes;
  const PtxGrid grid{.body = "mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 200000;\n@%p1 bra L;",
                     .grid = {2, 1, 1}};
  const Ended ended = run(grid, {.note = [&notes](const KernelProgress& progress) { notes.push_back(progress); }});
  CHECK(ended.fault.empty());
  REQUIRE(notes.size() >= 3);
  CHECK(notes[0].kernel == "kernel");
  CHECK(notes[0].blocks == 2);
  CHECK(notes[0].warp_instructions >= std::uint64_t{1} << 18U);
  CHECK(notes[1].warp_instructions > notes[0].warp_instructions);
}

TEST_CASE("launch watch: threads that wait at barriers for each other are a deadlock, with barrier and line") {
  check_deadlock(
      {.body = "setp.lt.u32 %p1, %t, 32;\n@%p1 bra A;\nbar.sync 1;\nbra B;\nA: bar.sync 2;\nB:", .block = {64, 1, 1}},
      {"kernel kernel: a deadlock", "warp 0 of block (0, 0, 0), all lanes: wait at barrier 2: 32 of 64",
       "warp 1 of block (0, 0, 0), all lanes: wait at barrier 1: 32 of 64 threads have arrived"});
}

TEST_CASE("launch watch: lanes that wait for lanes of their warp that wait elsewhere are a deadlock") {
  check_deadlock({.body = "setp.lt.u32 %p1, %t, 16;\n@%p1 bra A;\nbar.sync 0, 64;\nbra B;\n"
                          "A: bar.warp.sync 0xffffffff;\nB:"},
                 {"lanes 0x0000ffff: wait for lanes 0xffff0000 of their warp"});
}

TEST_CASE("launch watch: a loop that waits for a flag that no thread writes is a deadlock") {
  check_deadlock({.body = "L: ld.volatile.global.u32 %r1, [%in];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;",
                  .grid = {3, 1, 1},
                  .block = {64, 1, 1},
                  .resident_blocks = 2},
                 {"1 of 3 blocks have not started", "reads 4 bytes at 0x",
                  "which hold 0x0 and which no thread will write", "with it 3 more in 2 blocks"});
}

TEST_CASE("launch watch: a loop without an end is a deadlock, with and without independent threads") {
  for (const bool independent : {true, false}) {
    check_deadlock({.body = "L: bra L;", .independent_threads = independent}, {"are here"});
  }
  // Lanes that diverge and spin separately.
  check_deadlock({.body = "setp.lt.u32 %p1, %t, 7;\n@%p1 bra A;\nB: bra B;\nA: bra A;"}, {"lanes 0x0000007f"});
}

TEST_CASE("launch watch: a lock that its holder never releases is a deadlock") {
  // Failed comparisons store nothing.
  check_deadlock({.body = "L: atom.global.cas.b32 %r1, [%in], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;"},
                 {"a deadlock"});
}

TEST_CASE("launch watch: a wait for an mbarrier that no thread completes is a deadlock") {
  check_deadlock({.body = "mov.u32 %r1, object;\nsetp.eq.u32 %p1, %t, 0;\n"
                          "@%p1 mbarrier.init.shared.b64 [%r1], 2;\nbar.sync 0;\n"
                          "@%p1 mbarrier.arrive.shared.b64 %q1, [%r1];\n"
                          "L: mbarrier.try_wait.parity.shared.b64 %p2, [%r1], 0;\n@!%p2 bra L;",
                  .before = ".shared .align 8 .b64 object;"},
                 {"of shared memory again and again"});
}

TEST_CASE("launch watch: blocks that wait for blocks that do not fit on the GPU are a deadlock, others are not") {
  PtxGrid grid{.body =
                   "setp.ne.u32 %p2, %t, 0;\n@%p2 bra E;\nred.global.add.u32 [%out], 1;\n"
                   "L: ld.volatile.global.u32 %r1, [%out];\nsetp.lt.u32 %p1, %r1, 3;\n@%p1 bra L;\nE: bar.sync 0;",
               .grid = {3, 1, 1},
               .block = {64, 1, 1},
               .resident_blocks = 2};
  check_deadlock(grid, {"1 of 3 blocks have not started", "wait at barrier 0"});
  grid.resident_blocks = 3;
  CHECK(run_watched(grid).fault.empty());
}

TEST_CASE("launch watch: slow work is not a deadlock") {
  const auto check_slow = [](const std::string& body, FaultKind kind = FaultKind::kTrap) {
    const Ended ended = run_watched({.body = body, .grid = {2, 1, 1}, .resident_blocks = 2});
    INFO(body << "\n" << ended.fault);
    CHECK(ended.kind == kind);
  };
  // Counts in a register, in memory, in local memory of its stack.
  check_slow("mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 100000;\n@%p1 bra L;");
  check_slow("L: atom.global.add.u32 %r1, [%own], 1;\nsetp.lt.u32 %p1, %r1, 50000;\n@%p1 bra L;");
  // Block 0 waits for a value that block 1 writes after much work.
  check_slow(
      "setp.ne.u32 %p2, %c, 0;\n@%p2 bra W;\nL: ld.volatile.global.u32 %r1, [%out];\nsetp.eq.u32 %p1, %r1, 0;\n"
      "@%p1 bra L;\nbra E;\nW: mov.u32 %r2, 0;\nM: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p3, %r2, 100000;\n@%p3 bra M;\n"
      "st.volatile.global.u32 [%out], 1;\nE:");
  // Waits for a point in time.
  check_slow(
      "mov.u64 %q1, %clock64;\nL: mov.u64 %q2, %clock64;\nsub.u64 %q2, %q2, %q1;\n"
      "setp.lt.u64 %p1, %q2, 200000;\n@%p1 bra L;");
  // Two threads that exchange a word forever: bounded only by the limit.
  check_slow("L: atom.global.exch.b32 %r1, [%out], %c;\nbra L;", FaultKind::kLimit);
  // A barrier in the loop.
  check_slow("L: bar.sync 0;\nbra L;", FaultKind::kLimit);
}

TEST_CASE("launch watch: examinations have no effect") {
  const PtxGrid grid{.body =
                         "mov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 5000;\n@%p1 bra L;\n"
                         "and.b32 %r3, %t, 3;\nsetp.eq.u32 %p2, %r3, 1;\n@%p2 add.u32 %r2, %r2, %t;\n"
                         "st.global.u32 [%own], %r2;",
                     .grid = {4, 1, 1},
                     .block = {96, 1, 1},
                     .resident_blocks = 4};
  const auto output = [&](std::uint64_t first_look) {
    const PreparedPtx prepared(grid);
    LaunchContext launch = prepared.context;
    LaunchWatch watch(*launch.kernel, launch.grid.count(), {.first_look = first_look});
    launch.watch = &watch;
    const ExecutedWork work = execute_grid(launch, {.resident_blocks = 4, .local_bytes = 4096});
    return std::pair(prepared.output(), work.warp_operations);
  };
  CHECK(output(1) == output(LaunchWatch::kNoLimit));
}

}  // namespace
}  // namespace warpsim::test
