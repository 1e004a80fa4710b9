#include "codegen/full_unrolling.h"

#include <catch2/catch.hpp>

#include "support/ptx_grid.h"
#include "unit/codegen/passes.h"

namespace warpsim::test {
namespace {

std::string unrolled(const std::string& body) {
  Kernel kernel(body);
  codegen::unroll_completely(*kernel.module, *kernel.function);
  // New registers have numbers that no other name has: %a, %b, ...
  std::string text = kernel.text();
  const std::string prefix = "%unrolled";
  for (char letter = 'a'; text.find(prefix) != std::string::npos && letter <= 'z'; ++letter) {
    const std::size_t at = text.find(prefix);
    const std::string name = text.substr(at, text.find_first_of(" \n", at) - at);
    for (std::size_t i = text.find(name + " "); i != std::string::npos; i = text.find(name + " ")) {
      text.replace(i, name.size(), std::string("%") + letter);
    }
  }
  return text;
}

bool has_loop(const std::string& body) {
  return unrolled(body).find("bra") != std::string::npos;
}

std::string loop_of(const std::string& round, std::uint32_t rounds, const std::string& start = "0") {
  return "mov.u32 %r1, " + start + "; loop: " + round + "add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, " +
         std::to_string(rounds) + "; @%p1 bra loop; st.global.f32 [%rd2], %f1; ret;";
}

std::string products(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += "fma.rn.f32 %f1, %f1, %f2, %f3; ";
  }
  return text;
}

TEST_CASE("Full unrolling: the counter and what follows from it become numbers") {
  CHECK(unrolled("mov.u32 %r1, 0; loop: shl.b32 %r2, %r1, 3; xor.b32 %r3, %r3, %r2; add.s32 %r1, %r1, 1; "
                 "setp.ne.s32 %p1, %r1, 3; @%p1 bra loop; st.global.u32 [%rd1], %r3; ret;") ==
        "mov %r1 0\nxor %a %r3 0\nxor %b %a 8\nxor %r3 %b 16\nst [%rd1] %r3\nret\n");
}

TEST_CASE("Full unrolling: numbers that the code behind the loop reads are moved to their registers") {
  const std::string text = unrolled(
      "mov.u32 %r1, 5; loop: add.s32 %r3, %r3, %r1; add.s32 %r1, %r1, -1; setp.gt.s32 %p1, %r1, 3; @%p1 bra loop; "
      "st.global.u32 [%rd1], %r1; st.global.u32 [%rd1], %r3; ret;");
  CHECK(text.find("add %a %r3 5\nadd %r3 %a 4\nmov %r1 3\nst [%rd1] %r1\n") != std::string::npos);
}

TEST_CASE("Full unrolling: a guarded instruction finds the number in its register") {
  const std::string text = unrolled(
      "mov.u32 %r1, 0; mov.u32 %r2, 1; loop: add.s32 %r2, %r2, 4; @%p2 mov.u32 %r2, 9; add.s32 %r3, %r3, %r2; "
      "add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 2; @%p1 bra loop; st.global.u32 [%rd1], %r3; ret;");
  CHECK(text.find("mov %r2 5\n@%p2 mov ") != std::string::npos);
}

// Expected results: ptxas of CUDA 13.0 for sm_90.
TEST_CASE("Full unrolling: short rounds allow many, long ones few") {
  CHECK_FALSE(has_loop(loop_of(products(10), 120)));
  CHECK(has_loop(loop_of(products(10), 121)));
  CHECK_FALSE(has_loop(loop_of(products(64), 6)));
  CHECK(has_loop(loop_of(products(64), 7)));
  CHECK(has_loop(loop_of(products(195), 2)));
  // A load counts twice, the step of its address not at all.
  std::string loads;
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    loads += "ld.global.f32 %f3, [%rd1" + n + "]; add.s64 %rd1" + n + ", %rd1" + n + ", 128; add.f32 %f1, %f1, %f3; ";
  }
  CHECK_FALSE(has_loop(loop_of(products(8) + loads, 37)));
  CHECK(has_loop(loop_of(products(8) + loads, 38)));
  // Products of the counter allow more.
  std::string numbers;
  for (int i = 0; i < 8; ++i) {
    numbers += "mul.lo.s32 %r2, %r1, " + std::to_string(7 * i + 3) + "; xor.b32 %r3, %r3, %r2; ";
  }
  CHECK_FALSE(has_loop(loop_of(products(24) + numbers, 54)));
  CHECK(has_loop(loop_of(products(24) + numbers, 57)));
}

TEST_CASE("Full unrolling: loops of an unknown number of rounds stay") {
  CHECK(has_loop(loop_of(products(4), 8, "%r9")));
  CHECK(has_loop("mov.u32 %r1, 0; loop: " + products(4) +
                 "add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r9; @%p1 bra loop; ret;"));
  CHECK(has_loop("mov.u32 %r1, 0; loop: membar.gl; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 4; @%p1 bra loop; ret;"));
}

// execute_ptx() compares with the code as written.
TEST_CASE("Full unrolling: results are those of the loop") {
  const std::string body =
      "mov.u32 %r1, 0; mov.u32 %r2, 3; mov.u64 %q1, 0; mov.u32 %r5, %t;\n"
      "loop: shl.b32 %r3, %r1, 2; mad.lo.s32 %r5, %r5, 5, %r3; cvt.u32.u64 %r4, %q1; xor.b32 %r5, %r5, %r4;\n"
      "setp.lt.u32 %p2, %r5, 1000; @%p2 add.s32 %r2, %r2, 7; add.s32 %r5, %r5, %r2; add.s64 %q1, %q1, 9;\n"
      "add.s32 %r1, %r1, 2; setp.ne.s32 %p1, %r1, 14; @%p1 bra loop;\n"
      "add.s32 %r5, %r5, %r1; add.s32 %r5, %r5, %r3; st.global.u32 [%own], %r5;";
  std::vector<std::uint32_t> expected;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t value = lane;
    std::uint32_t two = 3;
    for (std::uint32_t i = 0; i < 7; ++i) {
      value = (value * 5 + 8 * i) ^ (9 * i);
      two += value < 1000 ? 7 : 0;
      value += two;
    }
    expected.push_back(value + 14 + 48);
  }
  CHECK(execute_ptx({.body = body}) == expected);
}

TEST_CASE("Full unrolling: the bits of a float that are known are no integer for its readers") {
  const std::string body =
      "mov.u32 %r1, 0; mov.u32 %r5, 0x40000000; mov.f32 %f1, 0f3f800000;\n"
      "loop: mov.b32 %f2, %r5; add.f32 %f1, %f1, %f2; add.s32 %r1, %r1, 1;\n"
      "setp.lt.s32 %p1, %r1, 3; @%p1 bra loop; cvt.rzi.u32.f32 %r2, %f1; st.global.u32 [%own], %r2;";
  CHECK(execute_ptx({.body = body}) == std::vector<std::uint32_t>(32, 7));
}

}  // namespace
}  // namespace warpsim::test
