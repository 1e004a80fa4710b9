#include "codegen/function_selector.h"

#include <catch2/catch.hpp>

#include "unit/codegen/generate.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

using Lines = std::vector<std::string>;

// Opcodes of the body, whose result is stored so that it is needed.
Lines opcodes_of(const std::string& body, std::uint32_t architecture = 90) {
  Lines opcodes = generate(body + " ret;", false, architecture).opcodes();
  opcodes.pop_back();
  return opcodes;
}

TEST_CASE("64-bit sums and products are computed by words") {
  CHECK(opcodes_of("add.s64 %rd1, %rd2, %rd3;") == Lines{"IADD3", "IADD3.X"});
  CHECK(opcodes_of("sub.s64 %rd1, %rd2, %rd3;") == Lines{"IADD3", "IADD3.X"});
  CHECK(opcodes_of("mul.lo.s64 %rd1, %rd2, %rd3;") == Lines{"IMAD", "IMAD.WIDE.U32", "IMAD", "IADD3"});
  CHECK(opcodes_of("setp.lt.s64 %p1, %rd2, %rd3;") == Lines{"ISETP.LT.U32.AND", "ISETP.LT.AND.EX"});
}

TEST_CASE("operations that one instruction can combine are combined") {
  CHECK(opcodes_of("mul.wide.s32 %rd1, %r1, 4; add.s64 %rd2, %rd3, %rd1;") == Lines{"IMAD.WIDE"});
  CHECK(opcodes_of("shl.b32 %r1, %r2, 2; add.s32 %r3, %r4, %r1;") == Lines{"LEA"});
  CHECK(opcodes_of("add.s32 %r1, %r2, %r3; add.s32 %r4, %r1, %r5;") == Lines{"IADD3"});
  CHECK(opcodes_of("mul.lo.s32 %r1, %r2, %r3; add.s32 %r4, %r1, %r5;") == Lines{"IMAD"});
  CHECK(opcodes_of("and.b32 %r1, %r2, %r3; xor.b32 %r4, %r1, %r5;") == Lines{"LOP3.LUT"});
  CHECK(opcodes_of("setp.lt.s32 %p1, %r1, %r2; setp.gt.s32 %p2, %r3, %r4; or.pred %p3, %p1, %p2;") ==
        Lines{"ISETP.LT.AND", "ISETP.GT.OR"});
  CHECK(opcodes_of("neg.f32 %f1, %f2; fma.rn.f32 %f3, %f1, %f4, %f5;") == Lines{"FFMA"});
  CHECK(opcodes_of("neg.f32 %f1, %f2; selp.f32 %f3, %f1, %f2, %p1;") == Lines{"FSEL"});
}

// Expected results: ptxas of CUDA 13.0 for sm_90 and sm_80.
TEST_CASE("a minimum or maximum includes a sum or another one of its kind from 9.0 on") {
  CHECK(opcodes_of("add.s32 %r1, %r2, %r3; max.s32 %r4, %r1, %r5;") == Lines{"VIADDMNMX"});
  CHECK(opcodes_of("sub.s32 %r1, %r2, %r3; min.s32 %r4, %r5, %r1;") == Lines{"VIADDMNMX"});
  CHECK(opcodes_of("add.u32 %r1, %r2, %r3; max.u32 %r4, %r1, 0;") == Lines{"VIADDMNMX.U32"});
  CHECK(opcodes_of("max.s32 %r1, %r2, %r3; max.s32 %r4, %r1, %r5;") == Lines{"VIMNMX3"});
  CHECK(opcodes_of("min.u32 %r1, %r2, %r3; min.u32 %r4, %r1, 7;") == Lines{"VIMNMX3.U32"});
  CHECK(opcodes_of("max.s32 %r1, %r2, %r3; min.s32 %r4, %r1, %r5;") == Lines{"VIMNMX", "VIMNMX"});
  CHECK(opcodes_of("add.s32 %r1, %r2, %r3; max.s32 %r4, %r1, %r5; sub.s32 %r6, %r4, %r1;").size() == 3);
  CHECK(opcodes_of("add.s32 %r1, %r2, %r3; max.s32 %r4, %r1, %r5;", 80) == Lines{"IADD3", "IMNMX"});
}

