// Blocks that several threads of the host execute at the same time.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "emulator/execution/fault.h"
#include "emulator/execution/grid_execution.h"
#include "emulator/execution/launch_watch.h"
#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

constexpr std::uint32_t kThreads = 4;

PtxGrid many_blocks(std::string body) {
  return {.body = std::move(body),
          .grid = {200, 1, 1},
          .block = {64, 1, 1},
          .resident_blocks = 16,
          .optimised = true,
          .threads = kThreads,
          .host_code = HostCodeUse::kAlways};
}

// Long enough for all threads to take part.
std::string repeated(const std::string& body) {
  return "mov.u32 %r60, 0;\nR: " + body + "\nadd.u32 %r60, %r60, 1;\nsetp.lt.u32 %p15, %r60, 50;\n@%p15 bra R;\n";
}

TEST_CASE("concurrent blocks: atomic operations of all sizes lose no update") {
  PtxGrid grid =
      many_blocks(repeated("red.global.add.u32 [%out], 1;\n"
                           "atom.global.add.u64 %q1, [%out+8], 3;\n"
                           "red.global.inc.u32 [%out+16], 0xffffffff;\n"
                           "red.global.add.f32 [%out+20], 0f3F800000;\n"
                           "mov.b32 %r5, {%h1, %h1};\nred.global.add.noftz.f16x2 [%out+24], %r5;"));
  grid.body = ".reg .b16 %h1;\nmov.b16 %h1, 0x3c00;\n" + grid.body;
  grid.output_words = 8;
  constexpr std::uint32_t kUpdates = 200 * 64 * 50;
  const std::vector<std::uint32_t> words = execute_ptx(grid);
  CHECK(words[0] == kUpdates);
  CHECK(words[2] == 3 * kUpdates);
  CHECK(words[3] == 0);
  CHECK(words[4] == kUpdates);
  CHECK(words[5] == 0x491C4000);  // 640,000
  CHECK(words[6] == 0x68006800);  // twice 2,048, to which 1 cannot be added in this format
}

TEST_CASE("concurrent blocks: 128 bits are exchanged and compared as one value") {
  // Both halves of the value are always equal.
  PtxGrid grid = many_blocks(
      ".reg .b128 %w<4>;\n" +
      repeated("cvt.u64.u32 %q1, %n;\nmov.b128 %w1, {%q1, %q1};\natom.global.exch.b128 %w2, [%out], %w1;\n"
               "mov.b128 {%q2, %q3}, %w2;\nsetp.ne.u64 %p1, %q2, %q3;\n@%p1 red.global.add.u32 [%out+16], 1;\n"
               "atom.global.cas.b128 %w3, [%out], %w1, %w2;\nmov.b128 {%q2, %q3}, %w3;\n"
               "setp.ne.u64 %p1, %q2, %q3;\n@%p1 red.global.add.u32 [%out+16], 1;"));
  grid.output_words = 8;
  CHECK(execute_ptx(grid)[4] == 0);
}

TEST_CASE("concurrent blocks: a lock protects plain accesses") {
  PtxGrid grid = many_blocks(
      "setp.ne.u32 %p1, %t, 0;\n@%p1 exit;\n" +
      repeated("L: atom.global.acquire.gpu.cas.b32 %r1, [%out], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\n"
               "ld.global.u32 %r2, [%out+4];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%out+4], %r2;\n"
               "st.global.release.gpu.u32 [%out], 0;"));
  grid.output_words = 2;
  CHECK(execute_ptx(grid)[1] == 200 * 50);
}

TEST_CASE("concurrent blocks: resident blocks wait for each other at barriers of the grid") {
  // Each round, all blocks add; then each reads what the round has made.
  PtxGrid grid = many_blocks(
      "mov.u32 %r20, 0;\nmov.u32 %r22, 0;\n"
      "N: add.u32 %r20, %r20, 16;\nbar.sync 0;\nsetp.ne.u32 %p1, %t, 0;\n@%p1 bra W;\n"
      "red.global.release.gpu.add.u32 [%out], 1;\n"
      "S: ld.global.acquire.gpu.u32 %r1, [%out];\nsetp.lt.u32 %p2, %r1, %r20;\n@%p2 bra S;\n"
      "W: bar.sync 0;\nld.global.relaxed.gpu.u32 %r2, [%out];\nsetp.lt.u32 %p3, %r2, %r20;\n"
      "@%p3 red.global.add.u32 [%out+4], 1;\nsetp.lt.u32 %p4, %r20, 1600;\n@%p4 bra N;\n");
  grid.grid = {16, 1, 1};
  grid.output_words = 2;
  const std::vector<std::uint32_t> words = execute_ptx(grid);
  CHECK(words[0] == 1600);
  CHECK(words[1] == 0);
}

