// What hardware does where CUDA does not allow an operation. Expected results are those of an H200
// (tests/hardware/waiting_threads/masks.cu).
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/execution/fault.h"
#include "emulator/execution/grid_execution.h"
#include "emulator/memory/device_memory.h"
#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

using Words = std::vector<std::uint32_t>;

struct Tolerant {
  explicit Tolerant(const PtxGrid& grid) : prepared(grid) {
    prepared.context.tolerate = [this](std::uint32_t line, const std::string& text) {
      lines.push_back(line);
      texts.push_back(text);
    };
    execute_grid(prepared.context, {.resident_blocks = 1, .local_bytes = grid.local_bytes});
  }
  PreparedPtx prepared;
  std::vector<std::uint32_t> lines;
  std::vector<std::string> texts;
};

// Only the first 12 lanes execute the operation, whose mask names all; each has 3 times its number, plus 1.
PtxGrid by_some(const std::string& operation, std::uint32_t threads = 32) {
  return {.body = "mad.lo.u32 %r1, %t, 3, 1;\nmov.u32 %r2, 57005;\nsetp.ge.u32 %p1, %t, 12;\n@%p1 bra E;\n" +
                  operation + "\nE: st.global.u32 [%own], %r2;",
          .block = {threads, 1, 1}};
}

Words first_twelve(Words words) {
  words.resize(32, 57005);
  return words;
}

TEST_CASE("tolerant: lanes that a mask names wrongly are not waited for") {
  const std::string shuffle = "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;";
  CHECK_THROWS_WITH(execute_ptx(by_some(shuffle)), Catch::Contains("a deadlock") && Catch::Contains("--tolerant"));
  const Tolerant shuffled(by_some(shuffle));
  CHECK(shuffled.prepared.output() == first_twelve({4, 1, 10, 7, 16, 13, 22, 19, 28, 25, 34, 31}));
  REQUIRE_FALSE(shuffled.texts.empty());
  CHECK_THAT(shuffled.texts.front(), Catch::Contains("waits for threads of its warp that wait elsewhere"));
  // Lanes that are not there give 0, and do not vote.
  CHECK(Tolerant(by_some("shfl.sync.idx.b32 %r2, %r1, 20, 31, -1;")).prepared.output() == first_twelve(Words(12, 0)));
  CHECK(Tolerant(by_some("setp.ne.u32 %p2, %t, 99;\nvote.sync.ballot.b32 %r2, %p2, -1;")).prepared.output() ==
        first_twelve(Words(12, 0xfff)));
  CHECK(Tolerant(by_some("redux.sync.add.s32 %r2, %r1, -1;")).prepared.output() == first_twelve(Words(12, 0xd2)));
  CHECK(Tolerant(by_some("bar.warp.sync -1;\nmov.u32 %r2, 7;")).prepared.output() == first_twelve(Words(12, 7)));
}

TEST_CASE("tolerant: lanes that wait at a barrier of the block are not waited for by their warp") {
  PtxGrid grid{.body =
                   "mov.u32 %r2, 5;\nsetp.ge.u32 %p1, %t, 12;\n@%p1 bra W;\n"
                   "shfl.sync.bfly.b32 %r2, %t, 16, 31, -1;\nbarrier.sync 0;\nbra E;\n"
                   "W: barrier.sync 0;\nE: st.global.u32 [%own], %r2;"};
  Words expected(32, 5);
  std::fill_n(expected.begin(), 12, 0);
  CHECK(Tolerant(grid).prepared.output() == expected);
}

TEST_CASE("tolerant: lanes of a warp that wait for each other at different kinds of operations wait forever") {
  const PtxGrid grid{.body =
                         "setp.ge.u32 %p1, %t, 12;\n@%p1 bra W;\nshfl.sync.bfly.b32 %r2, %t, 1, 31, -1;\nbra E;\n"
                         "W: bar.warp.sync -1;\nE: st.global.u32 [%own], %r2;"};
  CHECK_THROWS_WITH(Tolerant(grid), Catch::Contains("a deadlock"));
}

TEST_CASE("tolerant: accesses beside allocations reach memory in pages that are mapped") {
  // The output has 32 words; the one behind it is written and read again.
  PtxGrid grid{.body =
                   "setp.ne.u32 %p1, %t, 0;\n@%p1 exit;\nst.global.u32 [%out+128], 77;\n"
                   "ld.global.u32 %r1, [%out+128];\nst.global.u32 [%own], %r1;"};
  CHECK_THROWS_AS(execute_ptx(grid), KernelFault);
  const Tolerant once(grid);
  CHECK(once.prepared.output().front() == 77);
  REQUIRE(once.texts.size() == 2);
  CHECK_THAT(once.texts.front(), Catch::Contains("writes 4 bytes") && Catch::Contains("outside of allocations"));
  // 2 MiB further nothing is mapped.
  grid.body = "ld.global.u32 %r1, [%out+2097152];\nst.global.u32 [%own], %r1;";
  CHECK_THROWS_AS(Tolerant(grid), KernelFault);
  grid.body = "mov.u64 %q1, 64;\nld.global.u32 %r1, [%q1];\nst.global.u32 [%own], %r1;";
  CHECK_THROWS_AS(Tolerant(grid), KernelFault);
}

}  // namespace
}  // namespace warpsim::test
