// Arithmetic and logic in code translated to the host's instructions, where its sources decide how it is done.
// execute_ptx() compares each result with that of the handlers.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

TEST_CASE("host code: bytes are permuted by constants as by the handler") {
  for (const char* const selector : {"0x3210", "0x7654", "0x4321", "0x0000", "0x5140", "0x7777", "0x9210", "0x2763"}) {
    INFO(selector);
    CHECK_NOTHROW(execute_ptx({.body = "mul.lo.u32 %r1, %t, 2654435761;\nmad.lo.u32 %r2, %r1, 77, 5;\n"
                                       "prmt.b32 %r3, %r1, %r2, " +
                                       std::string(selector) + ";\nst.global.u32 [%own], %r3;"}));
  }
}

TEST_CASE("host code: minima and maxima order signed zeros and prefer numbers as the handlers do") {
  const std::vector<float> values = {0.0F,       -0.0F,     1.0F,       -1.0F,         0x1p-140F,
                                     -0x1p-140F, HUGE_VALF, -HUGE_VALF, std::nanf(""), 3.0F};
  for (const char* const operation : {"min.f32", "max.f32", "min.ftz.f32", "max.ftz.f32"}) {
    for (const std::size_t count : {values.size(), values.size() - 2}) {  // with and without a NaN
      std::vector<std::uint32_t> input;
      for (std::uint32_t i = 0; i < 2 * 128; ++i) {
        input.push_back(std::bit_cast<std::uint32_t>(values[(i < 128 ? i : (i - 128) / count) % count]));
      }
      INFO(operation);
      CHECK_NOTHROW(execute_ptx({.body = "mul.wide.u32 %q1, %t, 4;\nadd.u64 %q1, %q1, %in;\nld.global.f32 %f1, [%q1];\n"
                                         "ld.global.f32 %f2, [%q1+512];\n" +
                                         std::string(operation) + " %f3, %f1, %f2;\nst.global.f32 [%own], %f3;",
                                 .input = input,
                                 .block = {128, 1, 1}}));
    }
  }
}

TEST_CASE("host code: fields of bits are extracted as by the handler") {
  for (const char* const field :
       {"0, 8", "8, 8", "24, 8", "0, 32", "31, 1", "5, 13", "28, 8", "3, 0", "40, 4", "257, 3"}) {
    for (const char* const type : {"u32", "s32"}) {
      INFO(field);
      CHECK_NOTHROW(execute_ptx({.body = "mul.lo.u32 %r1, %t, 2654435761;\nbfe." + std::string(type) + " %r3, %r1, " +
                                         field + ";\nst.global.u32 [%own], %r3;"}));
    }
  }
}

// Any bits: infinities, NaNs and subnormal halves are among them; then of numbers of one size, whose sums are near.
TEST_CASE("host code: arithmetic and conversions of halves have the results of the handlers", "[exhaustive]") {
  std::mt19937 random(7);
  for (const bool near : {false, true}) {
    std::vector<std::uint32_t> input;
    for (std::uint32_t i = 0; i < 3 * 4096; ++i) {
      const auto bits = static_cast<std::uint32_t>(random());
      input.push_back(near ? (bits & 0x83ff83ffU) | 0x38003800U | (bits >> 4U & 0x0c000c00U) : bits);
    }
    for (const char* const instruction :
         {"add.f16x2 %r4, %r1, %r2", "sub.f16x2 %r4, %r1, %r2", "mul.f16x2 %r4, %r1, %r2",
          "fma.rn.f16x2 %r4, %r1, %r2, %r3", "fma.rn.ftz.f16x2 %r4, %r1, %r2, %r3", "add.sat.f16x2 %r4, %r1, %r2",
          "cvt.rn.f16x2.f32 %r4, %r1, %r2", "cvt.rn.bf16x2.f32 %r4, %r1, %r2",
          "mov.b32 {%h1, %h2}, %r1;\ncvt.f32.f16 %f1, %h1;\nmov.b32 %r4, %f1",
          "mov.b32 {%h1, %h2}, %r1;\ncvt.f32.bf16 %f1, %h2;\nmov.b32 %r4, %f1",
          "mov.b32 %f1, %r1;\ncvt.rn.f16.f32 %h1, %f1;\nmov.b32 %r4, {%h1, %h1}",
          "mov.b32 %f1, %r1;\ncvt.rn.bf16.f32 %h1, %f1;\nmov.b32 %r4, {%h1, %h1}"}) {
      INFO(instruction << near);
      CHECK_NOTHROW(execute_ptx(
          {.body = ".reg .b16 %h<3>;\nmul.wide.u32 %q1, %t, 4;\nadd.u64 %q1, %q1, %in;\nmov.u32 %r5, 0;\nmov.u32 %r6, "
                   "0;\nagain:\n"
                   "ld.global.u32 %r1, [%q1];\nld.global.u32 %r2, [%q1+16384];\nld.global.u32 %r3, [%q1+32768];\n" +
                   std::string(instruction) +
                   ";\nmad.lo.u32 %r5, %r5, 31, %r4;\nadd.u64 %q1, %q1, 128;\nadd.u32 %r6, %r6, 1;\n"
                   "setp.lt.u32 %p1, %r6, 128;\n@%p1 bra again;\nst.global.u32 [%own], %r5;",
           .input = input}));
    }
  }
}

}  // namespace
}  // namespace warpsim::test
