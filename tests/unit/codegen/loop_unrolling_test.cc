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

// Expected results: ptxas of CUDA 13.0 for sm_90.
TEST_CASE("loops with loads are unrolled up to longer bodies") {
  const auto is_unrolled = [](const std::string& load, std::size_t products) {
    std::string body = load;
    for (std::size_t i = 0; i < products; ++i) {
      body += "fma.rn.f32 %f1, %f1, %f2, %f3; ";
    }
    return count_of(unrolled("mov.u32 %r1, 0; loop: " + body +
                             "add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra loop; "
                             "st.global.f32 [%rd2], %f1; ret;"),
                    "setp") > 1;
  };
  CHECK(is_unrolled("", 18));
  CHECK_FALSE(is_unrolled("", 19));
  const std::string shared = "ld.shared.f32 %f3, [%r3]; add.s32 %r3, %r3, 128; ";
  CHECK(is_unrolled(shared, 21));
  CHECK_FALSE(is_unrolled(shared, 22));
  CHECK(is_unrolled(shared + shared, 24));
  CHECK_FALSE(is_unrolled(shared + shared, 26));
  const std::string global = "ld.global.f32 %f3, [%rd1]; add.s64 %rd1, %rd1, 128; ";
  CHECK(is_unrolled(global, 44));
  CHECK_FALSE(is_unrolled(global, 45));
  CHECK_FALSE(is_unrolled("st.global.f32 [%rd1], %f1; add.s64 %rd1, %rd1, 128; ", 20));

  const auto repeated = [](const std::string& access, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      text += access;
    }
    return text;
  };
  const std::string load = "ld.global.f32 %f3, [%rd1+8]; ";
  const std::string store = "st.shared.f32 [%r3+8], %f1; ";
  const std::string steps = "add.s64 %rd1, %rd1, 128; add.s32 %r3, %r3, 128; ";
  CHECK(is_unrolled(repeated(load, 8) + steps, 29));
  CHECK_FALSE(is_unrolled(repeated(load, 8) + steps, 32));
  CHECK(is_unrolled(repeated(store, 4) + "add.s32 %r3, %r3, 128; ", 10));
  CHECK_FALSE(is_unrolled(repeated(store, 4) + "add.s32 %r3, %r3, 128; ", 11));
  CHECK(is_unrolled(repeated(load + store, 4) + steps, 30));
  CHECK_FALSE(is_unrolled(repeated(load + store, 4) + steps, 31));
  CHECK(is_unrolled(repeated("ld.shared.f32 %f3, [%r3+8]; ", 24) + "add.s32 %r3, %r3, 128; ", 24));
}

// Expected results: ptxas of CUDA 13.0 for sm_90.
TEST_CASE("loops with fences, integer divisions or several integer atomics stay as they are") {
  const auto is_unrolled = [](const std::string& statements) {
    return count_of(unrolled("mov.u32 %r1, 0; loop: " + statements +
                             " add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra loop; ret;"),
                    "setp") > 1;
  };
  const std::string reduction = "red.global.add.u32 [%rd1], %r3; ";
  CHECK(is_unrolled(reduction));
  CHECK_FALSE(is_unrolled(reduction + reduction));
  CHECK_FALSE(is_unrolled(reduction + "atom.shared.max.s32 %r4, [%r5], %r3;"));
  CHECK(is_unrolled("atom.global.exch.b32 %r4, [%rd1], %r3; atom.global.cas.b32 %r4, [%rd1], %r3, %r4;"));
  CHECK(is_unrolled("red.global.add.f32 [%rd1], %f1; red.global.add.f32 [%rd1], %f2;"));
  CHECK_FALSE(is_unrolled("membar.gl;"));
  CHECK_FALSE(is_unrolled("fence.acq_rel.cta;"));
  CHECK_FALSE(is_unrolled("div.s32 %r3, %r3, %r4;"));
  CHECK(is_unrolled("div.approx.f32 %f1, %f1, %f2;"));
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

// The loop "do { ++rounds; counter += step; } while (counter OP bound)", with start and bound plus the lane.
struct CountedLoop {
  std::string comparison;  // "lt.u32"
  std::int64_t start = 0;
  std::int64_t step = 0;
  std::int64_t bound = 0;
  bool by_lane = true;  // the bound is a register, plus the lane
};

bool goes_on(const CountedLoop& loop, std::int64_t counter, std::int64_t bound) {
  const bool is_unsigned = loop.comparison.find(".u") != std::string::npos;
  const bool is_wide = loop.comparison.ends_with("64");
  const auto narrowed = [&](std::int64_t value) -> std::int64_t {
    const auto word = static_cast<std::uint32_t>(value);
    return is_wide ? value : is_unsigned ? std::int64_t{word} : std::int64_t{static_cast<std::int32_t>(word)};
  };
  const auto a = narrowed(counter);
  const auto b = narrowed(bound);
  const bool less = is_unsigned ? static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b) : a < b;
  const std::string op = loop.comparison.substr(0, 2);
  return op == "lt" ? less : op == "le" ? less || a == b : op == "ge" ? !less : op == "gt" ? !less && a != b : a != b;
}

