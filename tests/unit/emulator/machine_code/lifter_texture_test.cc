// The text that texture and surface instructions become. Their words are those of PTX that ptxas 13.0 compiled; which
// register holds what follows from the PTX.
#include <catch2/catch.hpp>
#include <string>

#include "emulator/machine_code/lifter.h"
#include "unit/emulator/machine_code/lifted_word.h"

using namespace warpsim;
using namespace warpsim::test;

TEST_CASE("lifter: results of a fetch are two in each destination", "[machine_code]") {
  // TEX.LL R9, R6, R6, R9, UR4, 0x0, 2D, 0x7: red and green in R6 and R7, blue in R9.
  CHECK(lifted_word(90, {0x2000040906067f60, 0x99e0709}) ==
        "cvt.u64.u32 %s0, %u4; sass.tex.level.2d.v4.f32.f32 {%r6, %r7, %r9, _}, [%s0, {%r6, %r7}], %r9;");
  // TEX.LL P0, R8, R6, R6, R8, UR4, 0x0, 2D
  CHECK(lifted_word(90, {0x2000040806067f60, 0x9900f08}) ==
        "cvt.u64.u32 %s0, %u4; sass.tex.level.2d.v4.f32.f32 {%r6, %r7, %r8, %r9}|%p0, [%s0, {%r6, %r7}], %r8;");
}

TEST_CASE("lifter: half results share registers", "[machine_code]") {
  // TEX.SCR.LL.F16.RN R3, R2, R2, R0, 0x0, 0x58, 2D
  CHECK(lifted_word(75, {0x3000580002027b60, 0x19e8f03}) ==
        "cvt.u64.u32 %s0, %c0_352; sass.tex.level.2d.v4.f32.f32 {%t0, %t1, %t2, %t3}, [%s0, {%r2, %r3}], %r0; "
        "cvt.rn.f16x2.f32 %r2, %t1, %t0; cvt.rn.f16x2.f32 %r3, %t3, %t2;");
}

TEST_CASE("lifter: a scalar fetch divides its operands between both sources", "[machine_code]") {
  // TEX.SCR.B.LZ R6, R4, R4, R6, 3D: x and y in R4 and R5, z and the texture in R6 and R7.
  CHECK(lifted_word(75, {0x5800000604047361, 0x9e0f06}) ==
        "cvt.u64.u32 %s0, %r7; sass.tex.level.3d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%s0, {%r4, %r5, %r6}], 0f00000000;");
}

TEST_CASE("lifter: offsets of texels are packed", "[machine_code]") {
  // TEX.LL.AOFFI R8, R6, R6, R8, 0x0, 0x58, 2D: the level in R8, four bits for each offset in R9.
  CHECK(lifted_word(80, {0x3000580806067b60, 0x19e1f08}) ==
        "cvt.u64.u32 %s0, %c0_352; bfe.s32 %t0, %r9, 0, 4; bfe.s32 %t1, %r9, 4, 4; "
        "sass.tex.level.2d.v4.f32.f32 {%r6, %r7, %r8, %r9}, [%s0, {%r6, %r7}], %r8, {%t0, %t1};");
  // TLD4.B.AOFFI R8, R6, R6, R0, UR4, 0x0, 2D: eight bits each, of which six count.
  CHECK(lifted_word(90, {0x2000040006067f63, 0x91e1f08}) ==
        "cvt.u64.u32 %s0, %u4; bfe.s32 %t0, %r0, 0, 6; bfe.s32 %t1, %r0, 8, 6; "
        "sass.tld4.b.2d.v4.f32.f32 {%r6, %r7, %r8, %r9}, [%s0, {%r6, %r7}], {%t0, %t1};");
}

TEST_CASE("lifter: a fetch by gradients has the layer and the offsets in one register", "[machine_code]") {
  // TXD.B.AOFFI R6, R4, R4, R8, ARRAY_2D
  CHECK(lifted_word(75, {0xa80000080404736d, 0x1e1f06}) ==
        "cvt.u64.u32 %s0, %r4; and.b32 %t0, %r7, 0xffff; shr.u32 %t1, %r7, 16; bfe.s32 %t2, %t1, 0, 4; "
        "bfe.s32 %t3, %t1, 4, 4; sass.tex.grad.a2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%s0, {%t0, %r5, %r6}], "
        "{%r8, %r10}, {%r9, %r11}, {%t2, %t3};");
}

TEST_CASE("lifter: texels by number and queries of a level", "[machine_code]") {
  // TLD.LL.CL R8, R6, R6, R0, UR4, 0x0, 2D
  CHECK(lifted_word(90, {0x2000040006067f66, 0x99e2f08}) ==
        "cvt.u64.u32 %s0, %u4; sass.tex.clamped.level.2d.v4.f32.s32 {%r6, %r7, %r8, %r9}, [%s0, {%r6, %r7}], %r0;");
  // TXQ RZ, R7, R4, TEX_HEADER_DIMENSION, 0x0, 0x58, 0x2
  CHECK(lifted_word(80, {0x0000580004077b6f, 0x2ff}) ==
        "cvt.u64.u32 %s0, %c0_352; mov.b32 %t0, %r4; txq.level.height.b32 %r7, [%s0], %t0;");
}

TEST_CASE("lifter: surfaces have their layer after the coordinates", "[machine_code]") {
  // SULD.D.BA.2D_ARRAY.STRONG.SM R9, [R8], 0x0, 0x58
  CHECK(lifted_word(80, {0x8800580008097b99, 0x1ea900}) ==
        "cvt.u64.u32 %s0, %c0_352; suld.b.a2d.b32.clamp %r9, [%s0, {%r10, %r8, %r9}];");
  // SUST.P.2D.STRONG.SM.RG.IGN [R4], R6, UR4, 0x0
  CHECK(lifted_word(90, {0x6000040604007f9b, 0x810a300}) ==
        "cvt.u64.u32 %s0, %u4; sust.p.2d.v2.b32.zero [%s0, {%r4, %r5}], {%r6, %r7};");
  // SURED.D.2D.MIN.S64.TRAP [R4], R6, 0x0, 0x58 counts texels here.
  CHECK(lifted_word(80, {0x700058040600759f, 0x914a00}) ==
        "cvt.u64.u32 %s0, %c0_352; mov.b64 %s1, {%r4, %r5}; sured.p.min.2d.s64.trap [%s0, {%r6, %r7}], %s1;");
}

TEST_CASE("lifter: a loop over differing textures", "[machine_code]") {
  // @P1 R2UR P0, UR6, R6; @P1 R2UR.OR P0, UR7, R7; @P1 BRA.U.ANY to 96 bytes before it
  CHECK(lifted_word(90, {0x00000000060612ca, 0}) == "@%p1 mov.b32 %t0, %r6; @%p1 sass.r2urdiff %u6, %p0, %t0;");
  CHECK(lifted_word(90, {0x00000000070712ca, 0x100000}) ==
        "@%p1 mov.b32 %t0, %r7; @%p1 sass.r2urdiff.or %u7, %p0, %t0;");
  CHECK(lifted_word(90, {0xfffffffd00e01947, 0x393ffff}, 288) == "vote.any.pred %q0, %p1; @%q0 bra L176;");
}

TEST_CASE("lifter: what textures of CUDA cannot have is refused", "[machine_code]") {
  // TEX.SCR.LB, TLD.LZ.MS
  CHECK_THROWS_AS(lifted_word(80, {0x3000580806067b60, 0x11e0f08}), UntranslatedInstruction);
  CHECK_THROWS_AS(lifted_word(90, {0x2000040006067f66, 0x89e4f08}), UntranslatedInstruction);
}
