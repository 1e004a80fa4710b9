// Atomics: the memory afterwards and the result of each lane. Lanes execute in order.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "ptx/ptx_error.h"
#include "support/ptx_launch.h"
#include "support/ptx_machine.h"

namespace warpsim::test {
namespace {

template <class T>
struct Updated {
  T seen;
  T stored;
  bool operator==(const Updated&) const = default;
};

// One thread; `old` in memory, operands b and c. `type` as in the instruction: its last letters are the width.
template <class T>
Updated<T> update(const std::string& operation, T old, T b, T c = 0) {
  const std::string width = std::to_string(8 * sizeof(T));
  const std::string name = sizeof(T) == 8 ? "%rd" : sizeof(T) == 4 ? "%r" : "%h";
  const auto load = [&](int number) {
    return "ld.global.b" + width + " " + name + std::to_string(number) + ", [%in+" + std::to_string(8 * number) +
           "];\n";
  };
  const bool swaps = operation.find("cas") != std::string::npos;
  const std::string operands = name + "0" + (swaps ? ", " + name + "1" : "") + ";\n";
  PtxLaunch test(load(0) + load(1) + "atom.global." + operation + " " + name + "2, [%out], " + operands +
                 "st.global.b" + width + " [%out+8], " + name + "2;");
  test.set_output<T>(0, old);
  test.set_input<T>(0, b);
  test.set_input<T>(8 / sizeof(T), c);
  test.run();
  return {test.output<T>(8 / sizeof(T)), test.output<T>(0)};
}

TEST_CASE("each operation on integers stores its result and returns the old value") {
  using Word = std::uint32_t;
  CHECK(update<Word>("add.u32", 5, 7) == Updated<Word>{5, 12});
  CHECK(update<Word>("add.u32", 0xffffffff, 2) == Updated<Word>{0xffffffff, 1});
  CHECK(update<Word>("add.s32", 0x7fffffff, 1) == Updated<Word>{0x7fffffff, 0x80000000});
  CHECK(update<Word>("min.u32", 0x80000000, 1) == Updated<Word>{0x80000000, 1});
  CHECK(update<Word>("min.s32", 0x80000000, 1) == Updated<Word>{0x80000000, 0x80000000});
  CHECK(update<Word>("max.u32", 0x80000000, 1) == Updated<Word>{0x80000000, 0x80000000});
  CHECK(update<Word>("max.s32", 0x80000000, 1) == Updated<Word>{0x80000000, 1});
  CHECK(update<Word>("and.b32", 0xf0f0, 0xff00) == Updated<Word>{0xf0f0, 0xf000});
  CHECK(update<Word>("or.b32", 0xf0f0, 0xff00) == Updated<Word>{0xf0f0, 0xfff0});
  CHECK(update<Word>("xor.b32", 0xf0f0, 0xff00) == Updated<Word>{0xf0f0, 0x0ff0});
  CHECK(update<Word>("exch.b32", 1, 2) == Updated<Word>{1, 2});
}

TEST_CASE("operations on 64 bits use all of them") {
  using Long = std::uint64_t;
  CHECK(update<Long>("add.u64", 0xffffffff, 1) == Updated<Long>{0xffffffff, 0x100000000});
  CHECK(update<Long>("min.s64", 1, ~Long{0}) == Updated<Long>{1, ~Long{0}});
  CHECK(update<Long>("min.u64", 1, ~Long{0}) == Updated<Long>{1, 1});
  CHECK(update<Long>("max.s64", 1, ~Long{0}) == Updated<Long>{1, 1});
  CHECK(update<Long>("max.u64", 1, ~Long{0}) == Updated<Long>{1, ~Long{0}});
  CHECK(update<Long>("and.b64", 0xf000000000000001, 0x8000000000000003) ==
        Updated<Long>{0xf000000000000001, 0x8000000000000001});
  CHECK(update<Long>("or.b64", 0x100000000, 1) == Updated<Long>{0x100000000, 0x100000001});
  CHECK(update<Long>("xor.b64", 0x100000001, 1) == Updated<Long>{0x100000001, 0x100000000});
  CHECK(update<Long>("exch.b64", 1, 0x200000000) == Updated<Long>{1, 0x200000000});
  CHECK(update<Long>("cas.b64", 0x100000001, 0x100000001, 3) == Updated<Long>{0x100000001, 3});
  CHECK(update<Long>("cas.b64", 0x100000001, 1, 3) == Updated<Long>{0x100000001, 0x100000001});
}

TEST_CASE("compare and swap stores only if it finds the expected value") {
  CHECK(update<std::uint32_t>("cas.b32", 5, 5, 9) == Updated<std::uint32_t>{5, 9});
  CHECK(update<std::uint32_t>("cas.b32", 5, 4, 9) == Updated<std::uint32_t>{5, 5});
  CHECK(update<std::uint16_t>("cas.b16", 5, 5, 9) == Updated<std::uint16_t>{5, 9});
  CHECK(update<std::uint16_t>("cas.b16", 5, 4, 9) == Updated<std::uint16_t>{5, 5});
}

TEST_CASE("an increment wraps to zero at its bound, a decrement to its bound below zero") {
  using Word = std::uint32_t;
  CHECK(update<Word>("inc.u32", 2, 3) == Updated<Word>{2, 3});
  CHECK(update<Word>("inc.u32", 3, 3) == Updated<Word>{3, 0});
  CHECK(update<Word>("inc.u32", 4, 3) == Updated<Word>{4, 0});
  CHECK(update<Word>("inc.u32", 0xffffffff, 0xffffffff) == Updated<Word>{0xffffffff, 0});
  CHECK(update<Word>("dec.u32", 3, 3) == Updated<Word>{3, 2});
  CHECK(update<Word>("dec.u32", 0, 3) == Updated<Word>{0, 3});
  CHECK(update<Word>("dec.u32", 9, 3) == Updated<Word>{9, 3});
}

TEST_CASE("sums of floating-point values round to nearest even") {
  CHECK(update<std::uint32_t>("add.f32", 0x3f800000, 0x33800000) == Updated<std::uint32_t>{0x3f800000, 0x3f800000});
  CHECK(update<std::uint32_t>("add.f32", 0x3f800001, 0x33800000) == Updated<std::uint32_t>{0x3f800001, 0x3f800002});
  CHECK(update<std::uint64_t>("add.f64", bits(1.5), bits(2.25)) == Updated<std::uint64_t>{bits(1.5), bits(3.75)});
  CHECK(update<std::uint64_t>("add.f64", 1, 1) == Updated<std::uint64_t>{1, 2});  // subnormal numbers are kept
  CHECK(update<std::uint16_t>("add.noftz.f16", 0x3c00, 0x4000) == Updated<std::uint16_t>{0x3c00, 0x4200});
  CHECK(update<std::uint16_t>("add.noftz.bf16", 0x3f80, 0x4000) == Updated<std::uint16_t>{0x3f80, 0x4040});
  CHECK(update<std::uint32_t>("add.noftz.f16x2", 0x3c003c00, 0x40003c00) ==
        Updated<std::uint32_t>{0x3c003c00, 0x42004000});
  CHECK(update<std::uint32_t>("add.noftz.bf16x2", 0x3f803f80, 0x40003f80) ==
        Updated<std::uint32_t>{0x3f803f80, 0x40404000});
}

TEST_CASE("sums of single precision treat subnormal numbers as zeros in global memory and keep them in shared memory") {
  constexpr std::uint32_t kSubnormal = 0x00400000;
  PtxLaunch test(
      ".shared .f32 sums[2];\nmov.b32 %r0, 0x00400000;\nmov.b32 %f0, %r0;\n"
      "st.shared.v2.b32 [sums], {%r0, %r0};\nst.global.v2.b32 [%out], {%r0, %r0};\n"
      "mov.u64 %rd0, sums;\ncvta.shared.u64 %rd0, %rd0;\n"
      "atom.global.add.f32 %f1, [%out], %f0;\n"
      "atom.add.f32 %f1, [%out+4], %f0;\n"
      "atom.shared.add.f32 %f1, [sums], %f0;\n"
      "atom.add.f32 %f1, [%rd0+4], %f0;\n"
      "ld.shared.v2.b32 {%r0, %r1}, [sums];\nst.global.v2.b32 [%out+8], {%r0, %r1};");
  test.run();
  CHECK(test.outputs<std::uint32_t>(4) == std::vector<std::uint32_t>{0, 0, 2 * kSubnormal, 2 * kSubnormal});
}

TEST_CASE("a subnormal result keeps its sign as a zero in global memory") {
  // -1.5 * 2^-126 + 2^-126 is subnormal.
  CHECK(update<std::uint32_t>("add.f32", 0x80c00000, 0x00800000) == Updated<std::uint32_t>{0x80c00000, 0x80000000});
}

TEST_CASE("lanes execute in order") {
  PtxLaunch test(
      "add.u32 %r1, %t, 1;\natom.global.add.u32 %r0, [%in], %r1;\n"
      "mul.wide.u32 %rd0, %t, 4;\nadd.u64 %rd0, %rd0, %out;\nst.global.u32 [%rd0], %r0;\n"
      "atom.global.exch.b32 %r0, [%in+4], %t;\nst.global.u32 [%rd0+256], %r0;\n"
      "atom.global.cas.b32 %r0, [%in+8], %t, %r1;\nst.global.u32 [%rd0+512], %r0;");
  test.launch.block = {40, 1, 1};
  test.run();
  for (std::uint32_t i = 0; i < 40; ++i) {
    CHECK(test.output<std::uint32_t>(i) == i * (i + 1) / 2);            // the sum of the previous ones
    CHECK(test.output<std::uint32_t>(64 + i) == (i == 0 ? 0 : i - 1));  // the value of the previous lane
    CHECK(test.output<std::uint32_t>(128 + i) == i);                    // the value of the previous one
  }
}

TEST_CASE("lanes whose guard is false add nothing") {
  PtxLaunch test("and.b32 %r0, %t, 1;\nsetp.eq.u32 %p0, %r0, 1;\n@%p0 red.global.add.u32 [%out], 1;");
  test.launch.block = {32, 1, 1};
  test.run();
  CHECK(test.output<std::uint32_t>(0) == 16);
}

TEST_CASE("a reduction changes memory like an atomic without a result") {
  PtxLaunch test(
      "mov.f32 %f0, 0f3F800000;\nmov.f64 %d0, 0d3FF0000000000000;\nmov.b64 %rd0, 3;\n"
      "red.global.add.u32 [%out], 2;\nred.global.max.s32 [%out+4], %t;\nred.global.or.b32 [%out+8], 4;\n"
      "red.relaxed.gpu.global.inc.u32 [%out+12], 7;\nred.global.add.f32 [%out+16], %f0;\n"
      "red.global.min.u64 [%out+24], %rd0;\nred.add.f64 [%out+32], %d0;");
  test.launch.block = {10, 1, 1};
  test.set_output<std::uint64_t>(3, 5);
  test.run();
  // Ten times plus one modulo eight.
  CHECK(test.outputs<std::uint32_t>(4) == std::vector<std::uint32_t>{20, 9, 4, 2});
  CHECK(test.output<float>(4) == 10.0F);
  CHECK(test.output<std::uint64_t>(3) == 3);
  CHECK(test.output<double>(4) == 10.0);
}

TEST_CASE("atomics on vectors change each element and return the old values") {
  PtxLaunch test(
      "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%in];\n"
      "atom.global.add.v4.f32 {%f4, %f5, %f6, %f7}, [%out], {%f0, %f1, %f2, %f3};\n"
      "st.global.v4.f32 [%out+16], {%f4, %f5, %f6, %f7};\n"
      "mov.b32 %r0, 0x3c004000;\nmov.b32 %r1, 0x40003c00;\n"
      "red.global.add.noftz.v2.f16x2 [%out+32], {%r0, %r1};\n"
      "red.global.add.noftz.v2.f16x2 [%out+32], {%r0, %r1};\n"
      "mov.b16 %h0, 0x3f80;\nmov.b16 %h1, 0x4000;\n"
      "atom.global.add.noftz.v2.bf16 {%h2, %h3}, [%out+40], {%h0, %h1};\n"
      "atom.global.add.noftz.v2.bf16 {%h2, %h3}, [%out+40], {%h0, %h1};\n"
      "st.global.v2.b16 [%out+44], {%h2, %h3};");
  for (std::uint32_t i = 0; i < 4; ++i) {
    test.set_input<float>(i, static_cast<float>(i));
    test.set_output<float>(i, 10);
  }
  test.run();
  CHECK(test.outputs<float>(8) == std::vector<float>{10, 11, 12, 13, 10, 10, 10, 10});
  CHECK(test.output<std::uint32_t>(8) == 0x40004400);
  CHECK(test.output<std::uint32_t>(9) == 0x44004000);
  CHECK(test.output<std::uint32_t>(10) == 0x40804000);
  CHECK(test.output<std::uint32_t>(11) == 0x40003f80);
}

TEST_CASE("values of 128 bits are exchanged, and swapped only if all bits are equal") {
  PtxLaunch test(
      "ld.global.b128 %w0, [%in];\nld.global.b128 %w1, [%in+16];\n"
      "atom.global.exch.b128 %w2, [%out], %w0;\nst.global.b128 [%out+16], %w2;\n"
      "atom.global.cas.b128 %w2, [%out], %w1, %w1;\nst.global.b128 [%out+32], %w2;\n"
      "atom.global.cas.b128 %w2, [%out], %w0, %w1;\nst.global.b128 [%out+48], %w2;");
  const std::vector<std::uint64_t> input{1, 2, 1, 3};
  for (std::size_t i = 0; i < input.size(); ++i) {
    test.set_input<std::uint64_t>(i, input[i]);
  }
  test.run();
  CHECK(test.outputs<std::uint64_t>(8) == std::vector<std::uint64_t>{1, 3, 0, 0, 1, 2, 1, 2});
}

TEST_CASE("operations that do not exist are refused") {
  for (const std::string text : {"atom.global.min.f32 %f0, [%out], %f0;", "atom.global.add.b8 %r0, [%out], %r0;",
                                 "atom.global.add.b128 %w0, [%out], %w0;", "red.global.sub.u32 [%out], 1;"}) {
    INFO(text);
    PtxLaunch test(text);
    CHECK_THROWS_AS(test.run(), ptx::PtxError);
  }
}

TEST_CASE("vectors of halves take the minimum and the maximum, numbers before NaNs") {
  PtxLaunch test(
      "mov.b32 %r0, 0x3c00bc00;\nmov.b32 %r1, 0x80004000;\n"  // -1, 1, 2, -0
      "atom.global.min.noftz.v2.f16x2 {%r2, %r3}, [%out], {%r0, %r1};\nst.global.v2.b32 [%out+16], {%r2, %r3};\n"
      "red.global.max.noftz.v2.f16x2 [%out+8], {%r0, %r1};\n"
      "mov.b16 %h0, 0x3f80;\nmov.b16 %h1, 0xbf80;\n"  // 1, -1
      "red.global.max.noftz.v2.bf16 [%out+24], {%h0, %h1};\nred.global.min.noftz.v2.bf16 [%out+28], {%h0, %h1};");
  for (std::size_t i = 0; i < 2; ++i) {
    test.set_output<std::uint32_t>(2 * i, 0x40000000);      // 0, 2
    test.set_output<std::uint32_t>(2 * i + 1, 0x00007e00);  // NaN, 0
  }
  test.set_output<std::uint32_t>(6, 0x7fc04000);  // 2, NaN
  test.set_output<std::uint32_t>(7, 0x7fc04000);
  test.run();
  CHECK(test.outputs<std::uint32_t>(8) == std::vector<std::uint32_t>{0x3c00bc00, 0x80004000, 0x40000000, 0x00004000,
                                                                     0x40000000, 0x00007e00, 0xbf804000, 0xbf803f80});
}

TEST_CASE("unsupported atomics are reported before the kernel runs") {
  for (const std::string operation : {"min.f32 %f0, [%out], %f1", "min.v2.f32 {%f0, %f1}, [%out], {%f0, %f1}",
                                      "add.v2.u32 {%r0, %r1}, [%out], {%r0, %r1}", "add.b128 %w0, [%out], %w1"}) {
    PtxLaunch test("atom.global." + operation + ";");
    CHECK_THROWS_AS(test.run(), ptx::PtxError);
  }
}

}  // namespace
}  // namespace warpsim::test
