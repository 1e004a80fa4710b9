// Programs of the bandwidth probes: the instructions between the clock reads of the measured
// kernels, with their control bits (microbench/memory_probe.h describes the format of lines).
//
// A path takes or repeats whole sections. Prologues are omitted if a first round, or the minimum of
// several times, hides their effect on caches. Addresses come from the probe's path functions.
#pragma once

namespace warpsim::microbench {

inline constexpr const char* kChipRead = R"(
before:
  -:-:-:8  LDC R1, c[0x0][0x28]
  -:-:-:6  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1  ULDC UR6, c[0x0][0xc]
  -:-:-:1  ULDC.64 UR8, c[0x0][0x208]
  -:-:-:1  ULDC UR5, c[0x0][0x0]
  -:-:-:1  CS2R R10, SR_CLOCKLO
  -:0:-:1  LDC R0, c[0x0][0x220]
  -:-:-:1  IMAD.MOV.U32 R12, RZ, RZ, RZ
  0:-:-:y13 ISETP.GE.AND P0, PT, R0, 0x1, PT
  -:-:-:5  @!P0 BRA 0x550
  -:0:-:1  S2R R3, SR_CTAID.X
  -:-:-:1  UIMAD.WIDE.U32 UR6, UR6, UR5, URZ
  -:-:-:1  IMAD.MOV.U32 R9, RZ, RZ, RZ
  -:-:-:1  UMOV UR4, URZ
  -:0:-:1  S2R R8, SR_TID.X
  -:-:-:1  UIADD3 UR4, UR7, UR4, URZ
  -:-:-:1  IMAD.MOV.U32 R12, RZ, RZ, RZ
  -:-:-:1  USHF.L.U32 UR10, UR6, 0x4, URZ
  0:-:-:1  IMAD.WIDE.U32 R8, R3, UR5, R8
  -:-:-:y3 USHF.L.U64.HI UR5, UR6, 0x4, UR4
  -:-:-:2  UMOV UR4, URZ
  -:-:-:1  VIADD R0, R9, UR4
  -:-:-:y6 UMOV UR4, URZ
round:
  -:0:-:1  LDC R2, c[0x0][0x220]
  -:-:-:1  ULDC.64 UR12, c[0x0][0x218]
  -:-:-:1  UIADD3 UR4, UR4, 0x1, URZ
  -:-:-:1  ISETP.GE.U32.AND P0, PT, R8, UR12, PT
  -:-:-:3  BSSY B0, 0x540
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R0, UR13, PT, P0
  -:-:-:1  ULDC.64 UR12, c[0x0][0x210]
  0:-:-:y11 ISETP.LE.AND P1, PT, R2, UR4, PT
  -:-:-:5  @P0 BRA 0x530
  -:0:-:1  LDC.64 R2, c[0x0][0x218]
  -:-:-:2  IMAD.MOV.U32 R17, RZ, RZ, R8
  -:-:-:y7 IMAD.MOV.U32 R16, RZ, RZ, R0
access0:
  -:-:-:y4 LEA R14, P0, R17, UR12, 0x4
  -:-:-:y5 LEA.HI.X R15, R17, UR13, R16, 0x4, P0
  -:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR8][R14.64]
  -:-:-:y4 IADD3 R13, P0, R17, UR6, RZ
  -:-:-:2  IADD3.X R16, R16, UR7, RZ, P0, !PT
  0:-:-:y4 ISETP.GE.U32.AND P0, PT, R13, R2, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R16, R3, PT, P0
  2:-:-:y4 FADD R5, R4, R5
  -:-:-:y4 FADD R6, R6, R5
  -:-:-:y4 FADD R7, R7, R6
  -:-:-:1  FADD R12, R7, R12
  -:-:-:6  @P0 BRA 0x530
access1:
  -:-:-:y4 IADD3 R14, P0, R14, UR10, RZ
  -:-:-:y5 IADD3.X R15, R15, UR5, RZ, P0, !PT
  -:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR8][R14.64]
  -:-:-:y4 IADD3 R13, P0, R13, UR6, RZ
  -:-:-:2  IADD3.X R16, R16, UR7, RZ, P0, !PT
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R13, R2, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R16, R3, PT, P0
  2:-:-:y4 FADD R5, R4, R5
  -:-:-:y4 FADD R6, R6, R5
  -:-:-:y4 FADD R7, R7, R6
  -:-:-:1  FADD R12, R12, R7
  -:-:-:6  @P0 BRA 0x530
