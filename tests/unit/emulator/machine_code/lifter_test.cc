// The text that single machine instructions become. Their words are those of tests/data/sass/words.tsv.
#include "emulator/machine_code/lifter.h"

#include <catch2/catch.hpp>
#include <string>

#include "unit/emulator/machine_code/lifted_word.h"

using namespace warpsim;
using namespace warpsim::test;

TEST_CASE("lifter: sums name signs and carries only where there are some", "[machine_code]") {
  CHECK(lifted(75, "LEA R116, P0, -R100, R116, 0x2") == "sass.lea.n0.s2 %r116, %p0, %r100, %r116, 0;");
  CHECK(lifted(80, "IADD3.X R23, R27, UR15, R23, P1, !PT") == "sass.add3c.x %r23, _, _, %r27, %u15, %r23, %p1, !%pt;");
  CHECK(lifted(90, "IADD3.X R20, ~R20, -0x1, R9, P3, P4") ==
        "sass.add3c.n0.x %r20, _, _, %r20, 0xffffffff, %r9, %p3, %p4;");
  CHECK(lifted(86, "UIADD3 UR16, UP2, -UR18, 0x1, URZ") == "sass.add3c.n0 %u16, %v2, _, %u18, 0x1, 0;");
  CHECK(lifted(86, "UIADD3 URZ, UP3, UR33, UR14, URZ") == "sass.add3c _, %v3, _, %u33, %u14, 0;");
  CHECK(lifted(80, "LEA.HI.SX32 R13, R4, 0x1, 0x17") == "sass.lea.sx32.s23 %r13, _, %r4, 0x1, 0;");
  CHECK(lifted(86, "USHF.L.U64.HI UR13, UR4, 0x2, UR13") == "sass.shf.hi.wide %u13, %u4, 0x2, %u13;");
  CHECK(lifted(75, "SHF.R.S32.HI R3, RZ, 0x1f, R0") == "sass.shf.r.hi.signed %r3, 0, 0x1f, %r0;");
}

TEST_CASE("lifter: every statement of a guarded instruction has its guard", "[machine_code]") {
  CHECK(lifted(86, "@!P3 IADD3 R49, P0, P5, R44, R48, R44") == "@!%p3 sass.add3c %r49, %p0, %p5, %r44, %r48, %r44;");
  CHECK(lifted(90, "@!UP1 UIADD3 UR7, UR17, -0xa000, URZ") == "@!%v1 sass.add3 %u7, %u17, 0xffff6000, 0;");
  CHECK(lifted(80, "@!P4 DADD.RP R14, R14, -c[0x0][0x170]") ==
        "@!%p4 mov.b64 %s0, {%r14, %r15}; @!%p4 mov.b64 %s1, {%c0_368, %c0_372}; "
        "@!%p4 neg.f64 %s2, %s1; @!%p4 add.rp.f64 %s3, %s0, %s2; @!%p4 mov.b64 {%r14, %r15}, %s3;");
  CHECK(lifted(90, "@P0 EXIT") == "@%p0 exit;");
  // A second predicate of the instruction.
  CHECK(lifted(86, "@!P0 EXIT P1") == "and.pred %q0, !%p0, %p1; @%q0 exit;");
  CHECK(lifted(86, "@!P0 BREAK P2, B2") == "and.pred %q0, !%p0, %p2; @%q0 sass.break %b2;");
}

TEST_CASE("lifter: an instruction under !PT does nothing", "[machine_code]") {
  const sass::InstructionWord add = known_word(90, "IMAD R7, R17, R0, R3");
  CHECK(lifted_word(90, add) == "mad.lo.s32 %r7, %r17, %r0, %r3;");
  const sass::InstructionWord never = {add.low | std::uint64_t{8} << 12U, add.high};
  CHECK(lifted_word(90, never) == "sass.nop;");
  CHECK(lifted(90, "NOP") == "sass.nop;");
}

