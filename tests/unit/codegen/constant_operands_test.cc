#include "codegen/constant_operands.h"

#include <catch2/catch.hpp>

#include "unit/codegen/generate.h"

namespace warpsim::test {
namespace {

using Lines = std::vector<std::string>;

// Registers without a writer, all R0, stand for values that are there.
const std::string kEnd = "st.global.u32 [%rd9], %r9; ret;";

// The code of 8.0 for the lines, without the store at the end.
Lines lines_of(const std::string& body, std::uint32_t architecture = 80, const std::string& before = "") {
  Lines lines = generate(body + kEnd, false, architecture, before).text();
  lines.resize(lines.size() - 2);
  return lines;
}

TEST_CASE("constant operands: arithmetic before 9.0 reads parameters and sizes of the launch by address") {
  CHECK(lines_of("ld.param.u32 %r1, [n]; mov.u32 %r2, %nctaid.y; add.s32 %r3, %r8, %r1; mul.lo.s32 %r9, %r3, %r2;") ==
        Lines{"IADD3 R0, R0, c[0x0][0x170], RZ", "IMAD R0, R0, c[0x0][0x10], RZ"});
  CHECK(lines_of("ld.param.u32 %r1, [n]; add.s32 %r9, %r8, %r1;", 90) ==
        Lines{"ULDC UR6, c[0x0][0x220]", "IADD3 R0, R0, UR6, RZ"});
}

TEST_CASE("constant operands: an instruction reads one constant, as its second or third source") {
  // The other one is moved; so is an immediate beside a constant.
  CHECK(lines_of("ld.param.u32 %r1, [n]; mov.u32 %r2, %ntid.x; add.s32 %r9, %r1, %r2;") ==
        Lines{"MOV R0, c[0x0][0x170]", "IADD3 R0, R0, c[0x0][0x0], RZ"});
  CHECK(lines_of("ld.param.u32 %r1, [n]; and.b32 %r9, %r1, 3;") ==
        Lines{"MOV R0, c[0x0][0x170]", "LOP3.LUT R0, R0, 0x3, RZ, 0xc0, !PT"});
  // A comparison with the constant on the left is turned.
  CHECK(lines_of("ld.param.u32 %r1, [n]; setp.lt.s32 %p1, %r1, %r8; selp.b32 %r9, %r8, %r7, %p1;")[0] ==
        "ISETP.GT.AND P0, PT, R0.reuse, c[0x0][0x170], PT");
}

TEST_CASE("constant operands: what is moved is moved once a block") {
  CHECK(lines_of("ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mul.wide.s32 %rd3, %r8, 4; add.s64 %rd4, %rd1, %rd3; "
                 "mul.wide.s32 %rd5, %r7, 4; add.s64 %rd6, %rd2, %rd5; ld.global.u32 %r1, [%rd4]; "
                 "ld.global.u32 %r2, [%rd6]; add.s32 %r9, %r1, %r2;") ==
        Lines{"MOV R0, 0x4", "IMAD.WIDE R2, R0.reuse, R0.reuse, c[0x0][0x160]", "IMAD.WIDE R4, R0, R0, c[0x0][0x168]",
              "LDG.E R0, desc[UR4][R2.64]", "LDG.E R7, desc[UR4][R4.64]", "IADD3 R7, R0, R7, RZ"});
}

TEST_CASE("constant operands: addresses are moved into registers") {
  CHECK(lines_of("ld.param.u64 %rd1, [b]; ld.global.u32 %r9, [%rd1];") ==
        Lines{"MOV R2, c[0x0][0x168]", "IMAD.MOV.U32 R3, RZ, RZ, c[0x0][0x16c]", "LDG.E R0, desc[UR4][R2.64]"});
}

TEST_CASE("constant operands: variables in constant memory are read by address, one after another in their bank") {
  const std::string variables = ".const .align 4 .b8 first[12];\n.const .align 8 .b8 second[16];\n";
  CHECK(lines_of("ld.const.u32 %r1, [second+4]; add.s32 %r9, %r8, %r1;", 80, variables) ==
        Lines{"IADD3 R0, R0, c[0x3][0x14], RZ"});
  CHECK(lines_of("ld.const.f32 %f1, [first+8]; fma.rn.f32 %f3, %f2, %f1, %f4; cvt.rzi.s32.f32 %r9, %f3;", 86,
                 variables)[0] == "FFMA R0, R0, c[0x3][0x8], R0");
}

TEST_CASE("products and sums of floats without a rounding become one instruction") {
  CHECK(lines_of("mul.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f5; cvt.rzi.s32.f32 %r9, %f4;")[0].starts_with("FFMA"));
  CHECK(lines_of("mul.f64 %d3, %d1, %d2; sub.f64 %d4, %d5, %d3; cvt.rzi.s32.f64 %r9, %d4;")[0].starts_with("DFMA R"));
  CHECK(lines_of("mul.rn.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f5; cvt.rzi.s32.f32 %r9, %f4;")[0].starts_with("FMUL"));
  CHECK(lines_of("mul.f32 %f3, %f1, %f2; add.ftz.f32 %f4, %f3, %f5; cvt.rzi.s32.f32 %r9, %f4;")[0].starts_with("FMUL"));
}

TEST_CASE("a difference with a negated value takes the sign as part of the operand") {
  CHECK(lines_of("neg.f32 %f2, %f1; sub.f32 %f4, %f3, %f2; cvt.rzi.s32.f32 %r9, %f4;")[0] == "FADD R0, R0, R0");
}

}  // namespace
}  // namespace warpsim::test