access2:
  -:-:-:y4 IADD3 R14, P0, R14, UR10, RZ
  -:-:-:y5 IADD3.X R15, R15, UR5, RZ, P0, !PT
  -:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR8][R14.64]
  -:-:-:y4 IADD3 R13, P0, R13, UR6, RZ
  -:-:-:2  IADD3.X R16, R16, UR7, RZ, P0, !PT
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R13, R2, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R16, R3, PT, P0
  2:-:-:y4 FADD R5, R4, R5
  -:-:-:y4 FADD R6, R6, R5
  -:-:-:y4 FADD R7, R7, R6
  -:-:-:1  FADD R12, R12, R7
  -:-:-:6  @P0 BRA 0x530
access3:
  -:-:-:y4 IADD3 R4, P0, R14, UR10, RZ
  -:-:-:y6 IADD3.X R5, R15, UR5, RZ, P0, !PT
  -:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR8][R4.64]
  -:-:-:y4 IADD3 R17, P0, R13, UR6, RZ
  -:-:-:2  IADD3.X R16, R16, UR7, RZ, P0, !PT
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R17, R2, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R16, R3, PT, P0
  2:-:-:y4 FADD R13, R4, R5
  -:-:-:y4 FADD R6, R6, R13
  -:-:-:y4 FADD R7, R7, R6
  -:-:-:1  FADD R12, R12, R7
  -:-:-:6  @!P0 BRA 0x230
round_end:
  -:-:-:5  BSYNC B0
  -:-:-:5  @!P1 BRA 0x170
after:
  -:-:-:y13 FSETP.NEU.AND P0, PT, R12, 1.2345, PT
  -:0:-:1  ! @!P0 LDC.64 R2, c[0x0][0x230]
  -:-:-:y5 ! @!P0 IMAD.MOV.U32 R5, RZ, RZ, 0x3f9e0419
  0:-:0:2  ! @!P0 STG.E desc[UR8][R2.64], R5
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  0:-:-:y5 CS2R R2, SR_CLOCKLO
  -:-:-:5 EXIT
)";

inline constexpr const char* kChipWrite = R"(
before:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:-:-:y7 ULDC UR5, c[0x0][0xc]
  -:-:-:8  BAR.SYNC.DEFER_BLOCKING 0x0
  -:0:-:1  LDC R13, c[0x0][RZ]
  -:-:-:1  ULDC.64 UR6, c[0x0][0x208]
  -:-:-:1  CS2R R2, SR_CLOCKLO
  -:-:-:y2 ULDC UR4, c[0x0][0x220]
  -:-:-:y13 ISETP.LT.AND P0, PT, RZ, UR4, PT
  -:-:-:5  @!P0 BRA 0x470
  -:0:-:1  S2R R8, SR_TID.X
  -:0:-:1  S2UR UR4, SR_CTAID.X
  -:-:-:2  IMAD.MOV.U32 R9, RZ, RZ, RZ
  0:-:-:1  IMAD.WIDE.U32 R8, R13, UR4, R8
  -:-:-:y3 UMOV UR4, URZ
  -:-:-:y4 IMAD.WIDE.U32 R12, R13, UR5, RZ
  -:-:-:1  VIADD R0, R9, UR4
  -:-:-:y6 UMOV UR4, URZ
round:
  -:-:-:1  ULDC.64 UR8, c[0x0][0x218]
  -:-:-:1  BSSY B0, 0x430
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R8, UR8, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R0, UR9, PT, P0
  -:-:-:y12 ULDC.64 UR8, c[0x0][0x210]
  -:-:-:5  @P0 BRA 0x420
  -:0:-:1  LDC.64 R10, c[0x0][0x218]
  -:-:-:1:1 IMAD.SHL.U32 R15, R12.reuse, 0x4, RZ
  -:-:-:1  SHF.L.U64.HI R14, R12, 0x2, R13
  -:-:-:1  IMAD.MOV.U32 R19, RZ, RZ, R8
  -:-:-:1  I2FP.F32.S32 R4, UR4
  -:-:-:1  IMAD.MOV.U32 R18, RZ, RZ, R0
  -:-:-:1:1 SHF.L.U64.HI R14, R15.reuse, 0x2, R14
  -:-:-:y7 IMAD.SHL.U32 R15, R15, 0x4, RZ
