// Programs of the asynchronous copy probes: the instructions between the clock reads of the measured
// kernels, with their control bits (microbench/memory_probe.h describes the format of lines).
//
// A path takes or repeats whole sections. Prologues are omitted if a first round, or the minimum of
// several times, hides their effect on caches. Addresses come from the probe's path functions.
#pragma once

namespace warpsim::microbench {

inline constexpr const char* kCopyOnce = R"(
before:
  -:-:-:8  LDC R1, c[0x0][0x28]
  -:1:-:1  LDC R12, c[0x0][0x220]
  -:2:-:1  S2R R10, SR_TID.X
  -:-:-:1  ULDC.64 UR6, c[0x0][0x208]
  -:-:-:y2 IMAD.MOV.U32 R13, RZ, RZ, RZ
  -:-:-:2  IMAD.MOV.U32 R15, RZ, RZ, 0x10000000
  -:-:-:2  IMAD.MOV.U32 R11, RZ, RZ, RZ
  -:-:-:1  IMAD.MOV.U32 R8, RZ, RZ, RZ
  1:-:-:y13 ISETP.GE.AND P0, PT, R12, 0x1, PT
  2:-:-:5  @!P0 BRA 0x2f0
  -:1:-:1  S2UR UR5, SR_CgaCtaId
  -:-:-:1  SHF.L.U32 R0, R10, 0x4, RZ
  -:-:-:1  UMOV UR4, 0x400
  -:-:-:1  ULDC.64 UR8, c[0x0][0x210]
  -:-:-:1  HFMA2.MMA R13, -RZ, RZ, 0, 0
  -:-:-:1  IADD3 R6, P0, R0, UR8, RZ
  -:-:-:2  IMAD.MOV.U32 R11, RZ, RZ, RZ
  -:-:-:2  IMAD.MOV.U32 R8, RZ, RZ, RZ
  -:-:-:y2 IMAD.MOV.U32 R15, RZ, RZ, 0x10000000
  -:-:-:1  IMAD.X R9, RZ, RZ, UR9, P0
  -:-:-:1  ULDC.64 UR8, c[0x0][0x218]
  1:-:-:y6 ULEA UR4, UR5, UR4, 0x18
  -:-:-:1  VIADD R7, R0, UR4
  -:-:-:y6 UMOV UR4, URZ
copy:
  -:-:-:1  CS2R R2, SR_CLOCKLO
  -:-:-:1  IMAD.MOV.U32 R4, RZ, RZ, R6
  -:-:-:y5 MOV R5, R9
  -:-:-:1  ! @!PT LDS RZ, [RZ]
  -:-:-:1  ! @!PT LDS RZ, [RZ]
  -:-:-:1  ! @!PT LDS RZ, [RZ]
  -:-:1:4  LDGSTS.E@@ [R7], desc[UR6][R4.64]
  -:0:-:1  LDGDEPBAR
  -:-:-:y4 DEPBAR.LE SB0, 0x0
  1:-:-:1  CS2R R4, SR_CLOCKLO
  -:-:-:y5 UIADD3 UR4, UR4, 0x1, URZ
  -:-:-:2  IADD3 R0, P0, -R2, R4, RZ
  -:-:-:2  IADD3 R6, P1, R6, UR8, RZ
  -:-:-:1:2 IADD3 R11, P2, R11, R0.reuse, RZ
  -:-:-:1  IMAD.X R2, R5, 0x1, ~R3, P0
  -:-:-:2  ISETP.LE.AND P3, PT, R12, UR4, PT
  -:-:-:1  ISETP.LT.U32.AND P0, PT, R13, R0, PT
  -:-:-:1  IMAD.X R8, R8, 0x1, R2, P2
  -:-:-:y2 IADD3.X R9, R9, UR9, RZ, P1, !PT
  -:-:-:y4 ISETP.LT.AND.EX P0, PT, R15, R2, PT, P0
  -:-:-:2  SEL R13, R13, R0, P0
  -:-:-:1  SEL R15, R15, R2, P0
  -:-:-:6  @!P3 BRA 0x180
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kCopies = R"(
start:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:-:-:2  ULDC UR4, c[0x0][0x21c]
  -:-:-:1  ISETP.LE.AND P0, PT, RZ, UR4, PT
  -:-:-:y12 ULDC.64 UR4, c[0x0][0x208]
  -:-:-:5  @!P0 BRA 0x2b0
  -:1:-:1  S2R R0, SR_TID.X
  -:2:-:1  LDC R10, c[0x0][RZ]
  -:-:-:1  IMAD.MOV.U32 R6, RZ, RZ, RZ
  -:-:-:1  CS2R R2, SRZ
  1:-:-:y7 IMAD.SHL.U32 R0, R0, 0x10, RZ
first_rounds:
  -:-:-:1:1 ISETP.GT.U32.AND P1, PT, R6.reuse, 0x1, PT
  -:-:-:2  ULDC UR6, c[0x0][0x21c]
  -:-:-:1:1 ISETP.GE.AND P0, PT, R6.reuse, UR6, PT
  -:-:-:y9 VIADD R6, R6, 0x1
  -:-:-:5  @P1 BRA 0x130
  -:0:-:1  LDGDEPBAR
  -:-:-:y4 DEPBAR.LE SB0, 0x0
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R2, SR_CLOCKLO
  -:-:-:1  ULDC UR6, c[0x0][0x218]
  -:-:-:1  BSSY B0, 0x270
  -:-:-:y13 ISETP.GE.AND P1, PT, R0, UR6, PT
  -:-:-:5  @P1 BRA 0x260
  -:1:-:1  S2R R5, SR_CgaCtaId
  -:3:-:1  LDC.64 R12, c[0x0][0x210]
  -:-:-:1  MOV R4, 0x400
  -:-:-:y3 IMAD.MOV.U32 R7, RZ, RZ, R0
  1:-:-:y7 LEA R8, R5, R4, 0x18
later_rounds:
  -:-:-:1:1 ISETP.GT.U32.AND P1, PT, R6.reuse, 0x1, PT
  -:-:-:2  ULDC UR6, c[0x0][0x21c]
  -:-:-:1:1 ISETP.GE.AND P0, PT, R6.reuse, UR6, PT
  -:-:-:y9 VIADD R6, R6, 0x1
  -:-:-:5  @P1 BRA 0x130
  -:-:-:1  ULDC UR6, c[0x0][0x218]
  -:-:-:1  BSSY B0, 0x270
  -:-:-:y13 ISETP.GE.AND P1, PT, R0, UR6, PT
  -:-:-:5  @P1 BRA 0x260
  -:1:-:1  S2R R5, SR_CgaCtaId
  -:3:-:1  LDC.64 R12, c[0x0][0x210]
  -:-:-:1  MOV R4, 0x400
  -:-:-:y3 IMAD.MOV.U32 R7, RZ, RZ, R0
  1:-:-:y7 LEA R8, R5, R4, 0x18
copy:
  3:-:-:1  IADD3 R4, P1, R7, R12, RZ
  -:-:-:y3 IMAD.IADD R9, R8, 0x1, R7
  -:-:-:1  LEA.HI.X.SX32 R5, R7, R13, 0x1, P1
  2:-:-:y4 IMAD R7, R10, 0x10, R7
  -:-:-:1  ! @!PT LDS RZ, [RZ]
  -:-:-:1  ! @!PT LDS RZ, [RZ]
  -:-:-:1  ! @!PT LDS RZ, [RZ]
  -:-:1:1  LDGSTS.E@@ [R9], desc[UR4][R4.64]
  -:-:-:y13 ISETP.GE.AND P1, PT, R7, UR6, PT
  1:-:-:5  @!P1 BRA 0x1c0
round_end:
  -:-:-:5  BSYNC B0
  -:0:-:1  LDGDEPBAR
  -:-:-:y4 DEPBAR.LE SB0, 0x1
  -:-:-:5  @!P0 BRA 0xa0
after:
  -:-:-:5  BRA 0x2c0
  -:0:-:1  LDGDEPBAR
  -:1:-:1  S2R R0, SR_TID.X
  -:-:-:y4 DEPBAR.LE SB0, 0x0
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  1:-:-:y13 ISETP.NE.AND P0, PT, R0, RZ, PT
  -:-:-:5  @P0 EXIT
  -:-:-:1  CS2R R6, SR_CLOCKLO
  -:-:-:5 EXIT
)";

