// Programs of the bandwidth probes: the instructions between the clock reads of the measured
// kernels, with their control bits (microbench/memory_probe.h describes the format of lines).
//
// A path takes or repeats whole sections. Prologues are omitted if a first round, or the minimum of
// several times, hides their effect on caches. Addresses come from the probe's path functions.
#pragma once

namespace warpsim::microbench {

inline constexpr const char* kSharedStore4 = R"(
before:
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R4, SR_CLOCKLO
  0:0:-:2  LDC R6, c[0x0][0x218]
  0:-:-:y13 ISETP.GE.AND P0, PT, R6, 0x1, PT
  -:-:-:5  @!P0 BRA 0x1a0
  -:-:-:y5 UMOV UR4, URZ
loop:
  -:-:-:1  UIADD3 UR4, UR4, 0x1, URZ
  0:-:0:4  STS [R0+UR5], R3
  -:-:0:1  STS [R0+UR5+0x400], R3
  -:-:-:y3 ISETP.LE.AND P0, PT, R6, UR4, PT
  -:-:0:4  STS [R0+UR5+0x800], R3
  -:-:0:4  STS [R0+UR5+0xc00], R3
  -:-:0:4  STS [R0+UR5+0x1000], R3
  -:-:0:4  STS [R0+UR5+0x1400], R3
  -:-:0:4  STS [R0+UR5+0x1800], R3
  -:-:0:1  STS [R0+UR5+0x1c00], R3
  -:-:-:5  @!P0 BRA 0xf0
after:
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y5 VIADD R2, R2, 0x1
  -:-:-:2  ISETP.GE.U32.AND P0, PT, R2, 0x2, PT
  -:-:-:y11 CS2R R6, SR_CLOCKLO
  -:-:-:5  @!P0 BRA 0x90
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kSharedStore16 = R"(
before:
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R26, SR_CLOCKLO
  -:0:-:2  LDC R2, c[0x0][0x218]
  0:-:-:y13 ISETP.GE.AND P0, PT, R2, 0x1, PT
  -:-:-:5  @!P0 BRA 0x2d0
  -:-:-:y5 UMOV UR4, URZ
loop:
  -:-:-:1  UIADD3 UR4, UR4, 0x1, URZ
  0:-:-:1:2 MOV R4, R20.reuse
  -:-:-:1:4 IMAD.MOV.U32 R5, RZ, RZ, R20.reuse
  -:-:-:1:2 MOV R7, R20.reuse
  -:-:-:1:4 IMAD.MOV.U32 R6, RZ, RZ, R20.reuse
  -:-:-:1:2 MOV R10, R20.reuse
  -:-:-:1:4 IMAD.MOV.U32 R8, RZ, RZ, R20.reuse
  -:-:-:1  ISETP.LE.AND P0, PT, R2, UR4, PT
  -:-:-:1:4 IMAD.MOV.U32 R9, RZ, RZ, R20.reuse
  -:-:-:1:2 MOV R13, R20.reuse
  -:-:-:1:4 IMAD.MOV.U32 R11, RZ, RZ, R20.reuse
  -:-:-:1:2 MOV R16, R20.reuse
  -:-:-:1:4 IMAD.MOV.U32 R12, RZ, RZ, R20.reuse
  -:-:-:1:2 MOV R19, R20.reuse
  -:-:-:1:4 IMAD.MOV.U32 R14, RZ, RZ, R20.reuse
  -:-:-:1  MOV R22, R20
  -:-:-:1:4 IMAD.MOV.U32 R15, RZ, RZ, R20.reuse
  -:-:0:1  STS.128 [R24+UR5+0x400], R4
  -:-:-:y2 IMAD.MOV.U32 R17, RZ, RZ, R20
  -:-:-:1:4 IMAD.MOV.U32 R18, RZ, RZ, R20.reuse
  -:-:0:1  STS.128 [R24+UR5+0x800], R8
  -:-:-:2:4 IMAD.MOV.U32 R21, RZ, RZ, R20.reuse
  -:-:-:1  IMAD.MOV.U32 R23, RZ, RZ, R20
  -:-:0:4  STS.128 [R24+UR5+0xc00], R12
  -:-:0:4  STS.128 [R24+UR5+0x1000], R16
  -:-:0:4  STS.128 [R24+UR5+0x1400], R4
  -:-:0:4  STS.128 [R24+UR5+0x1800], R8
  -:-:0:4  STS.128 [R24+UR5+0x1c00], R12
  -:-:0:1  STS.128 [R24+UR5], R20
  -:-:-:5  @!P0 BRA 0xf0
after:
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y4 IADD3 R3, R3, 0x1, RZ
  -:-:-:2  ISETP.GE.U32.AND P0, PT, R3, 0x2, PT
  0:-:-:y11 CS2R R4, SR_CLOCKLO
  -:-:-:5  @!P0 BRA 0x90
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kRead4 = R"(
first_rounds:
  -:-:-:1  ISETP.GT.U32.AND P0, PT, R16, 0x1, PT
  -:-:-:y12 ULDC UR6, c[0x0][0x228]
  -:-:-:1  @!P0 BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1:1 ISETP.GE.AND P1, PT, R16.reuse, UR6, PT
  -:-:-:1  VIADD R16, R16, 0x1
  -:-:-:y3 @!P0 CS2R R2, SR_CLOCKLO
  -:-:-:1  ULDC.64 UR6, c[0x0][0x220]
  -:-:-:1  BSSY B0, 0x360
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R4, UR6, PT
  -:-:-:y13 ISETP.GE.U32.AND.EX P0, PT, R5, UR7, PT, P0
  -:-:-:5  @P0 BRA 0x350
  -:-:-:1  MOV R14, R4
  -:-:-:1  IMAD.MOV.U32 R15, RZ, RZ, R5
  -:-:-:1  MOV R18, R6
  -:-:-:y7 IMAD.MOV.U32 R19, RZ, RZ, R12
later_rounds:
  -:-:-:1  ISETP.GT.U32.AND P0, PT, R16, 0x1, PT
  -:-:-:y12 ULDC UR6, c[0x0][0x228]
  -:-:-:1  ! @!P0 BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1:1 ISETP.GE.AND P1, PT, R16.reuse, UR6, PT
  -:-:-:1  VIADD R16, R16, 0x1
  -:-:-:y3 ! @!P0 CS2R R2, SR_CLOCKLO
  -:-:-:1  ULDC.64 UR6, c[0x0][0x220]
  -:-:-:1  BSSY B0, 0x360
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R4, UR6, PT
  -:-:-:y13 ISETP.GE.U32.AND.EX P0, PT, R5, UR7, PT, P0
  -:-:-:5  @P0 BRA 0x350
  -:-:-:1  MOV R14, R4
  -:-:-:1  IMAD.MOV.U32 R15, RZ, RZ, R5
  -:-:-:1  MOV R18, R6
  -:-:-:y7 IMAD.MOV.U32 R19, RZ, RZ, R12
loop:
  -:-:-:1  MOV R22, R18
  -:-:-:y4 IMAD.MOV.U32 R23, RZ, RZ, R19
  2:-:-:2:1 IMAD.WIDE.U32 R20, R13.reuse, 0x4, R22
  -:2:-:2  LDG.E@@ R22, desc[UR4][R22.64]
  -:-:-:2:1 IMAD.WIDE.U32 R8, R13.reuse, 0x4, R20
  -:2:-:2  LDG.E@@ R21, desc[UR4][R20.64]
  -:-:-:2:1 IMAD.WIDE.U32 R10, R13.reuse, 0x4, R8
  -:3:-:4  LDG.E@@ R8, desc[UR4][R8.64]
  -:4:-:1  LDG.E@@ R17, desc[UR4][R10.64]
  -:-:-:y3 IMAD.WIDE.U32 R14, R13, 0x10, R14
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R14, UR6, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R15, UR7, PT, P0
  2:-:-:y4 FADD R19, R22, R21
  3:-:-:y4 FADD R24, R8, R19
  4:-:-:1  FADD R17, R17, R24
  -:-:-:y4 IMAD.WIDE.U32 R18, R13, 0x4, R10
  -:-:-:1  FADD R0, R17, R0
  -:-:-:6  @!P0 BRA 0x230
round_end:
  -:-:-:5  BSYNC B0
  -:-:-:5  @!P1 BRA 0x140
after:
  -:-:-:y13 FSETP.NEU.AND P0, PT, R0, 1.2345, PT
  -:1:-:1  ! @!P0 LDC.64 R4, c[0x0][0x238]
  -:-:-:y5 ! @!P0 MOV R9, 0x3f9e0419
  1:-:1:2  ! @!P0 STG.E desc[UR4][R4.64], R9
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  1:-:-:y5 CS2R R8, SR_CLOCKLO
  -:-:-:5 EXIT
)";