access0:
  -:-:-:1:1 LEA R16, P0, R19.reuse, UR8, 0x4
  -:-:-:2  IMAD.MOV.U32 R5, RZ, RZ, 0x3f800000
  -:-:-:1  IMAD.MOV.U32 R6, RZ, RZ, 0x40000000
  -:-:-:1  LEA.HI.X R17, R19, UR9, R18, 0x4, P0
  -:-:-:1  IMAD.MOV.U32 R7, RZ, RZ, 0x40400000
  -:-:-:y4 IADD3 R19, P0, R12, R19, RZ
  -:-:1:1  STG.E.128 desc[UR6][R16.64], R4
  -:-:-:1  IMAD.X R18, R13, 0x1, R18, P0
  0:-:-:y4 ISETP.GE.U32.AND P0, PT, R19, R10, PT
  -:-:-:y13 ISETP.GE.U32.AND.EX P0, PT, R18, R11, PT, P0
  1:-:-:5  @P0 BRA 0x420
access1:
  -:-:-:y5 IADD3 R16, P0, R15, R16, RZ
  -:-:-:1  IMAD.X R17, R14, 0x1, R17, P0
  -:-:-:y4 IADD3 R19, P0, R12, R19, RZ
  -:-:0:1  STG.E.128 desc[UR6][R16.64], R4
  -:-:-:1  IMAD.X R18, R13, 0x1, R18, P0
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R19, R10, PT
  -:-:-:y13 ISETP.GE.U32.AND.EX P0, PT, R18, R11, PT, P0
  0:-:-:5  @P0 BRA 0x420
access2:
  -:-:-:y5 IADD3 R16, P0, R16, R15, RZ
  -:-:-:1  IMAD.X R17, R17, 0x1, R14, P0
  -:-:-:y4 IADD3 R19, P0, R12, R19, RZ
  -:-:0:1  STG.E.128 desc[UR6][R16.64], R4
  -:-:-:1  IMAD.X R18, R13, 0x1, R18, P0
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R19, R10, PT
  -:-:-:y13 ISETP.GE.U32.AND.EX P0, PT, R18, R11, PT, P0
  0:-:-:5  @P0 BRA 0x420
access3:
  -:-:-:y5 IADD3 R16, P0, R16, R15, RZ
  -:-:-:1  IMAD.X R17, R17, 0x1, R14, P0
  -:-:-:y4 IADD3 R19, P0, R12, R19, RZ
  -:-:1:1  STG.E.128 desc[UR6][R16.64], R4
  -:-:-:1  IMAD.X R18, R13, 0x1, R18, P0
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R19, R10, PT
  -:-:-:y13 ISETP.GE.U32.AND.EX P0, PT, R18, R11, PT, P0
  1:-:-:5  @!P0 BRA 0x1f0
round_end:
  -:-:-:5  BSYNC B0
  -:0:-:1  LDC R4, c[0x0][0x220]
  -:-:-:y6 UIADD3 UR4, UR4, 0x1, URZ
  0:-:-:y13 ISETP.LE.AND P0, PT, R4, UR4, PT
  -:-:-:5  @!P0 BRA 0x110
after:
  -:1:-:1  S2R R0, SR_TID.X
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:2  CS2R R4, SR_CLOCKLO
  -:-:-:5 EXIT
)";

