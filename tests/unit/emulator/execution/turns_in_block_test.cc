// The order in which the warps of a block execute without timing.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

// Each warp reads a word of shared memory after a barrier; the first warp then uses it again, without another barrier.
// On hardware warps leave a barrier at nearly the same time, so that all of them read the first value.
std::string reused(std::uint32_t operations_before_write, const std::string& write) {
  std::string body =
      "mov.u32 %r1, word;\nsetp.ne.u32 %p1, %t, 0;\nmov.u32 %r2, 7;\n@!%p1 st.shared.u32 [%r1], %r2;\n"
      "bar.sync 0;\nld.shared.u32 %r3, [%r1];\n";
  for (std::uint32_t i = 0; i < operations_before_write; ++i) {
    body += "add.u32 %r4, %r4, 1;\n";
  }
  return body + write + "\nbar.sync 0;\nst.global.u32 [%own], %r3;";
}

TEST_CASE("turns in a block: all warps read shared memory before one of them writes it again") {
  for (const char* const write : {"@!%p1 st.shared.u32 [%r1], %r4;", "@!%p1 atom.shared.add.u32 %r5, [%r1], 3;",
                                  "cvta.shared.u32 %r6, %r1;\n@!%p1 st.shared.u32 [%r1], %r4;",
                                  "cvt.u64.u32 %q1, %r1;\ncvta.shared.u64 %q1, %q1;\n@!%p1 st.u32 [%q1], %r4;"}) {
    for (const std::uint32_t distance : {0U, 1U, 40U, 400U}) {
      PtxGrid grid{.body = reused(distance, write), .before = ".shared .align 4 .u32 word;", .block = {512, 1, 1}};
      CHECK(execute_ptx(grid) == std::vector<std::uint32_t>(512, 7));
    }
  }
}

// As kernels do that compute in place: the value of one thread is needed by another, without a barrier between them.
TEST_CASE("turns in a block: all warps read global memory before one of them writes it") {
  for (const char* const write :
       {"st.global.u32 [%q1], %r4;", "red.global.add.u32 [%q1], 1;", "cvta.global.u64 %q1, %q1;\nst.u32 [%q1], %r4;"}) {
    PtxGrid grid{.body = "mov.u64 %q1, value;\nld.global.u32 %r3, [%q1];\nadd.u32 %r4, %r3, %t;\n" +
                         std::string(write) + "\nst.global.u32 [%own], %r3;",
                 .before = ".global .align 4 .u32 value = 7;",
                 .block = {512, 1, 1}};
    CHECK(execute_ptx(grid) == std::vector<std::uint32_t>(512, 7));
  }
}

// A warp that has just written reads and writes again: the others have also read before that.
TEST_CASE("turns in a block: all warps read before one of them writes a second time") {
  const auto count = [](const std::string& space, const std::string& first, const std::string& second) {
    return "ld." + space + ".u8 %r3, [" + first + "];\nadd.u32 %r3, %r3, 1;\nst." + space + ".u8 [" + first +
           "], %r3;\nld." + space + ".u8 %r4, [" + second + "];\nadd.u32 %r4, %r4, 1;\nst." + space + ".u8 [" + second +
           "], %r4;\nbar.sync 0;\n";
  };
  const PtxGrid global{.body = "and.b32 %r1, %t, 31;\ncvt.u64.u32 %q1, %r1;\nadd.u64 %q1, %q1, %out;\n" +
                               count("global", "%q1", "%q1+32"),
                       .output_words = 16,
                       .block = {256, 1, 1}};
  CHECK(execute_ptx(global) == std::vector<std::uint32_t>(16, 0x01010101));
  const PtxGrid shared{.body =
                           "mov.u32 %r1, bytes;\nand.b32 %r2, %t, 31;\nadd.u32 %r1, %r1, %r2;\n"
                           "st.shared.u8 [%r1], 0;\nst.shared.u8 [%r1+32], 0;\nbar.sync 0;\n" +
                           count("shared", "%r1", "%r1+32") +
                           "ld.shared.u8 %r5, [%r1];\nld.shared.u8 %r6, [%r1+32];\n"
                           "mad.lo.u32 %r5, %r6, 256, %r5;\nst.global.u32 [%own], %r5;",
                       .before = ".shared .align 4 .b8 bytes[64];",
                       .block = {256, 1, 1}};
  CHECK(execute_ptx(shared) == std::vector<std::uint32_t>(256, 0x0101));
}

// 32 operations, as long as a turn in which a warp may write.
TEST_CASE("turns in a block: a warp that writes again and again lets the others follow") {
  // Each warp counts in a word of its own and, every 16th time, stores how far the next warp is behind.
  PtxGrid grid{.body =
                   "mov.u32 %r1, words;\nshr.u32 %r2, %t, 5;\nshl.b32 %r2, %r2, 2;\nadd.u32 %r3, %r1, %r2;\n"
                   "xor.b32 %r4, %r2, 4;\nadd.u32 %r4, %r1, %r4;\nmov.u32 %r5, 0;\nmov.u32 %r9, 0;\n"
                   "st.shared.u32 [%r3], 0;\nbar.sync 0;\n"
                   "L: add.u32 %r5, %r5, 1;\nst.shared.u32 [%r3], %r5;\nld.volatile.shared.u32 %r6, [%r4];\n"
                   "sub.s32 %r7, %r5, %r6;\nmax.s32 %r9, %r9, %r7;\n"
                   "setp.lt.u32 %p1, %r5, 1000;\n@%p1 bra L;\nst.global.u32 [%own], %r9;",
               .before = ".shared .align 4 .b8 words[8];",
               .block = {64, 1, 1},
               .optimised = true};
  constexpr std::uint32_t kRoundsInTurn = 32 / 7 + 2;
  for (const std::uint32_t ahead : execute_ptx(grid)) {
    CHECK(ahead <= 2 * kRoundsInTurn);
  }
}

}  // namespace
}  // namespace warpsim::test