TEST_CASE("divisions by the same divisor in a block compute its reciprocal once") {
  const auto reciprocals = [](const std::string& body) {
    const Lines opcodes = opcodes_of("ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd2]; " + body);
    return std::ranges::count(opcodes, "MUFU.RCP");
  };
  CHECK(reciprocals("div.s32 %r3, %r1, %r2; rem.s32 %r4, %r1, %r2;") == 1);
  CHECK(reciprocals("div.u32 %r3, %r1, %r2; div.u32 %r4, %r3, %r2;") == 1);
  CHECK(reciprocals("div.u32 %r3, %r1, %r2; div.s32 %r4, %r1, %r2;") == 2);
  CHECK(reciprocals("div.u32 %r3, %r1, %r2; div.u32 %r4, %r2, %r1;") == 2);
  CHECK(reciprocals("@%p1 div.u32 %r3, %r1, %r2; div.u32 %r4, %r1, %r2;") == 2);
  CHECK(reciprocals("div.u32 %r3, %r1, %r2; bra next; next: div.u32 %r4, %r1, %r2;") == 2);
}

TEST_CASE("sine and cosine of one angle share its product with a turn") {
  const std::string angle = "ld.global.f32 %f1, [%rd1]; ";
  CHECK(opcodes_of(angle + "sin.approx.f32 %f2, %f1; cos.approx.f32 %f3, %f1;") ==
        Lines{"LDG.E", "FMUL.RZ", "MUFU.SIN", "MUFU.COS"});
  // Not of two angles, nor where one is computed for some threads only.
  CHECK(opcodes_of(angle + "sin.approx.f32 %f2, %f1; cos.approx.f32 %f3, %f4;").size() == 5);
  CHECK(opcodes_of(angle + "@%p1 sin.approx.f32 %f2, %f1; cos.approx.f32 %f3, %f1;").size() == 5);
}

TEST_CASE("fragments of matrices are read from shared memory by rows, from global memory by words") {
  const std::string four = "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}";
  CHECK(opcodes_of("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " + four + ", [%r20], 64;") ==
        Lines{"LDSM.16.M88.4"});
  CHECK(opcodes_of("wmma.load.b.sync.aligned.row.m16n16k16.shared.f16 " + four + ", [%r20], 64;") ==
        Lines{"LDSM.16.MT88.4"});
  CHECK(opcodes_of("wmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%r1, %r2}, [%r20], 64;") ==
        Lines{"LDSM.16.M88.2"});
  // Two fragments at one base share the lane's address; the stride is a number.
  const Lines two = opcodes_of("ld.param.u64 %rd1, [a]; wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + four +
                               ", [%rd1], 64; wmma.load.a.sync.aligned.row.m16n16k16.global.f16 "
                               "{%r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16}, [%rd1+32], 64;");
  CHECK(std::ranges::count(two, "LDG.E") == 8);
  CHECK(std::ranges::count(two, "IMAD.X") == 1);
  CHECK(std::ranges::count(two, "IMAD.WIDE.U32") == 0);
}

TEST_CASE("texture instructions have the forms of compilers") {
  const std::string d = "{%f1, %f2, %f3, %f4}";
  CHECK(opcodes_of("tex.2d.v4.f32.f32 " + d + ", [%rd1, {%f5, %f6}];").back() == "TEX.LL");
  CHECK(opcodes_of("tex.level.2d.v4.f32.f32 " + d + ", [%rd1, {%f5, %f6}], 0f00000000;").back() == "TEX.LZ");
  CHECK(opcodes_of("tex.level.2d.v4.f32.f32 " + d + ", [%rd1, {%f5, %f6}], 0f3F800000;").back() == "TEX.LL");
  CHECK(opcodes_of("tex.1d.v4.f32.s32 " + d + ", [%rd1, {%r1}];").back() == "TLD.LZ");
}

TEST_CASE("an operation whose result others also need stays separate") {
  CHECK(opcodes_of("add.s32 %r1, %r2, %r3; add.s32 %r4, %r1, %r5; mul.lo.s32 %r6, %r1, %r4;").size() == 3);
  // r2 changes before the sum is computed.
  CHECK(opcodes_of("mov.u32 %r2, %tid.y; mul.wide.s32 %rd1, %r2, 4; mov.u32 %r2, %tid.x; add.s64 %rd2, %rd3, %rd1;") ==
        Lines{"S2R", "IMAD.WIDE", "S2R", "IADD3", "IADD3.X"});
}

TEST_CASE("divisions, roots and transcendentals are the sequences of compilers") {
  CHECK(opcodes_of("div.rn.f32 %f1, %f2, %f3;") ==
        Lines{"MUFU.RCP", "FCHK", "BSSY", "FFMA", "FFMA", "FFMA", "FFMA", "FFMA", "BRA", "BSYNC"});
  CHECK(opcodes_of("ex2.approx.ftz.f32 %f1, %f2;") == Lines{"MUFU.EX2"});
  CHECK(opcodes_of("rsqrt.approx.f32 %f1, %f2;") == Lines{"FSETP.GEU.AND", "FMUL", "MUFU.RSQ", "FMUL"});
  CHECK(opcodes_of("sin.approx.f32 %f1, %f2;") == Lines{"FMUL.RZ", "MUFU.SIN"});
  CHECK(opcodes_of("div.u32 %r1, %r2, %r3;").size() == 18);
  CHECK(opcodes_of("div.rn.f64 %d1, %d2, %d3;").size() == 16);
}