inline constexpr const char* kRead8 = R"(
first_rounds:
  -:-:-:1  ISETP.GT.U32.AND P0, PT, R20, 0x1, PT
  -:-:-:y12 ULDC UR6, c[0x0][0x228]
  -:-:-:1  @!P0 BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1:1 ISETP.GE.AND P1, PT, R20.reuse, UR6, PT
  -:-:-:1  VIADD R20, R20, 0x1
  -:-:-:y3 @!P0 CS2R R2, SR_CLOCKLO
  -:-:-:1  ULDC.64 UR6, c[0x0][0x220]
  -:-:-:1  BSSY B0, 0x380
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R4, UR6, PT
  -:-:-:y13 ISETP.GE.U32.AND.EX P0, PT, R5, UR7, PT, P0
  -:-:-:5  @P0 BRA 0x370
  -:-:-:1  MOV R22, R4
  -:-:-:1  IMAD.MOV.U32 R23, RZ, RZ, R5
  -:-:-:1  MOV R6, R16
  -:-:-:y7 IMAD.MOV.U32 R7, RZ, RZ, R18
later_rounds:
  -:-:-:1  ISETP.GT.U32.AND P0, PT, R20, 0x1, PT
  -:-:-:y12 ULDC UR6, c[0x0][0x228]
  -:-:-:1  ! @!P0 BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1:1 ISETP.GE.AND P1, PT, R20.reuse, UR6, PT
  -:-:-:1  VIADD R20, R20, 0x1
  -:-:-:y3 ! @!P0 CS2R R2, SR_CLOCKLO
  -:-:-:1  ULDC.64 UR6, c[0x0][0x220]
  -:-:-:1  BSSY B0, 0x380
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R4, UR6, PT
  -:-:-:y13 ISETP.GE.U32.AND.EX P0, PT, R5, UR7, PT, P0
  -:-:-:5  @P0 BRA 0x370
  -:-:-:1  MOV R22, R4
  -:-:-:1  IMAD.MOV.U32 R23, RZ, RZ, R5
  -:-:-:1  MOV R6, R16
  -:-:-:y7 IMAD.MOV.U32 R7, RZ, RZ, R18