TEST_CASE("unrolled loops count as the original loop with every comparison, type and bound") {
  const CountedLoop loop =
      GENERATE(CountedLoop{"lt.u32", 0, 1, 3}, CountedLoop{"lt.u32", 0x7ffffff0, 3, 0x7fffffff},
               CountedLoop{"lt.u32", 0, 1, 0}, CountedLoop{"le.u32", 5, 2, 1}, CountedLoop{"gt.u32", 40, -1, 3},
               CountedLoop{"ge.s32", 20, -3, -9}, CountedLoop{"le.s32", -20, 3, -9}, CountedLoop{"lt.s64", -5, 2, 0},
               CountedLoop{"lt.u64", 0x7fffffff, 5, 0x80000010}, CountedLoop{"gt.s64", 9, -4, -60},
               CountedLoop{"lt.u32", 0, 4, 77, false}, CountedLoop{"ne.s32", 59, -4, -1, false},
               CountedLoop{"ne.s32", 0, 4, 60, false}, CountedLoop{"ne.s64", 33, -3, 0, false},
               CountedLoop{"lt.u32", 0xfffffff0, 1, 0xfffffffe, false}, CountedLoop{"lt.u32", 0, 1, 2, false},
               CountedLoop{"ne.s32", -3, 1, 2}, CountedLoop{"ne.s32", 100, -1, 40}, CountedLoop{"ne.s64", 0, 1, 9},
               CountedLoop{"ne.s32", 2147483600, 1, 2147483650});
  CAPTURE(loop.comparison, loop.start, loop.step, loop.bound);
  const std::string type = loop.comparison.substr(3);
  const bool is_wide = loop.comparison.ends_with("64");
  const std::string c = is_wide ? "%q1" : "%r1";
  const std::string b = is_wide ? "%q2" : "%r2";
  const std::string sum = is_wide ? "add.s64 " : "add.s32 ";
  const std::string bound = std::to_string(loop.bound);
  const std::string body = "mov.b" + type.substr(1) + " " + c + ", " + std::to_string(loop.start) +
                           "; mov.u32 %r3, 0;\n" + (is_wide ? "cvt.u64.u32 %q2, %t; " : "mov.u32 %r2, %t; ") + sum + b +
                           ", " + b + ", " + bound + ";\nloop: add.s32 %r3, %r3, 1; " + sum + c + ", " + c + ", " +
                           std::to_string(loop.step) + "; setp." + loop.comparison + " %p1, " + c + ", " +
                           (loop.by_lane ? b : bound) + "; @%p1 bra loop;\nst.global.u32 [%own], %r3;";
  std::vector<std::uint32_t> expected;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t rounds = 0;
    std::int64_t counter = loop.start;
    do {
      ++rounds;
      counter += loop.step;
    } while (goes_on(loop, counter, loop.bound + (loop.by_lane ? lane : 0)));
    expected.push_back(rounds);
  }
  CHECK(execute_ptx({.body = body}) == expected);
}

TEST_CASE("loops whose rounds have rare paths, and long ones, stay unchanged") {
  const std::string slow = GENERATE("div.rn.f32 %f1, %f1, %f2;", "sqrt.rn.f64 %d1, %d1;", "rem.s64 %rd5, %rd5, %rd6;");
  const std::string loop =
      "mov.u32 %r1, 0; loop: " + slow + " add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra loop; ret;";
  CHECK(count_of(unrolled(loop), "setp") == 1);
  std::string body;
  for (int i = 0; i < 40; ++i) {
    body += "mul.lo.s32 %r3, %r3, 3; ";
  }
  CHECK(count_of(unrolled("mov.u32 %r1, 0; loop: " + body +
                          "add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra loop; ret;"),
                 "mul") == 40);
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