TEST_CASE("lifter: signs of floating-point sources change their sign bits", "[machine_code]") {
  CHECK(lifted(75, "FADD.FTZ R12, -R5, -RZ") == "sub.rn.ftz.f32 %r12, 0f80000000, %r5;");
  CHECK(lifted(75, "FADD R8, R8, -R11") == "sub.rn.f32 %r8, %r8, %r11;");
  CHECK(lifted(75, "FFMA.FTZ R23, -R36, R29, 1") == "sass.ffma.rn.ftz.product %r23, %r36, %r29, 0f3f800000;");
  CHECK(lifted(80, "FFMA.SAT R10, -R5, R10, 0.5") == "sass.ffma.rn.sat.product %r10, %r5, %r10, 0f3f000000;");
  CHECK(lifted(80, "FFMA R4, RZ, UR8, -R0") == "sass.ffma.rn.addend %r4, 0f00000000, %u8, %r0;");
  CHECK(lifted(80, "FADD R3, |R10|, UR6") == "sass.ffma.rn.abs0 %r3, %r10, 0f3f800000, %u6;");
  CHECK(lifted(90, "@P1 FSEL R0, R0, -1, P2") == "@%p1 selp.f32 %r0, %r0, 0fbf800000, %p2;");
  CHECK(lifted(75, "FSEL R2, R4, R2, !P0") == "selp.f32 %r2, %r2, %r4, %p0;");
  CHECK(lifted(86, "DADD.RM R6, R2, -1") == "add.rm.f64 {%r6, %r7}, {%r2, %r3}, 0dbff0000000000000;");
  CHECK(lifted(89, "DFMA R32, R30, -|R60|, c[0x2][0x0]") ==
        "mov.b64 %s0, {%r30, %r31}; mov.b64 %s1, {%r60, %r61}; abs.f64 %s2, %s1; "
        "neg.f64 %s3, %s2; mov.b64 %s5, {%c2_0, %c2_4}; fma.rn.f64 %s4, %s0, %s3, %s5; "
        "mov.b64 {%r32, %r33}, %s4;");
}

TEST_CASE("lifter: products name both words of wide operands", "[machine_code]") {
  CHECK(lifted(90, "IMAD R7, R17, R0, R3") == "mad.lo.s32 %r7, %r17, %r0, %r3;");
  CHECK(lifted(75, "IMAD.MOV.U32 R7, RZ, RZ, c[0x0][0x168]") == "mov.b32 %r7, %c0_360;");
  CHECK(lifted(89, "@!P0 IMAD.MOV R3, RZ, RZ, -R0") == "@!%p0 neg.s32 %t0, %r0; @!%p0 mov.b32 %r3, %t0;");
  CHECK(lifted(80, "IMAD.X R66, R13, 0x1, R55, P3") ==
        "mad.lo.s32 %t0, %r13, 0x1, %r55; sass.add3c.x %r66, _, _, %t0, 0, 0, %p3, !%pt;");
  CHECK(lifted(75, "IMAD.WIDE R4, R99, UR4, -R4") == "sass.madwide.n2.signed %r4, %r5, _, %r99, %u4, %r4, %r5;");
  CHECK(lifted(75, "IMAD.WIDE.U32.X R6, R81, R3, R6, P2") == "sass.madwide.x %r6, %r7, _, %r81, %r3, %r6, %r7, %p2;");
  CHECK(lifted(80, "IMAD.HI.U32 R4, P1, R3, c[0x0][0x160], R4") ==
        "sass.madwide.hi %r4, _, %p1, %r3, %c0_352, %r4, %r5;");
}

TEST_CASE("lifter: products that only set, add or shift are moves, sums or shifts", "[machine_code]") {
  CHECK(lifted(75, "IMAD.IADD R6, R6, 0x1, R3") == "add.s32 %r6, %r6, %r3;");
  CHECK(lifted(75, "IMAD.SHL.U32 R9, R7, 0x4, RZ") == "shl.b32 %r9, %r7, 2;");
  CHECK(lifted(80, "HFMA2.MMA R41, -RZ, RZ, 0, 0") == "mov.b32 %r41, 0x0;");
  CHECK(lifted(86, "HFMA2.MMA R40, -RZ, RZ, 0.662109375, -0.01166534423828125") == "mov.b32 %r40, 0x394ca1f9;");
  // An infinite half is no number to the rule; the sum gives it all the same.
  const sass::InstructionWord number = known_word(80, "HFMA2.MMA R41, -RZ, RZ, 0, 0");
  const sass::InstructionWord infinite = {number.low | std::uint64_t{0x7c00} << 32U, number.high};
  CHECK(lifted_word(80, infinite).find("fma.rn.f16x2 %r41") != std::string::npos);
}

