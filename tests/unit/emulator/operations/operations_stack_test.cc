// alloca, stacksave and stackrestore.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "emulator/execution/fault.h"
#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

std::vector<std::uint32_t> run(const std::string& body, const std::string& before = {},
                               std::uint32_t local_bytes = 256) {
  PtxGrid grid;
  grid.body = body;
  grid.before = before;
  grid.local_bytes = local_bytes;
  return execute_ptx(grid);
}

TEST_CASE("each thread allocates any size with any alignment") {
  const std::vector<std::uint32_t> out =
      run("add.u32 %r0, %t, 1;\nalloca.u32 %r1, %r0, 4;\nalloca.u32 %r2, 4, 16;\n"
          "st.local.u8 [%r1], %t;\nst.local.u32 [%r2], %r0;\nadd.u32 %r3, %r1, %t;\nst.local.u8 [%r3], %r0;\n"
          "ld.local.u32 %r4, [%r2];\nand.b32 %r5, %r1, 3;\nand.b32 %r6, %r2, 15;\nadd.u32 %r4, %r4, %r5;\n"
          "add.u32 %r4, %r4, %r6;\nst.global.u32 [%own], %r4;");
  for (std::uint32_t i = 0; i < 32; ++i) {
    CHECK(out[i] == i + 1);
  }
}

TEST_CASE("memory above a restored mark is allocated again") {
  const std::vector<std::uint32_t> out =
      run("alloca.u64 %q0, 16;\nstacksave.u64 %q1;\nalloca.u64 %q2, 200;\nstackrestore.u64 %q1;\n"
          "alloca.u64 %q3, 200;\nsub.u64 %q4, %q2, %q3;\nsub.u64 %q5, %q0, %q3;\ncvt.u32.u64 %r0, %q4;\n"
          "cvt.u32.u64 %r1, %q5;\nshl.b32 %r0, %r0, 8;\nor.b32 %r0, %r0, %r1;\nst.global.u32 [%own], %r0;");
  CHECK(out[0] == 200);
}

const std::string kTaker =
    ".func (.param .b32 result) take(.param .b32 bytes) {\n.reg .b32 %r<4>;\nld.param.u32 %r0, [bytes];\n"
    "alloca.u32 %r1, %r0;\nst.local.u32 [%r1], %r0;\nld.local.u32 %r2, [%r1];\nst.param.u32 [result], %r2;\nret;\n}\n";
const std::string kCall =
    "{ .param .b32 a; .param .b32 b; st.param.u32 [a], %r0; call (b), take, (a); ld.param.u32 %r1, [b]; }\n";

TEST_CASE("a function frees its stack memory when it returns") {
  const std::vector<std::uint32_t> out =
      run("mov.u32 %r0, 200;\n" + kCall + kCall + kCall + "st.global.u32 [%own], %r1;", kTaker);
  CHECK(out[31] == 200);
}

TEST_CASE("a full stack is a fault") {
  CHECK_THROWS_AS(run("alloca.u32 %r0, 257;"), KernelFault);
  CHECK_NOTHROW(run("alloca.u32 %r0, 256;"));
  CHECK_THROWS_AS(run("mov.u32 %r0, 100;\nalloca.u32 %r2, 160;\n" + kCall, kTaker), KernelFault);
  CHECK_THROWS_AS(run("stacksave.u32 %r0;\nsub.u32 %r0, %r0, 8;\nstackrestore.u32 %r0;"), KernelFault);
}

}  // namespace
}  // namespace warpsim::test
