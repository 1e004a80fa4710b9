// Loads and stores: effects on registers and memory, in every space.
#include "emulator/memory/memory_access.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

TEST_CASE("a load extends a value by the sign of its type to the width of the register") {
  PtxLaunch test(
      "ld.global.s8 %r0, [%in];      st.global.u32 [%out], %r0;\n"
      "ld.global.u8 %r0, [%in];      st.global.u32 [%out+4], %r0;\n"
      "ld.global.b8 %r0, [%in];      st.global.u32 [%out+8], %r0;\n"
      "ld.global.s16 %r0, [%in+2];   st.global.u32 [%out+12], %r0;\n"
      "ld.global.u16 %r0, [%in+2];   st.global.u32 [%out+16], %r0;\n"
      "ld.global.s8 %rd0, [%in];     st.global.u64 [%out+24], %rd0;\n"
      "ld.global.s32 %rd0, [%in+4];  st.global.u64 [%out+32], %rd0;\n"
      "ld.global.u32 %rd0, [%in+4];  st.global.u64 [%out+40], %rd0;\n"
      "ld.global.s8 %h0, [%in];      cvt.u32.u16 %r0, %h0;  st.global.u32 [%out+48], %r0;\n"
      "ld.global.u8 %h0, [%in];      cvt.u32.u16 %r0, %h0;  st.global.u32 [%out+52], %r0;");
  test.set_input<std::uint8_t>(0, 0x80);
  test.set_input<std::uint16_t>(1, 0x8001);
  test.set_input<std::uint32_t>(1, 0x80000002);
  test.run();
  CHECK(test.outputs<std::uint32_t>(5) == std::vector<std::uint32_t>{0xffffff80, 0x80, 0x80, 0xffff8001, 0x8001});
  CHECK(test.output<std::uint64_t>(3) == 0xffffffffffffff80);
  CHECK(test.output<std::uint64_t>(4) == 0xffffffff80000002);
  CHECK(test.output<std::uint64_t>(5) == 0x80000002);
  CHECK(test.output<std::uint32_t>(12) == 0xff80);
  CHECK(test.output<std::uint32_t>(13) == 0x80);
}

TEST_CASE("a store of a narrow type writes the low bytes and does not change its neighbours") {
  PtxLaunch test(
      "mov.b32 %r0, 0x11223344;\n"
      "mov.b64 %rd0, 0x5566778899aabbcc;\n"
      "st.global.u8 [%out+1], %r0;\n"
      "st.global.s16 [%out+10], %r0;\n"
      "st.global.b8 [%out+16], %rd0;\n"
      "st.global.u16 [%out+18], %rd0;\n"
      "st.global.u32 [%out+24], %rd0;");
  for (std::size_t i = 0; i < 4; ++i) {
    test.set_output<std::uint64_t>(i, ~std::uint64_t{0});
  }
  test.run();
  CHECK(test.outputs<std::uint64_t>(4) ==
        std::vector<std::uint64_t>{0xffffffffffff44ff, 0xffffffff3344ffff, 0xffffffffbbccffcc, 0xffffffff99aabbcc});
}

TEST_CASE("an address may be in two registers, which an access may write", "[machine_code]") {
  PtxLaunch test(
      "mov.b64 {%r2, %r3}, %in;\nmov.b64 {%r6, %r7}, %out;\n"
      "atom.global.add.u32 %r0, [{%r2+8, %r3}], 5;\n"
      "st.global.u32 [{%r6+4, %r7}], %r0;\n"
      "add.u32 %r2, %r2, 16;\n"
      "ld.global.v2.u32 {%r3, %r2}, [{%r2-16, %r3}];\n"
      "st.global.v2.u32 [{%r6+8, %r7}], {%r3, %r2};\n");
  test.launch.block = {32, 1, 1};
  test.set_input<std::uint64_t>(0, 0x8000000200000001);
  test.set_input<std::uint32_t>(2, 100);
  test.run();
  CHECK(test.outputs<std::uint32_t>(4) == std::vector<std::uint32_t>{0, 100 + 31 * 5, 1, 0x80000002});
  PtxLaunch outside("mov.b64 {%r2, %r3}, %in;\nadd.u32 %r3, %r3, 1;\nld.global.u32 %r0, [{%r2, %r3}];\n");
  const std::string address = fmt::format("reads 4 bytes at {:#x}", outside.in + (Address{1} << 32U));
  CHECK_THAT(outside.fault(), Catch::Contains(address));
  PtxLaunch three("ld.global.u32 %r0, [{%r2, %r3, %r4}];\n");
  CHECK_THROWS_WITH(three.run(), Catch::Contains("expected two registers as address"));
}