inline constexpr const char* kChipCopy = R"(
before:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:-:-:y7 ULDC UR4, c[0x0][0xc]
  -:0:-:8  LDC R5, c[0x0][RZ]
  -:-:-:6  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1  ULDC.64 UR6, c[0x0][0x208]
  0:-:-:1:1 IMAD.WIDE.U32 R12, R5.reuse, UR4, RZ
  -:-:-:1  CS2R R10, SR_CLOCKLO
  -:0:-:1  S2R R8, SR_TID.X
  -:0:-:1  S2UR UR8, SR_CTAID.X
  -:-:-:1  IMAD.MOV.U32 R9, RZ, RZ, RZ
  -:-:-:1  ULDC.64 UR4, c[0x0][0x220]
  -:-:-:1  ULDC.64 UR10, c[0x0][0x210]
  -:-:-:1  ULDC.64 UR12, c[0x0][0x218]
  -:-:-:1  BSSY B0, 0x480
  0:-:-:y3 IMAD.WIDE.U32 R4, R5, UR8, R8
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R4, UR4, PT
  -:-:-:y13 ISETP.GE.U32.AND.EX P0, PT, R5, UR5, PT, P0
  -:-:-:5  @P0 BRA 0x470
  -:0:-:1  LDC.64 R2, c[0x0][0x220]
  -:-:-:1  UMOV UR4, URZ
  -:-:-:2  IMAD.MOV.U32 R15, RZ, RZ, R4
  -:-:-:2  VIADD R7, R13, UR4
  -:-:-:2  IMAD.MOV.U32 R20, RZ, RZ, R5
  -:-:-:1:1 IMAD.SHL.U32 R14, R12.reuse, 0x10, RZ
  -:-:-:y7 SHF.L.U64.HI R0, R12, 0x4, R7
round:
  -:-:-:1  NOP
access0:
  3:-:-:1:1 IMAD.SHL.U32 R16, R15.reuse, 0x10, RZ
  -:-:-:y4 SHF.L.U64.HI R17, R15, 0x4, R20
  -:-:-:y4 IADD3 R18, P0, R16, UR10, RZ
  -:-:-:y5 IADD3.X R19, R17, UR11, RZ, P0, !PT
  -:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR6][R18.64]
  -:-:-:y4 IADD3 R16, P0, R16, UR12, RZ
  -:-:-:2  IADD3.X R17, R17, UR13, RZ, P0, !PT
  -:-:-:y5 IADD3 R15, P0, R12, R15, RZ
  -:-:-:1  IMAD.X R20, R13, 0x1, R20, P0
  0:-:-:y4 ISETP.GE.U32.AND P0, PT, R15, R2, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R20, R3, PT, P0
  2:-:0:y12 STG.E.128 desc[UR6][R16.64], R4
  -:-:-:5  @P0 BRA 0x470
access1:
  -:-:-:y5 IADD3 R18, P0, R18, R14, RZ
  -:-:-:y5 IMAD.X R19, R19, 0x1, R0, P0
  0:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR6][R18.64]
  -:-:-:y5 IADD3 R16, P0, R16, R14, RZ
  -:-:-:1  IMAD.X R17, R17, 0x1, R0, P0
  -:-:-:y5 IADD3 R15, P0, R12, R15, RZ
  -:-:-:1  IMAD.X R20, R13, 0x1, R20, P0
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R15, R2, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R20, R3, PT, P0
  2:-:1:y12 STG.E.128 desc[UR6][R16.64], R4
  -:-:-:5  @P0 BRA 0x470
access2:
  -:-:-:y5 IADD3 R18, P0, R18, R14, RZ
  -:-:-:y5 IMAD.X R19, R19, 0x1, R0, P0
  1:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR6][R18.64]
  -:-:-:y5 IADD3 R16, P0, R16, R14, RZ
  -:-:-:1  IMAD.X R17, R17, 0x1, R0, P0
  -:-:-:y5 IADD3 R15, P0, R12, R15, RZ
  -:-:-:1  IMAD.X R20, R13, 0x1, R20, P0
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R15, R2, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R20, R3, PT, P0
  2:-:2:y12 STG.E.128 desc[UR6][R16.64], R4
  -:-:-:5  @P0 BRA 0x470
access3:
  2:-:-:y5 IADD3 R4, P0, R18, R14, RZ
  -:-:-:y6 IMAD.X R5, R19, 0x1, R0, P0
  -:2:-:1  LDG.E.128.STRONG.GPU R4, desc[UR6][R4.64]
  -:-:-:y5 IADD3 R16, P0, R16, R14, RZ
  -:-:-:1  IMAD.X R17, R17, 0x1, R0, P0
  -:-:-:y5 IADD3 R15, P0, R12, R15, RZ
  -:-:-:1  IMAD.X R20, R13, 0x1, R20, P0
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R15, R2, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R20, R3, PT, P0
  2:-:3:y12 STG.E.128 desc[UR6][R16.64], R4
  -:-:-:5  @!P0 BRA 0x190
round_end:
  -:-:-:5  BSYNC B0
after:
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:2  CS2R R2, SR_CLOCKLO
  -:-:-:5 EXIT
)";

}  // namespace warpsim::microbench