TEST_CASE("lifter: comparisons combine predicates before they write them", "[machine_code]") {
  CHECK(lifted(80, "ISETP.GE.AND P0, PT, R16, c[0x0][0x198], PT") == "setp.ge.s32 %p0, %r16, %c0_408;");
  CHECK(lifted(75, "ISETP.LE.U32.OR P1, PT, R8, 0xc, !P1") == "setp.le.or.u32 %p1, %r8, 0xc, !%p1;");
  // Upper words of 64 bits: the lower ones decide if they are equal.
  CHECK(lifted(75, "ISETP.GE.OR.EX P4, PT, R17, R25, P0, P4") ==
        "setp.eq.s32 %q1, %r17, %r25; and.pred %q1, %q1, %p4; setp.gt.s32 %q0, %r17, %r25; or.pred %q0, %q0, %q1; "
        "mov.pred %q2, %p0; sass.plop3 %p4, _, %q0, %q2, %pt, 0xfc, 0xcf;");
  CHECK(lifted(80, "LOP3.LUT P6, RZ, R27, UR7, R36, 0x40, !PT") == "lop3.or.b32 %t0|%p6, %r27, %u7, %r36, 64, !%pt;");
  CHECK(lifted(89, "LOP3.LUT R6, RZ, UR5, RZ, 0x33, !PT") == "lop3.b32 %r6, 0, %u5, 0, 51;");
  CHECK(lifted(80, "PLOP3.LUT P3, PT, P6, P4, P5, 0x80, 0x0") == "sass.plop3 %p3, _, %p6, %p4, %p5, 128, 0;");
  CHECK(lifted(90, "UPLOP3.LUT UP0, UPT, UP0, UP5, UPT, 0x80, 0x0") == "sass.plop3 %v0, _, %v0, %v5, %pt, 128, 0;");
  CHECK(lifted(80, "P2R.B3 R193, PR, R193, 0xf") ==
        "sass.p2r.b3 %r193, %r193, 0xf, %p0, %p1, %p2, %p3, %p4, %p5, %p6;");
  CHECK(lifted(90, "R2P PR, R185, 0x3") == "sass.r2p.b0 %r185, 0x3, %p0, %p1, %p2, %p3, %p4, %p5, %p6;");
}

TEST_CASE("lifter: addresses are pairs of registers in global memory and single ones elsewhere", "[machine_code]") {
  CHECK(lifted(90, "LDG.E.64 R4, desc[UR6][R10.64]") == "ld.global.v2.b32 {%r4, %r5}, [{%r10+0, %r11}];");
  CHECK(lifted(89, "@!P1 LDG.E.128.STRONG.GPU R80, [R158.64]") ==
        "@!%p1 ld.relaxed.gpu.global.v4.b32 {%r80, %r81, %r82, %r83}, [{%r158+0, %r159}];");
  CHECK(lifted(80, "STG.E.128.STRONG.SYS desc[UR6][R14.64], R20") ==
        "st.relaxed.sys.global.v4.b32 [{%r14+0, %r15}], {%r20, %r21, %r22, %r23};");
  CHECK(lifted(80, "LDS.128 R20, [R51+UR8+-0x10]") ==
        "add.u32 %t0, %r51, %u8; ld.shared.v4.b32 {%r20, %r21, %r22, %r23}, [%t0-16];");
  CHECK(lifted(89, "LDS.128 R12, [R17.X4]") ==
        "shl.b32 %t0, %r17, 2; ld.shared.v4.b32 {%r12, %r13, %r14, %r15}, [%t0+0];");
  CHECK(lifted(75, "STL.64 [UR5], RZ") == "st.local.v2.b32 [%u5+0], {0, 0};");
  CHECK(lifted(75, "STL.U8 [UR21], R3") == "st.local.u8 [%u21+0], %r3;");
}