TEST_CASE("conversions use the converter of the architecture") {
  CHECK(opcodes_of("cvt.rn.f32.s32 %f1, %r1;", 90) == Lines{"I2FP.F32.S32"});
  CHECK(opcodes_of("cvt.rn.f32.s32 %f1, %r1;", 75) == Lines{"I2F.S32"});
  CHECK(opcodes_of("cvt.rzi.s32.f32 %r1, %f1;") == Lines{"F2I.FTZ.TRUNC"});
  CHECK(opcodes_of("cvt.f64.f32 %d1, %f1;") == Lines{"F2F.F64.F32"});
  // The low word of a value is already available.
  CHECK(opcodes_of("ld.param.u64 %rd1, [a]; cvt.u32.u64 %r1, %rd1; st.global.u32 [%rd1], %r1;") ==
        Lines{"LDC.64", "STG.E"});
}

TEST_CASE("accesses have their width, space and cache operator") {
  CHECK(opcodes_of("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];") == Lines{"LDG.E.128"});
  CHECK(opcodes_of("ld.global.nc.u8 %h1, [%rd1];") == Lines{"LDG.E.U8.CONSTANT"});
  CHECK(opcodes_of("ld.volatile.global.u32 %r1, [%rd1];") == Lines{"LDG.E.STRONG.SYS"});
  CHECK(opcodes_of("st.shared.v2.f32 [%r1], {%f1, %f2};") == Lines{"STS.64"});
  CHECK(opcodes_of("red.global.add.u32 [%rd1], %r1;") == Lines{"REDG.E.ADD.STRONG.GPU"});
  CHECK(opcodes_of("atom.shared.cas.b32 %r1, [%r2], %r3, %r4;") == Lines{"ATOMS.CAS"});
  CHECK(opcodes_of("ld.u32 %r1, [%rd1];") == Lines{"LD.E"});
}

TEST_CASE("elements of a vector are in consecutive registers") {
  const Generated made = generate(
      "ld.param.u64 %rd1, [a]; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]; add.f32 %f5, %f2, %f4; "
      "st.global.f32 [%rd1], %f5; ret;");
  CHECK(made.text() == Lines{"LDC.64 R2, c[0x0][0x210]", "LDG.E.128 R4, desc[UR4][R2.64]", "FADD R7, R5, R7",
                             "STG.E desc[UR4][R2.64], R7", "EXIT"});
}

TEST_CASE("threads that diverge at a branch reconverge where their paths meet") {
  const std::string sides =
      "setp.eq.u32 %p1, %r1, 0; @%p1 bra other; st.global.u32 [%rd1], %r1; bra join; other: st.global.u32 [%rd2], %r1; "
      "join: bar.sync 0; ret;";
  CHECK(generate("mov.u32 %r1, %tid.x; " + sides).opcodes() == Lines{"S2R", "ISETP.EQ.AND", "BSSY", "BRA", "STG.E",
                                                                     "BRA", "STG.E", "BSYNC", "BAR.SYNC.DEFER_BLOCKING",
                                                                     "EXIT"});
  // All threads of a block take the same path.
  CHECK(generate("mov.u32 %r1, %ctaid.x; " + sides).opcodes() ==
        Lines{"S2R", "ISETP.EQ.AND", "BRA", "STG.E", "BRA", "STG.E", "BAR.SYNC.DEFER_BLOCKING", "EXIT"});
}

TEST_CASE("shared memory has its base in a uniform register from 9.0 on") {
  const std::string body =
      "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.s32 %r4, %r3, %r2; "
      "st.shared.u32 [%r4], %r1;";
  const std::string shared = ".shared .b32 s[64];\n";
  CHECK(generate(body + " ret;", false, 90, shared).opcodes() ==
        Lines{"S2UR", "S2R", "UMOV", "ULEA", "LEA", "STS", "EXIT"});
  CHECK(generate(body + " ret;", false, 80, shared).opcodes() == Lines{"S2R", "LEA", "STS", "EXIT"});
}

TEST_CASE("products of matrices become the number of machine products that their shape contains") {
  CHECK(opcodes_of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, "
                   "{%r5, %r6}, {%f1, %f2, %f3, %f4};") == Lines{"HMMA.16816.F32"});
  CHECK(opcodes_of("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1, %d2}, {%d3}, {%d4}, {%d1, %d2};") ==
        Lines{"DMMA.884"});
  CHECK(opcodes_of("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, "
                   "{%r9, %r10}, {%r1, %r2, %r3, %r4};") == Lines{"IMMA.16832.S8.S8"});
}

}  // namespace