TEST_CASE("vectors move their elements in order") {
  PtxLaunch test(
      "ld.global.v4.u8 {%r0, %r1, %r2, %r3}, [%in];\n"
      "st.global.v4.u32 [%out], {%r3, %r2, %r1, %r0};\n"
      "ld.global.v2.s16 {%r0, %r1}, [%in+4];\n"
      "st.global.v2.b32 [%out+16], {%r0, %r1};\n"
      "ld.global.v2.f64 {%d0, %d1}, [%in+16];\n"
      "st.global.v2.f64 [%out+32], {%d1, %d0};\n"
      "ld.global.v4.f32 {_, %f1, _, %f3}, [%in+16];\n"
      "st.global.v2.f32 [%out+24], {%f1, %f3};");
  test.set_input<std::uint32_t>(0, 0x04030201);
  test.set_input<std::uint32_t>(1, 0x7fff8000);
  test.set_input<double>(2, 1.5);
  test.set_input<double>(3, -2.0);
  test.run();
  CHECK(test.outputs<std::uint32_t>(6) == std::vector<std::uint32_t>{4, 3, 2, 1, 0xffff8000, 0x7fff});
  CHECK(test.output<std::uint32_t>(6) == 0x3ff80000);  // the high words of 1.5 and -2.0
  CHECK(test.output<std::uint32_t>(7) == 0xc0000000);
  CHECK(test.output<double>(4) == -2.0);
  CHECK(test.output<double>(5) == 1.5);
}

TEST_CASE("vectors of 256 bits and values of 128 bits are moved completely") {
  PtxLaunch test(
      "ld.global.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%in];\n"
      "st.global.v8.b32 [%out], {%r7, %r6, %r5, %r4, %r3, %r2, %r1, %r0};\n"
      "ld.global.v4.b64 {%rd0, %rd1, %rd2, %rd3}, [%in];\n"
      "st.global.v4.b64 [%out+32], {%rd3, %rd2, %rd1, %rd0};\n"
      "ld.global.b128 %w0, [%in+16];\n"
      "st.global.b128 [%out+64], %w0;");
  for (std::uint32_t i = 0; i < 8; ++i) {
    test.set_input<std::uint32_t>(i, i);
  }
  test.run();
  CHECK(test.outputs<std::uint32_t>(20) ==
        std::vector<std::uint32_t>{7, 6, 5, 4, 3, 2, 1, 0, 6, 7, 4, 5, 2, 3, 0, 1, 4, 5, 6, 7});
}

TEST_CASE("each space has its own bytes") {
  PtxLaunch test(
      ".shared .u32 in_shared;\n.local .u32 in_local;\n"
      "mov.u32 %r0, 1;\nst.shared.u32 [in_shared], %r0;\n"
      "mov.u32 %r0, 2;\nst.local.u32 [in_local], %r0;\n"
      "ld.shared.u32 %r0, [in_shared];\nst.global.u32 [%out], %r0;\n"
      "ld.local.u32 %r0, [in_local];\nst.global.u32 [%out+4], %r0;\n"
      "ld.const.u32 %r0, [in_constant+4];\nst.global.u32 [%out+8], %r0;\n"
      "ld.global.u32 %r0, [in_global];\nst.global.u32 [%out+12], %r0;\n"
      "ld.param.u32 %r0, [out+4];\nst.global.u32 [%out+16], %r0;",
      ".const .u32 in_constant[2] = {3, 4}; .global .u32 in_global = 5;");
  test.run();
  CHECK(test.outputs<std::uint32_t>(5) ==
        std::vector<std::uint32_t>{1, 2, 4, 5, static_cast<std::uint32_t>(test.out >> 32U)});
  CHECK(test.warnings.empty());
}