TEST_CASE("concurrent blocks: fences keep a store before a later load", "[exhaustive]") {
  // Two blocks each set a flag and then read the other's; at least one of them sees it.
  PtxGrid grid = many_blocks(
      "setp.ne.u32 %p1, %t, 0;\n@%p1 exit;\nshl.b32 %r1, %c, 6;\nxor.b32 %r2, %r1, 64;\n"
      "cvt.u64.u32 %q1, %r1;\nadd.u64 %q1, %q1, %out;\ncvt.u64.u32 %q2, %r2;\nadd.u64 %q2, %q2, %out;\n"
      "mov.u32 %r9, 0;\n"
      // A round: both arrive, set their flag to the round's number, look at the other's.
      "N: add.u32 %r9, %r9, 1;\nred.global.release.gpu.add.u32 [%out+512], 1;\nshl.b32 %r10, %r9, 1;\n"
      "S: ld.global.acquire.gpu.u32 %r3, [%out+512];\nsetp.lt.u32 %p2, %r3, %r10;\n@%p2 bra S;\n"
      "st.global.relaxed.gpu.u32 [%q1], %r9;\nfence.sc.gpu;\nld.global.relaxed.gpu.u32 %r4, [%q2];\n"
      "setp.lt.u32 %p3, %r4, %r9;\nshl.b32 %r5, %r9, 2;\ncvt.u64.u32 %q3, %r5;\nadd.u64 %q3, %q3, %out;\n"
      "@%p3 red.global.add.u32 [%q3+1024], 1;\nsetp.lt.u32 %p4, %r9, 2000;\n@%p4 bra N;\n");
  grid.grid = {2, 1, 1};
  grid.output_words = 256 + 2001;
  const std::vector<std::uint32_t> words = execute_ptx(grid);
  for (std::size_t round = 1; round <= 2000; ++round) {
    REQUIRE(words[256 + round] < 2);
  }
}

TEST_CASE("concurrent blocks: a fault in one of them ends the launch") {
  PtxGrid grid = many_blocks(repeated("red.global.add.u32 [%out], 1;") +
                             "setp.eq.u32 %p1, %c, 150;\nmov.u64 %q1, 64;\n@%p1 ld.global.u32 %r1, [%q1];");
  try {
    execute_ptx(grid);
    FAIL("no fault");
  } catch (const KernelFault& fault) {
    CHECK(fault.kind() == FaultKind::kIllegalAddress);
    CHECK_THAT(fault.what(), Catch::Contains("block (150, 0, 0)"));
  }
}

TEST_CASE("concurrent blocks: deadlocks and limits are found") {
  PtxGrid grid = many_blocks("L: ld.volatile.global.u32 %r1, [%out];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;");
  CHECK_THROWS_WITH(execute_ptx(grid), Catch::Contains("a deadlock"));

  PreparedPtx prepared(many_blocks(repeated("red.global.add.u32 [%out], 1;")));
  const auto outcome = [&prepared](std::uint64_t most) {
    WorkerPool workers(kThreads);
    ThreadBenefit benefit;
    LaunchWatch watch(*prepared.context.kernel, 200, {.most_instructions = most});
    LaunchContext launch = prepared.context;
    launch.watch = &watch;
    launch.concurrent = true;
    GridExecution execution(launch,
                            {.resident_blocks = 16, .local_bytes = 64, .workers = &workers, .benefit = &benefit});
    while (execution.run(GridExecution::kNoLimit) != GridExecution::State::kEnded) {
    }
    return execution.executed();
  };
  const std::uint64_t all = outcome(LaunchWatch::kNoLimit);
  CHECK(outcome(all) == all);
  CHECK_THROWS_WITH(outcome(all - 1), Catch::Contains("--max-instructions"));
}

TEST_CASE("concurrent blocks: one thread goes on alone after a round in which all were slower, and tries again later") {
  using By = ThreadBenefit::By;
  ThreadBenefit benefit;
  CHECK(benefit.next() == By::kAll);
  benefit.note(By::kOne, 1'000'000, 1'000);
  benefit.note(By::kAll, 1'000'000, 900);
  CHECK(benefit.next() == By::kAll);
  benefit.note(By::kAll, 1'000, 1'000'000);  // too short to count
  CHECK(benefit.next() == By::kAll);
  benefit.note(By::kAll, 1'000'000, 1'100);
  for (int i = 0; i < 16; ++i) {
    CHECK(benefit.next() == By::kOne);
    benefit.note(By::kOne, 1'000'000, 1'000);
  }
  CHECK(benefit.next() == By::kAll);
}

TEST_CASE("concurrent blocks: launches that follow one order, and kernels that change what blocks share, are not") {
  PreparedPtx plain(many_blocks("ret;"));
  CHECK(can_be_concurrent(plain.context));
  PtxGrid one = many_blocks("ret;");
  one.grid = {1, 1, 1};
  CHECK_FALSE(can_be_concurrent(PreparedPtx(one).context));
  PtxGrid heap =
      many_blocks("{\n.param .b64 p;\n.param .b64 r;\nst.param.b64 [p], 16;\ncall.uni (r), malloc, (p);\n}\n");
  heap.before = ".extern .func (.param .b64 r) malloc(.param .b64 p);";
  CHECK_FALSE(can_be_concurrent(PreparedPtx(heap).context));
}

}  // namespace
}  // namespace warpsim::test