TEST_CASE("lifter: atomics have their type, scope and order", "[machine_code]") {
  CHECK(lifted(75, "ATOMG.E.CAS.STRONG.GPU PT, R10, [R6], R4, R5") ==
        "atom.relaxed.gpu.global.cas.b32 %r10, [{%r6+0, %r7}], %r4, %r5;");
  CHECK(lifted(89, "ATOMG.E.ADD.64.STRONG.GPU PT, R12, [R12.64+0x8], R18") ==
        "mov.b64 %s0, {%r18, %r19}; atom.relaxed.gpu.global.add.u64 %s1, [{%r12+8, %r13}], %s0; "
        "mov.b64 {%r12, %r13}, %s1;");
  CHECK(lifted(90, "ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, RZ, desc[UR24][R28.64], R4") ==
        "atom.relaxed.gpu.global.add.f32 %t0, [{%r28+0, %r29}], %r4;");
  CHECK(lifted(75, "RED.E.ADD.STRONG.GPU [R2], R17") == "red.relaxed.gpu.global.add.u32 [{%r2+0, %r3}], %r17;");
  CHECK(lifted(80, "@P0 RED.E.MIN.S32.STRONG.GPU desc[UR4][R4.64+0x10], R13") ==
        "@%p0 red.relaxed.gpu.global.min.s32 [{%r4+16, %r5}], %r13;");
  CHECK(lifted(80, "ATOMS.MAX R21, [UR4], RZ") == "atom.shared.max.u32 %r21, [%u4+0], 0;");
  // A success is 1, as wide as the data.
  const std::string wide = lifted(70, "ATOMS.CAST.SPIN.64 R2, [R7], R8, R10");
  CAPTURE(wide);
  CHECK(wide.find("selp.b64") != std::string::npos);
  CHECK(wide.ends_with("mov.b64 {%r2, %r3}, %s2;"));
  CHECK(lifted(80, "MEMBAR.SC.SYS") == "fence.sc.sys;");
}

TEST_CASE("lifter: words of constant banks are registers that are remembered", "[machine_code]") {
  Lifter lifter = lifter_for(86);
  CHECK(lifted(lifter, "FADD R27, R7, c[0x0][0x190]") == "add.rn.f32 %r27, %r7, %c0_400;");
  CHECK(lifted(lifter, "I2F.U64.RP R5, c[0x2][0x0]") == "mov.b64 %s0, {%c2_0, %c2_4}; cvt.rp.f32.u64 %r5, %s0;");
  CHECK(lifter.constants() == std::set<std::pair<std::uint32_t, std::int64_t>>{{0, 0x190}, {2, 0}, {2, 4}});
  CHECK(lifter.indexed_banks().empty());
  CHECK(Lifter::constant_name(3, 16) == "%c3_16");
}

TEST_CASE("lifter: constants at offsets in registers are loads", "[machine_code]") {
  Lifter lifter = lifter_for(80);
  CHECK(lifted(lifter, "@!P0 LDC.64 R42, c[0x3][R42]") ==
        "@!%p0 mov.u64 %s0, bank3; @!%p0 cvt.s64.s32 %s1, %r42; @!%p0 add.u64 %s0, %s0, %s1; "
        "@!%p0 ld.const.v2.b32 {%r42, %r43}, [%s0+0];");
  CHECK(lifter.indexed_banks() == std::set<std::uint32_t>{3});
  CHECK(lifted(lifter, "ULDC.U16 UR10, c[0x0][0x164]") == "ld.param.u16 %u10, [4];");
  CHECK(lifter.constants().empty());
  CHECK(lifted(90, "ULDC.U8 UR5, c[0x0][UR5+0x240]") == "ld.param.u8 %u5, [%u5+48];");
  CHECK(lifted(89, "ULDC.64 UR6, c[0x0][0x118]") == "mov.b32 %u6, %c0_280; mov.b32 %u7, %c0_284;");
}

TEST_CASE("lifter: special values, votes and exchanges between lanes", "[machine_code]") {
  CHECK(lifted(80, "S2R R14, SR_TID.Z") == "mov.u32 %r14, %tid.z;");
  CHECK(lifted(75, "S2R R3, SR_CTAID.X") == "mov.u32 %r3, %ctaid.x;");
  CHECK(lifted(80, "CS2R R36, SRZ") == "mov.u64 %s0, 0; mov.b64 {%r36, %r37}, %s0;");
  CHECK(lifted(75, "R2UR UR10, R3") == "sass.r2ur %u10, %r3;");
  CHECK(lifted(86, "VOTE.ANY R37, PT, P6") == "vote.ballot.b32 %r37, %p6;");
  CHECK(lifted(86, "VOTE.ALL P5, P5") == "vote.all.pred %p5, %p5;");
  CHECK(lifted(90, "VOTEU.ANY UP3, !P5") == "sass.voteu.any _, %v3, !%p5;");
  CHECK(lifted(86, "VOTEU.ANY UR4, UPT, !P0") == "sass.voteu.any %u4, _, !%p0;");
  CHECK(lifted(86, "REDUX.MIN.S32 UR5, R29") == "sass.redux.mins %u5, %r29;");
  CHECK(lifted(80, "SHFL.DOWN P2, R56, R64, R57, R79") == "shfl.down.b32 %r56|%p2, %r64, %r57, %r79;");
  CHECK(lifted(75, "FCHK P1, -R43, R37") == "xor.b32 %t0, %r43, 0x80000000; sass.fchk %p1, %t0, %r37;");
}