TEST_CASE("generic addresses reach each space through its window") {
  PtxLaunch test(
      ".shared .align 4 .u32 in_shared[4];\n.local .align 4 .u32 in_local[4];\n"
      "mov.u64 %rd0, in_shared;\ncvta.shared.u64 %rd1, %rd0;\n"
      "mov.u64 %rd0, in_local;\ncvta.local.u64 %rd2, %rd0;\n"
      "mov.u64 %rd0, in_constant;\ncvta.const.u64 %rd3, %rd0;\n"
      "cvta.global.u64 %rd4, %in;\n"
      "mov.u32 %r0, 7;\nst.u32 [%rd1+8], %r0;\n"
      "mov.u32 %r0, 8;\nst.u32 [%rd2+4], %r0;\n"
      "ld.shared.u32 %r0, [in_shared+8];\nst.u32 [%out], %r0;\n"
      "ld.local.u32 %r0, [in_local+4];\nst.u32 [%out+4], %r0;\n"
      "ld.u32 %r0, [%rd1+8];\nst.u32 [%out+8], %r0;\n"
      "ld.u32 %r0, [%rd2+4];\nst.u32 [%out+12], %r0;\n"
      "ld.u32 %r0, [%rd3];\nst.u32 [%out+16], %r0;\n"
      "ld.u32 %r0, [%rd4];\nst.u32 [%out+20], %r0;\n"
      "isspacep.shared %p0, %rd1;\nisspacep.local %p1, %rd2;\nisspacep.global %p2, %rd4;\nisspacep.global %p3, %rd1;\n"
      "selp.u32 %r0, 1, 0, %p0;\nselp.u32 %r1, 1, 0, %p1;\nselp.u32 %r2, 1, 0, %p2;\nselp.u32 %r3, 1, 0, %p3;\n"
      "st.v4.u32 [%out+32], {%r0, %r1, %r2, %r3};",
      ".const .u32 in_constant = 9;");
  test.set_input<std::uint32_t>(0, 10);
  test.run();
  CHECK(test.outputs<std::uint32_t>(6) == std::vector<std::uint32_t>{7, 8, 7, 8, 9, 10});
  CHECK(test.output<std::uint32_t>(8) == 1);
  CHECK(test.output<std::uint32_t>(9) == 1);
  CHECK(test.output<std::uint32_t>(10) == 1);
  CHECK(test.output<std::uint32_t>(11) == 0);
}

TEST_CASE("lanes of one access may be in different spaces") {
  PtxLaunch test(
      ".shared .u32 in_shared;\n"
      "mov.u32 %r0, 5;\nst.shared.u32 [in_shared], %r0;\n"
      "mov.u64 %rd0, in_shared;\ncvta.shared.u64 %rd0, %rd0;\n"
      "setp.eq.u32 %p0, %t, 1;\nselp.b64 %rd0, %rd0, %in, %p0;\n"
      "ld.u32 %r1, [%rd0];\nmul.wide.u32 %rd1, %t, 4;\nadd.u64 %rd1, %rd1, %out;\nst.u32 [%rd1], %r1;");
  test.launch.block = {3, 1, 1};
  test.set_input<std::uint32_t>(0, 6);
  test.run();
  CHECK(test.outputs<std::uint32_t>(3) == std::vector<std::uint32_t>{6, 5, 6});
}

TEST_CASE("each thread has its own local memory") {
  PtxLaunch test(
      ".local .u32 own[2];\n"
      "st.local.u32 [own+4], %t;\n"
      "bar.sync 0;\n"
      "ld.local.u32 %r0, [own+4];\nmul.wide.u32 %rd1, %t, 4;\nadd.u64 %rd1, %rd1, %out;\nst.global.u32 [%rd1], %r0;");
  test.launch.block = {40, 1, 1};
  test.run();
  for (std::uint32_t i = 0; i < 40; ++i) {
    CHECK(test.output<std::uint32_t>(i) == i);
  }
}

TEST_CASE("an address of 32 bits wraps, an offset may be negative") {
  PtxLaunch test(
      ".shared .u32 in_shared[2];\n"
      "mov.u32 %r0, 3;\nst.shared.u32 [in_shared+4], %r0;\n"
      "mov.u32 %r1, in_shared;\nadd.u32 %r1, %r1, 8;\nld.shared.u32 %r2, [%r1+-4];\nst.global.u32 [%out], %r2;\n"
      "mov.u32 %r1, 0xfffffffc;\nld.shared.u32 %r2, [%r1+8];\nst.global.u32 [%out+4], %r2;\n"
      "add.u64 %rd0, %in, 8;\nld.global.u32 %r2, [%rd0-4];\nst.global.u32 [%out+8], %r2;");
  test.set_input<std::uint32_t>(1, 9);
  test.run();
  CHECK(test.outputs<std::uint32_t>(3) == std::vector<std::uint32_t>{3, 3, 9});
}

TEST_CASE("lanes whose guard is false access nothing") {
  PtxLaunch test(
      "setp.eq.u32 %p0, %t, 2;\nmov.u64 %rd0, 0;\nselp.b64 %rd0, %out, 0, %p0;\nmov.u32 %r0, 1;\n"
      "@%p0 st.global.u32 [%rd0], %r0;");
  test.launch.block = {32, 1, 1};
  test.run();
  CHECK(test.output<std::uint32_t>(0) == 1);
}

}  // namespace
}  // namespace warpsim::test
