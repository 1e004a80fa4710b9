#include "codegen/loop_unrolling.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "support/ptx_grid.h"
#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

std::string unrolled(const std::string& body) {
  Kernel kernel(body);
  codegen::unroll_loops(*kernel.module, *kernel.function);
  return kernel.text();
}

TEST_CASE("a counted loop runs four rounds without tests, then two, and the rest unchanged") {
  const std::string text = unrolled(
      "mov.u32 %r1, 0; loop: mul.lo.s32 %r3, %r3, 3; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra loop; "
      "st.global.u32 [%rd1], %r3; ret;");
  CHECK(count_of(text, "mul") == 7);
  // Whether the bound is far enough from the smallest number, before and after four rounds, whether any is left, before
  // and after two rounds, and the rest.
  CHECK(count_of(text, "setp") == 7);
}

TEST_CASE("loops that do not count by a constant to a fixed bound stay unchanged") {
  const std::string steps = GENERATE(std::string("add.s32 %r1, %r1, %r4;"), "add.s32 %r1, %r1, 1; add.s32 %r2, %r2, 1;",
                                     "@%p2 add.s32 %r1, %r1, 1;", "add.s32 %r1, %r1, 1; call f;");
  INFO(steps);
  const std::string body = "loop: " + steps + " setp.lt.s32 %p1, %r1, %r2; @%p1 bra loop; ret;";
  Kernel kernel("mov.u32 %r1, 0; " + body, ".func f() { ret; }\n");
  const std::string before = kernel.text();
  codegen::unroll_loops(*kernel.module, *kernel.function);
  CHECK(kernel.text() == before);
}

// Sums of i * i with a value carried from round to round; execute_ptx() compares with the original loop.
TEST_CASE("unrolled loops have the results of the original loop, for any number of rounds") {
  const std::string up =
      "mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r5, 7;\n"
      "loop: mul.lo.s32 %r3, %r1, %r1; add.s32 %r2, %r2, %r3; xor.b32 %r5, %r5, %r2; add.s32 %r1, %r1, 1;\n"
      "setp.lt.s32 %p1, %r1, %t; @%p1 bra loop;\nadd.s32 %r2, %r2, %r5; st.global.u32 [%own], %r2;";
  const std::string down =
      "add.s32 %r1, %t, 1; mov.u32 %r2, 0;\nloop: mad.lo.s32 %r2, %r2, 3, %r1; add.s32 %r1, %r1, -1;\n"
      "setp.ne.s32 %p1, %r1, 0; @%p1 bra loop; st.global.u32 [%own], %r2;";
  std::vector<std::uint32_t> expected;
  for (std::uint32_t rounds = 1; rounds <= 32; ++rounds) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = rounds; i != 0; --i) {
      sum = sum * 3 + i;
    }
    expected.push_back(sum);
  }
  CHECK(execute_ptx({.body = down}) == expected);
  CHECK(execute_ptx({.body = up}).size() == 32);
}

TEST_CASE("a bound next to the smallest number ends the loop after one round") {
  const std::string body =
      "mov.u32 %r1, 0x80000000; add.s32 %r2, %t, 0x80000001; mov.u32 %r3, 0;\n"
      "loop: add.s32 %r3, %r3, 1; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra loop;\n"
      "st.global.u32 [%own], %r3;";
  std::vector<std::uint32_t> expected;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    expected.push_back(std::max(1U, lane + 1));
  }
  CHECK(execute_ptx({.body = body}) == expected);
}

TEST_CASE("a loop with memory and a bound below its start runs once") {
  const std::string body =
      "mov.u32 %r1, 100; mov.u64 %q1, %in;\nloop: ld.global.u32 %r2, [%q1]; add.s32 %r3, %r2, %r1;\n"
      "st.global.u32 [%own], %r3; add.s64 %q1, %q1, 4; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 50; @%p1 bra loop;";
  CHECK(execute_ptx({.body = body, .input = {11, 22, 33}, .block = {1, 1, 1}}) == std::vector<std::uint32_t>{111});
}

}  // namespace