inline constexpr const char* kThroughRegisters = R"(
start:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:-:-:1  ULDC UR4, c[0x0][0x21c]
  -:-:-:1  ULDC.64 UR6, c[0x0][0x208]
  -:-:-:y13 ISETP.LE.AND P0, PT, RZ, UR4, PT
  -:-:-:5  @!P0 BRA 0x3b0
  -:0:-:1  S2R R12, SR_TID.X
  -:1:-:1  LDC R11, c[0x0][RZ]
  -:-:-:1  ULDC UR5, c[0x0][0x218]
  -:-:-:1  IMAD.MOV.U32 R10, RZ, RZ, RZ
  -:-:-:1  USHF.R.S32.HI UR4, URZ, 0x1f, UR5
  -:-:-:y3 CS2R R2, SRZ
  -:-:-:y4 ULEA.HI UR4, UR4, UR5, URZ, 0x4
  -:-:-:y12 USHF.R.S32.HI UR4, URZ, 0x4, UR4
first_rounds:
  -:-:-:1  ISETP.GT.U32.AND P1, PT, R10, 0x1, PT
  -:-:-:y12 ULDC UR5, c[0x0][0x21c]
  -:-:-:1  @!P1 BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1:1 ISETP.GE.AND P0, PT, R10.reuse, UR5, PT
  -:-:-:1  VIADD R10, R10, 0x1
  -:-:-:2  @!P1 CS2R R2, SR_CLOCKLO
  0:-:-:1  ISETP.GE.AND P1, PT, R12, UR4, PT
  -:-:-:y12 BSSY B0, 0x380
  234:-:-:5 @P1 BRA 0x370
  -:0:-:1  S2R R5, SR_CgaCtaId
  -:2:-:1  LDC.64 R8, c[0x0][0x210]
  -:-:-:1  MOV R0, 0x400
  -:-:-:y3 IMAD.MOV.U32 R13, RZ, RZ, R12
  0:-:-:y7 LEA R0, R5, R0, 0x18