loop:
  2:-:-:2:1 IMAD.WIDE.U32 R8, R19.reuse, 0x8, R6
  -:2:-:2  LDG.E.64@@ R6, desc[UR4][R6.64]
  -:-:-:2:1 IMAD.WIDE.U32 R12, R19.reuse, 0x8, R8
  -:3:-:2  LDG.E.64@@ R8, desc[UR4][R8.64]
  -:-:-:2:1 IMAD.WIDE.U32 R10, R19.reuse, 0x8, R12
  -:4:-:4  LDG.E.64@@ R12, desc[UR4][R12.64]
  -:5:-:1  LDG.E.64@@ R14, desc[UR4][R10.64]
  -:-:-:y3 IMAD.WIDE.U32 R22, R19, 0x20, R22
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R22, UR6, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R23, UR7, PT, P0
  2:-:-:1  FADD R21, R6, R7
  3:-:-:y4 FADD R24, R8, R9
  -:-:-:1  FADD R24, R21, R24
  4:-:-:y4 FADD R21, R12, R13
  -:-:-:1  FADD R21, R21, R24
  5:-:-:y4 FADD R14, R14, R15
  -:-:-:1  FADD R21, R14, R21
  -:-:-:y4 IMAD.WIDE.U32 R6, R19, 0x8, R10
  -:-:-:1  FADD R0, R21, R0
  -:-:-:6  @!P0 BRA 0x230
round_end:
  -:-:-:5  BSYNC B0
  -:-:-:5  @!P1 BRA 0x140
after:
  -:-:-:y13 FSETP.NEU.AND P0, PT, R0, 1.2345, PT
  -:1:-:1  ! @!P0 LDC.64 R4, c[0x0][0x238]
  -:-:-:y5 ! @!P0 MOV R7, 0x3f9e0419
  1:-:1:2  ! @!P0 STG.E desc[UR4][R4.64], R7
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  1:-:-:y5 CS2R R6, SR_CLOCKLO
  -:-:-:5 EXIT
)";