TEST_CASE("lifter: a product with a false uniform predicate does not add its third operand", "[machine_code]") {
  // QMMA.16832.F32.E4M3.E4M3 R4, R24.ROW, R22.COL, R4, UP0
  CHECK(lifted_word(89, {0x000000161804727a, 0x0000000003802c04}) ==
        "mov.pred %q0, %v0; selp.b32 %t0, %r4, 0, %q0; selp.b32 %t1, %r5, 0, %q0; selp.b32 %t2, %r6, 0, %q0; "
        "selp.b32 %t3, %r7, 0, %q0; "
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%r4, %r5, %r6, %r7}, {%r24, %r25, %r26, %r27}, "
        "{%r22, %r23}, {%t0, %t1, %t2, %t3};");
}

TEST_CASE("lifter: a product with a negated factor changes the signs of its elements", "[machine_code]") {
  const sass::InstructionWord half = known_word(80, "HMMA.16816.F16 R16, R32, R24, R16");
  CHECK(lifted_word(80, {half.low, half.high | std::uint64_t{1} << 8U}) ==
        "xor.b32 %t0, %r32, 0x80008000; xor.b32 %t1, %r33, 0x80008000; xor.b32 %t2, %r34, 0x80008000; "
        "xor.b32 %t3, %r35, 0x80008000; mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r16, %r17}, "
        "{%t0, %t1, %t2, %t3}, {%r24, %r25}, {%r16, %r17};");
  CHECK(lifted(90, "HMMA.1688.F32.TF32 R12, R20, -R2, R12") ==
        "xor.b32 %t0, %r2, 0x80000000; xor.b32 %t1, %r3, 0x80000000; "
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r12, %r13, %r14, %r15}, {%r20, %r21, %r22, %r23}, "
        "{%t0, %t1}, {%r12, %r13, %r14, %r15};");
}

TEST_CASE("lifter: bytes of the upper half are unpacked, or put below the upper half of another register",
          "[machine_code]") {
  CHECK(lifted(90, "F2FP.F16.E4M3.UNPACK_B R3, R2.H1") == "mov.b32 {%h1, %h0}, %r2; cvt.rn.f16x2.e4m3x2 %r3, %h0;");
  CHECK_THAT(lifted(90, "F2FP.SATFINITE.E5M2.F32.PACK_AB_MERGE_C R17, RZ, RZ, R17.H1"),
             Catch::EndsWith(", %r17, 0x7610;"));
}

TEST_CASE("lifter: floats become halves, and halves a float, in sums and products of 7.5", "[machine_code]") {
  // HADD2 R7, R0.F32, -RZ.H0_H0
  CHECK(lifted_word(75, {0xa00000ff00077230, 0x0000000000000400}) ==
        "cvt.rz.f16.f32 %h0, %r0; mov.b32 %t0, {%h0, %h0}; xor.b32 %t1, 0, 0x80008000; "
        "add.rn.f16x2 %r7, %t0, %t1;");
  // HMUL2.F32 R6, R0.H0_H0, R8.H0_H0
  CHECK(lifted_word(75, {0x2000000800067232, 0x0000000000004800}).ends_with("mul.rn.f32 %r6, %t2, %t3;"));
}

TEST_CASE("lifter: lanes without the predicate of a load read zeros", "[machine_code]") {
  CHECK(lifted(86, "LDG.E.LTC128B.U8.CONSTANT R65, [R82], P3") ==
        "@%p3 ld.global.u8 %r65, [{%r82+0, %r83}]; @!%p3 mov.b32 %r65, 0;");
}

TEST_CASE("lifter: a step of a product of 7.0 writes its two registers of D", "[machine_code]") {
  CHECK(lifted(70, "HMMA.884.F32.F32.STEP2 R8, R36.ROW, R40.ROW, R8") ==
        "mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32 {_, _, _, _, %t0, %t1, _, _}, {%r36, %r37}, {%r40, %r41}, "
        "{0f00000000, 0f00000000, 0f00000000, 0f00000000, %r8, %r9, 0f00000000, 0f00000000}; mov.b32 %r8, %t0; "
        "mov.b32 %r9, %t1;");
}