later_rounds:
  -:-:-:1  ISETP.GT.U32.AND P1, PT, R10, 0x1, PT
  -:-:-:y12 ULDC UR5, c[0x0][0x21c]
  -:-:-:1  ! @!P1 BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1:1 ISETP.GE.AND P0, PT, R10.reuse, UR5, PT
  -:-:-:1  VIADD R10, R10, 0x1
  -:-:-:2  ! @!P1 CS2R R2, SR_CLOCKLO
  0:-:-:1  ISETP.GE.AND P1, PT, R12, UR4, PT
  -:-:-:y12 BSSY B0, 0x380
  234:-:-:5 @P1 BRA 0x370
  -:0:-:1  S2R R5, SR_CgaCtaId
  -:2:-:1  LDC.64 R8, c[0x0][0x210]
  -:-:-:1  MOV R0, 0x400
  -:-:-:y3 IMAD.MOV.U32 R13, RZ, RZ, R12
  0:-:-:y7 LEA R0, R5, R0, 0x18
copy0:
  24:-:-:y5 IMAD.WIDE R14, R13, 0x10, R8
  -:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR6][R14.64]
  -:-:-:2  IMAD R16, R13, 0x10, R0
  1:-:-:y5 IMAD.IADD R18, R11, 0x1, R13
  -:-:-:1  ISETP.GE.AND P1, PT, R18, UR4, PT
  2:-:0:y12 STS.128 [R16], R4
  -:-:-:5  @P1 BRA 0x370
copy1:
  -:-:-:y5 IMAD.WIDE R14, R11, 0x10, R14
  0:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR6][R14.64]
  -:-:-:2  IMAD R16, R11, 0x10, R16
  -:-:-:y5 IMAD.IADD R18, R18, 0x1, R11
  -:-:-:1  ISETP.GE.AND P1, PT, R18, UR4, PT
  2:-:2:y12 STS.128 [R16], R4
  -:-:-:5  @P1 BRA 0x370
copy2:
  -:-:-:y5 IMAD.WIDE R14, R11, 0x10, R14
  2:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR6][R14.64]
  -:-:-:2  IMAD R16, R11, 0x10, R16
  -:-:-:y5 IMAD.IADD R18, R18, 0x1, R11
  -:-:-:1  ISETP.GE.AND P1, PT, R18, UR4, PT
  2:-:3:y12 STS.128 [R16], R4
  -:-:-:5  @P1 BRA 0x370
copy3:
  3:-:-:y6 IMAD.WIDE R4, R11, 0x10, R14
  -:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR6][R4.64]
  -:-:-:2  IMAD R14, R11, 0x10, R16
  -:-:-:y5 IMAD.IADD R13, R18, 0x1, R11
  -:-:-:1  ISETP.GE.AND P1, PT, R13, UR4, PT
  2:-:4:y12 STS.128 [R14], R4
  -:-:-:5  @!P1 BRA 0x1b0
round_end:
  -:-:-:5  BSYNC B0
  -:-:-:6  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:5  @!P0 BRA 0xd0
after:
  -:-:-:5  BRA 0x3c0
  -:5:-:2  S2R R0, SR_TID.X
  5:-:-:y13 ISETP.NE.AND P0, PT, R0, RZ, PT
  -:-:-:5  @P0 EXIT
  0234:-:-:1 CS2R R6, SR_CLOCKLO
  -:-:-:5 EXIT
)";

}  // namespace warpsim::microbench