inline constexpr const char* kRead16 = R"(
first_rounds:
  -:-:-:1  ISETP.GT.U32.AND P0, PT, R26, 0x1, PT
  -:-:-:y12 ULDC UR6, c[0x0][0x228]
  -:-:-:1  @!P0 BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:2:1 ISETP.GE.AND P1, PT, R26.reuse, UR6, PT
  -:-:-:2  IADD3 R26, R26, 0x1, RZ
  -:-:-:1  @!P0 CS2R R30, SR_CLOCKLO
  -:-:-:1  ULDC.64 UR6, c[0x0][0x220]
  -:-:-:1  BSSY B0, 0x420
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R22, UR6, PT
  -:-:-:y13 ISETP.GE.U32.AND.EX P0, PT, R23, UR7, PT, P0
  -:-:-:5  @P0 BRA 0x410
  -:-:-:2  MOV R28, R22
  -:-:-:2  MOV R29, R23
  -:-:-:2  MOV R24, R20
  -:-:-:y7 MOV R25, R21
later_rounds:
  -:-:-:1  ISETP.GT.U32.AND P0, PT, R26, 0x1, PT
  -:-:-:y12 ULDC UR6, c[0x0][0x228]
  -:-:-:1  ! @!P0 BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:2:1 ISETP.GE.AND P1, PT, R26.reuse, UR6, PT
  -:-:-:2  IADD3 R26, R26, 0x1, RZ
  -:-:-:1  ! @!P0 CS2R R30, SR_CLOCKLO
  -:-:-:1  ULDC.64 UR6, c[0x0][0x220]
  -:-:-:1  BSSY B0, 0x420
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R22, UR6, PT
  -:-:-:y13 ISETP.GE.U32.AND.EX P0, PT, R23, UR7, PT, P0
  -:-:-:5  @P0 BRA 0x410
  -:-:-:2  MOV R28, R22
  -:-:-:2  MOV R29, R23
  -:-:-:2  MOV R24, R20
  -:-:-:y7 MOV R25, R21
loop:
  -:-:-:2  MOV R32, R24
  -:-:-:y3 MOV R33, R25
  2:-:-:2:1 IMAD.WIDE.U32 R8, R3.reuse, 0x10, R32
  -:2:-:2  LDG.E.128@@ R4, desc[UR4][R32.64]
  -:-:-:2:1 IMAD.WIDE.U32 R12, R3.reuse, 0x10, R8
  -:3:-:2  LDG.E.128@@ R8, desc[UR4][R8.64]
  -:-:-:2:1 IMAD.WIDE.U32 R24, R3.reuse, 0x10, R12
  -:4:-:4  LDG.E.128@@ R12, desc[UR4][R12.64]
  -:5:0:1  LDG.E.128@@ R16, desc[UR4][R24.64]
  -:-:-:y3 IMAD.WIDE.U32 R28, R3, 0x40, R28
  -:-:-:y4 ISETP.GE.U32.AND P0, PT, R28, UR6, PT
  -:-:-:1  ISETP.GE.U32.AND.EX P0, PT, R29, UR7, PT, P0
  0:-:-:y4 IMAD.WIDE.U32 R24, R3, 0x10, R24
  2:-:-:1  FADD R6, R5, R6
  3:-:-:y3 FADD R10, R9, R10
  -:-:-:1  FADD R7, R7, R6
  -:-:-:1  FADD R11, R11, R10
  4:-:-:2  FADD R14, R13, R14
  -:-:-:1  FADD R4, R4, R7
  -:-:-:1  FADD R11, R8, R11
  -:-:-:1  FADD R15, R15, R14
  5:-:-:2  FADD R18, R17, R18
  -:-:-:1  FADD R11, R4, R11
  -:-:-:1  FADD R12, R12, R15
  -:-:-:y3 FADD R19, R19, R18
  -:-:-:1  FADD R11, R12, R11
  -:-:-:y4 FADD R16, R16, R19
  -:-:-:y4 FADD R11, R16, R11
  -:-:-:1  FADD R0, R11, R0
  -:-:-:6  @!P0 BRA 0x230
round_end:
  -:-:-:5  BSYNC B0
  -:-:-:5  @!P1 BRA 0x140
after:
  -:-:-:y13 FSETP.NEU.AND P0, PT, R0, 1.2345, PT
  -:1:-:1  ! @!P0 LDC.64 R4, c[0x0][0x238]
  2:-:-:y5 ! @!P0 MOV R3, 0x3f9e0419
  1:-:1:2  ! @!P0 STG.E desc[UR4][R4.64], R3
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  1:-:-:y5 CS2R R4, SR_CLOCKLO
  -:-:-:5 EXIT
)";

}  // namespace warpsim::microbench
