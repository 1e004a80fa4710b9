// Programs of the memory latency probes: the instructions between the clock reads of the measured
// kernels, with their control bits (microbench/memory_probe.h describes the format of lines).
//
// A path takes or repeats whole sections. Prologues are omitted if a first round, or the minimum of
// several times, hides their effect on caches. Addresses come from the probe's path functions.
#pragma once

namespace warpsim::microbench {

inline constexpr const char* kL1Wide = R"(
before:
  -:-:-:1  CS2R R2, SR_CLOCKLO
  0:0:-:1  LDC R18, c[0x0][0x220]
  -:-:-:y5 VIADD R4, R4, 0x1
  -:-:-:2  ISETP.GE.U32.AND P1, PT, R4, 0x4, PT
  0:-:-:y13 ISETP.GE.AND P0, PT, R18, 0x1, PT
  5:-:-:5  @!P0 BRA 0x220
  -:-:-:y5 UMOV UR4, URZ
loop:
  5:2:-:4  LDG.E.64@@ R6, desc[UR6][R6.64]
  2:2:-:4  LDG.E.64@@ R8, desc[UR6][R6.64]
  2:2:-:4  LDG.E.64@@ R8, desc[UR6][R8.64]
  2:2:-:4  LDG.E.64@@ R10, desc[UR6][R8.64]
  2:2:-:4  LDG.E.64@@ R10, desc[UR6][R10.64]
  2:2:-:4  LDG.E.64@@ R12, desc[UR6][R10.64]
  2:2:-:4  LDG.E.64@@ R12, desc[UR6][R12.64]
  2:2:-:4  LDG.E.64@@ R14, desc[UR6][R12.64]
  2:2:-:4  LDG.E.64@@ R14, desc[UR6][R14.64]
  2:2:-:4  LDG.E.64@@ R16, desc[UR6][R14.64]
  2:2:-:4  LDG.E.64@@ R16, desc[UR6][R16.64]
  2:2:-:4  LDG.E.64@@ R20, desc[UR6][R16.64]
  2:2:-:4  LDG.E.64@@ R20, desc[UR6][R20.64]
  02:2:-:1 LDG.E.64@@ R22, desc[UR6][R20.64]
  -:-:-:y6 UIADD3 UR4, UR4, 0x10, URZ
  -:-:-:1  ISETP.LE.AND P0, PT, R18, UR4, PT
  2:2:-:4  LDG.E.64@@ R22, desc[UR6][R22.64]
  2:5:0:8  LDG.E.64@@ R6, desc[UR6][R22.64]
  -:-:-:5  @!P0 BRA 0xf0
after:
  -:-:-:y6 CS2R R8, SR_CLOCKLO
  -:-:-:y5 IADD3 R11, P0, -R2, R8, RZ
  -:-:-:1  IMAD.X R2, R9, 0x1, ~R3, P0
  -:-:-:y4 ISETP.LT.U32.AND P0, PT, R0, R11, PT
  -:-:-:y4 ISETP.LT.AND.EX P0, PT, R5, R2, PT, P0
  -:-:-:2  SEL R0, R0, R11, P0
  -:-:-:1  SEL R5, R5, R2, P0
  -:-:-:6  @!P1 BRA 0x80
end:
  5:-:-:5 EXIT
)";

inline constexpr const char* kL1With64BitAddition = R"(
before:
  -:-:-:1  CS2R R4, SR_CLOCKLO
  -:0:-:1  LDC R18, c[0x0][0x220]
  -:-:-:y5 VIADD R2, R2, 0x1
  -:-:-:2  ISETP.GE.U32.AND P1, PT, R2, 0x4, PT
  0:-:-:y13 ISETP.GE.AND P0, PT, R18, 0x1, PT
  -:-:-:5  @!P0 BRA 0x440
  -:-:-:y5 UMOV UR4, URZ
loop:
  -:-:-:1  IMAD.MOV.U32 R9, RZ, RZ, R11
  -:0:-:5  LDC.64 R6, c[0x0][0x210]
  -:0:-:2  LDG.E.STRONG.SM R9, desc[UR6][R8.64]
  0:-:-:y5 IADD3 R10, P0, R9, R6, RZ
  -:-:-:y6 IMAD.X R11, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R11, desc[UR6][R10.64]
  2:-:-:y5 IADD3 R12, P0, R11, R6, RZ
  -:-:-:y6 IMAD.X R13, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R13, desc[UR6][R12.64]
  2:-:-:y5 IADD3 R14, P0, R13, R6, RZ
  -:-:-:y6 IMAD.X R15, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R15, desc[UR6][R14.64]
  2:-:-:y5 IADD3 R8, P0, R15, R6, RZ
  -:-:-:y6 IMAD.X R9, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R9, desc[UR6][R8.64]
  2:-:-:y5 IADD3 R16, P0, R9, R6, RZ
  -:-:-:y6 IMAD.X R17, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R17, desc[UR6][R16.64]
  2:-:-:y5 IADD3 R10, P0, R17, R6, RZ
  -:-:-:y6 IMAD.X R11, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R11, desc[UR6][R10.64]
  2:-:-:y4 IADD3 R12, P0, R11, R6, RZ
  -:-:-:y6 IADD3.X R13, RZ, R7, RZ, P0, !PT
  -:2:-:2  LDG.E.STRONG.SM R13, desc[UR6][R12.64]
  2:-:-:y5 IADD3 R14, P0, R13, R6, RZ
  -:-:-:y6 IMAD.X R15, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R15, desc[UR6][R14.64]
  2:-:-:y5 IADD3 R8, P0, R15, R6, RZ
  -:-:-:y6 IMAD.X R9, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R9, desc[UR6][R8.64]
  2:-:-:y5 IADD3 R16, P0, R9, R6, RZ
  -:-:-:y6 IMAD.X R17, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R17, desc[UR6][R16.64]
  2:-:-:y5 IADD3 R10, P0, R17, R6, RZ
  -:-:-:y6 IMAD.X R11, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R11, desc[UR6][R10.64]
  2:-:-:y5 IADD3 R12, P0, R11, R6, RZ
  -:-:-:y6 IMAD.X R13, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R13, desc[UR6][R12.64]
  2:-:-:y5 IADD3 R14, P0, R13, R6, RZ
  -:-:-:y6 IMAD.X R15, RZ, RZ, R7, P0
  -:2:-:2  LDG.E.STRONG.SM R15, desc[UR6][R14.64]
  2:-:-:y5 IADD3 R8, P0, R15, R6, RZ
  -:-:-:y6 IMAD.X R9, RZ, RZ, R7, P0
  -:2:-:1  LDG.E.STRONG.SM R9, desc[UR6][R8.64]
  -:-:-:1  UIADD3 UR4, UR4, 0x10, URZ
  2:-:-:y4 IADD3 R16, P0, R9, R6, RZ
  -:-:-:y6 IADD3.X R17, RZ, R7, RZ, P0, !PT
  -:2:-:1  LDG.E.STRONG.SM R17, desc[UR6][R16.64]
  -:-:-:2  ISETP.LE.AND P0, PT, R18, UR4, PT
  2:-:-:y5 IADD3 R8, P2, R17, R6, RZ
  -:-:-:y6 IMAD.X R11, RZ, RZ, R7, P2
  -:-:-:5  @!P0 BRA 0xf0
after:
  -:-:-:y6 CS2R R6, SR_CLOCKLO
  -:-:-:y5 IADD3 R9, P0, -R4, R6, RZ
  -:-:-:1  IMAD.X R4, R7, 0x1, ~R5, P0
  -:-:-:y4 ISETP.LT.U32.AND P0, PT, R0, R9, PT
  -:-:-:y4 ISETP.LT.AND.EX P0, PT, R3, R4, PT, P0
  -:-:-:2  SEL R0, R0, R9, P0
  -:-:-:1  SEL R3, R3, R4, P0
  -:-:-:6  @!P1 BRA 0x80
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kL1Of16Bytes = R"(
before:
  -:-:-:1  CS2R R40, SR_CLOCKLO
  -:0:-:1  LDC R0, c[0x0][0x220]
  -:-:-:y5 VIADD R36, R36, 0x1
  -:-:-:2  ISETP.GE.U32.AND P1, PT, R36, 0x4, PT
  0:-:-:y13 ISETP.GE.AND P0, PT, R0, 0x1, PT
  -:-:-:5  @!P0 BRA 0x350
  -:-:-:y5 UMOV UR4, URZ
loop:
  -:2:-:4  LDG.E.128.STRONG.SM R32, desc[UR6][R42.64]
  2:2:-:4  LDG.E.128.STRONG.SM R28, desc[UR6][R32.64]
  2:2:-:4  LDG.E.128.STRONG.SM R8, desc[UR6][R28.64]
  2:2:-:4  LDG.E.128.STRONG.SM R4, desc[UR6][R8.64]
  2:2:-:4  LDG.E.128.STRONG.SM R16, desc[UR6][R4.64]
  2:2:-:4  LDG.E.128.STRONG.SM R12, desc[UR6][R16.64]
  2:2:-:1  LDG.E.128.STRONG.SM R24, desc[UR6][R12.64]
  -:-:-:y3 LOP3.LUT R37, R30, R34, R37, 0x96, !PT
  2:2:-:1  LDG.E.128.STRONG.SM R20, desc[UR6][R24.64]
  -:-:-:y3 LOP3.LUT R38, R31, R35, R38, 0x96, !PT
  2:2:-:1  LDG.E.128.STRONG.SM R32, desc[UR6][R20.64]
  -:-:-:y3 LOP3.LUT R37, R6, R10, R37, 0x96, !PT
  2:2:-:1  LDG.E.128.STRONG.SM R28, desc[UR6][R32.64]
  -:-:-:y3 LOP3.LUT R38, R7, R11, R38, 0x96, !PT
  2:2:-:1  LDG.E.128.STRONG.SM R4, desc[UR6][R28.64]
  -:-:-:y3 LOP3.LUT R37, R14, R18, R37, 0x96, !PT
  2:2:-:1  LDG.E.128.STRONG.SM R8, desc[UR6][R4.64]
  -:-:-:y3 LOP3.LUT R38, R15, R19, R38, 0x96, !PT
  2:2:-:1  LDG.E.128.STRONG.SM R12, desc[UR6][R8.64]
  -:-:-:y3 LOP3.LUT R37, R22, R26, R37, 0x96, !PT
  2:2:-:1  LDG.E.128.STRONG.SM R16, desc[UR6][R12.64]
  -:-:-:y3 LOP3.LUT R39, R23, R27, R38, 0x96, !PT
  2:2:-:1  LDG.E.128.STRONG.SM R20, desc[UR6][R16.64]
  -:-:-:1  UIADD3 UR4, UR4, 0x10, URZ
  -:-:-:2  LOP3.LUT R37, R30, R34, R37, 0x96, !PT
  -:-:-:y3 LOP3.LUT R39, R31, R35, R39, 0x96, !PT
  -:-:-:1  ISETP.LE.AND P0, PT, R0, UR4, PT
  2:2:-:1  LDG.E.128.STRONG.SM R24, desc[UR6][R20.64]
  -:-:-:2  LOP3.LUT R37, R10, R6, R37, 0x96, !PT
  -:-:-:2  LOP3.LUT R7, R11, R7, R39, 0x96, !PT
  -:-:-:2  LOP3.LUT R37, R18, R14, R37, 0x96, !PT
  -:-:-:2  LOP3.LUT R15, R19, R15, R7, 0x96, !PT
  2:-:-:1  LOP3.LUT R37, R26, R22, R37, 0x96, !PT
  -:-:-:1  IMAD.MOV.U32 R42, RZ, RZ, R24
  -:-:-:1  LOP3.LUT R38, R27, R23, R15, 0x96, !PT
  -:-:-:1  IMAD.MOV.U32 R43, RZ, RZ, R25
  -:-:-:6  @!P0 BRA 0x100
after:
  -:-:-:y6 CS2R R4, SR_CLOCKLO
  -:-:-:y5 IADD3 R0, P0, -R40, R4, RZ
  -:-:-:1  IMAD.X R5, R5, 0x1, ~R41, P0
  -:-:-:y4 ISETP.LT.U32.AND P0, PT, R3, R0, PT
  -:-:-:y4 ISETP.LT.AND.EX P0, PT, R2, R5, PT, P0
  -:-:-:2  SEL R3, R3, R0, P0
  -:-:-:1  SEL R2, R2, R5, P0
  -:-:-:6  @!P1 BRA 0x90
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kShared4 = R"(
before:
  -:-:-:1  CS2R R2, SR_CLOCKLO
  1:1:-:1  LDC R15, c[0x0][0x21c]
  -:-:-:y5 VIADD R6, R6, 0x1
  -:-:-:2  ISETP.GE.U32.AND P1, PT, R6, 0x4, PT
  1:-:-:y13 ISETP.GE.AND P0, PT, R15, 0x1, PT
  2:-:-:5  @!P0 BRA 0x260
  -:-:-:y5 UMOV UR4, URZ
loop:
  02:0:-:1 LDS R0, [R0]
  -:-:-:y6 UIADD3 UR4, UR4, 0x10, URZ
  -:-:-:1  ISETP.LE.AND P0, PT, R15, UR4, PT
  0:0:-:4  LDS R4, [R0]
  0:0:-:4  LDS R4, [R4]
  0:0:-:4  LDS R5, [R4]
  0:0:-:4  LDS R5, [R5]
  0:0:-:4  LDS R7, [R5]
  0:0:-:4  LDS R7, [R7]
  0:0:-:4  LDS R8, [R7]
  0:0:-:4  LDS R8, [R8]
  0:0:-:4  LDS R9, [R8]
  0:0:-:4  LDS R9, [R9]
  0:0:-:4  LDS R10, [R9]
  0:0:-:4  LDS R10, [R10]
  01:0:-:4 LDS R11, [R10]
  0:0:-:4  LDS R11, [R11]
  0:2:1:1  LDS R0, [R11]
  -:-:-:5  @!P0 BRA 0x130
after:
  -:-:-:y6 CS2R R4, SR_CLOCKLO
  -:-:-:y5 IADD3 R2, P0, -R2, R4, RZ
  -:-:-:1  IMAD.X R3, R5, 0x1, ~R3, P0
  -:-:-:y4 ISETP.LT.U32.AND P0, PT, R13, R2, PT
  -:-:-:y4 ISETP.LT.AND.EX P0, PT, R14, R3, PT, P0
  -:-:-:2  SEL R13, R13, R2, P0
  -:-:-:1  SEL R14, R14, R3, P0
  -:-:-:6  @!P1 BRA 0xc0
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kShared8 = R"(
before:
  -:-:-:1  CS2R R40, SR_CLOCKLO
  -:1:-:1  LDC R0, c[0x0][0x21c]
  -:-:-:y5 VIADD R37, R37, 0x1
  -:-:-:2  ISETP.GE.U32.AND P1, PT, R37, 0x4, PT
  1:-:-:y13 ISETP.GE.AND P0, PT, R0, 0x1, PT
  -:-:-:5  @!P0 BRA 0x300
  -:-:-:y5 UMOV UR4, URZ
loop:
  -:1:-:1  LDS.64 R30, [R32]
  -:-:-:y6 UIADD3 UR4, UR4, 0x10, URZ
  -:-:-:1  ISETP.LE.AND P0, PT, R0, UR4, PT
  1:1:-:4  LDS.64 R2, [R30]
  1:1:-:1  LDS.64 R4, [R2]
  -:-:-:y3 LOP3.LUT R38, R3, R31, R38, 0x96, !PT
  1:1:-:4  LDS.64 R6, [R4]
  1:1:-:1  LDS.64 R8, [R6]
  -:-:-:y3 LOP3.LUT R38, R7, R5, R38, 0x96, !PT
  1:1:-:4  LDS.64 R10, [R8]
  1:1:-:1  LDS.64 R12, [R10]
  -:-:-:y3 LOP3.LUT R38, R11, R9, R38, 0x96, !PT
  1:1:-:4  LDS.64 R14, [R12]
  1:1:-:1  LDS.64 R16, [R14]
  -:-:-:y3 LOP3.LUT R38, R15, R13, R38, 0x96, !PT
  1:1:-:4  LDS.64 R18, [R16]
  1:1:-:1  LDS.64 R20, [R18]
  -:-:-:y3 LOP3.LUT R38, R19, R17, R38, 0x96, !PT
  1:1:-:4  LDS.64 R22, [R20]
  1:1:-:1  LDS.64 R24, [R22]
  -:-:-:y3 LOP3.LUT R38, R23, R21, R38, 0x96, !PT
  1:1:-:4  LDS.64 R26, [R24]
  1:0:-:1  LDS.64 R28, [R26]
  -:-:-:y3 LOP3.LUT R38, R27, R25, R38, 0x96, !PT
  0:0:-:2  LDS.64 R32, [R28]
  0:-:-:1  LOP3.LUT R38, R33, R29, R38, 0x96, !PT
  -:-:-:6  @!P0 BRA 0x150
after:
  -:-:-:y6 CS2R R2, SR_CLOCKLO
  -:-:-:y5 IADD3 R5, P0, -R40, R2, RZ
  -:-:-:1  IMAD.X R2, R3, 0x1, ~R41, P0
  -:-:-:y4 ISETP.LT.U32.AND P0, PT, R34, R5, PT
  -:-:-:y4 ISETP.LT.AND.EX P0, PT, R35, R2, PT, P0
  -:-:-:2  SEL R34, R34, R5, P0
  -:-:-:1  SEL R35, R35, R2, P0
  -:-:-:6  @!P1 BRA 0xe0
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kShared16 = R"(
before:
  -:-:-:1  CS2R R30, SR_CLOCKLO
  -:1:-:1  LDC R0, c[0x0][0x21c]
  -:-:-:y5 VIADD R29, R29, 0x1
  -:-:-:2  ISETP.GE.U32.AND P1, PT, R29, 0x4, PT
  1:-:-:y13 ISETP.GE.AND P0, PT, R0, 0x1, PT
  -:-:-:5  @!P0 BRA 0x400
  -:-:-:y5 UMOV UR4, URZ
loop:
  -:1:-:1  LDS.128 R12, [R4]
  -:-:-:y6 UIADD3 UR4, UR4, 0x10, URZ
  -:-:-:1  ISETP.LE.AND P0, PT, R0, UR4, PT
  1:1:-:1  LDS.128 R16, [R12]
  -:-:-:y3 LOP3.LUT R13, R13, R14, R9, 0x96, !PT
  1:0:-:1  LDS.128 R20, [R16]
  -:-:-:y4 LOP3.LUT R18, R18, R13, R15, 0x96, !PT
  -:-:-:1  LOP3.LUT R17, R19, R18, R17, 0x96, !PT
  0:0:-:3  LDS.128 R4, [R20]
  -:-:-:1  LOP3.LUT R21, R21, R22, R17, 0x96, !PT
  0:0:-:3  LDS.128 R24, [R4]
  -:-:-:y4 LOP3.LUT R6, R6, R21, R23, 0x96, !PT
  -:-:-:1  LOP3.LUT R5, R7, R6, R5, 0x96, !PT
  0:0:-:3  LDS.128 R8, [R24]
  -:-:-:1  LOP3.LUT R25, R25, R26, R5, 0x96, !PT
  0:0:-:3  LDS.128 R12, [R8]
  -:-:-:y4 LOP3.LUT R10, R10, R25, R27, 0x96, !PT
  -:-:-:1  LOP3.LUT R9, R11, R10, R9, 0x96, !PT
  0:0:-:3  LDS.128 R16, [R12]
  -:-:-:1  LOP3.LUT R13, R13, R14, R9, 0x96, !PT
  0:0:-:3  LDS.128 R20, [R16]
  -:-:-:y4 LOP3.LUT R18, R18, R13, R15, 0x96, !PT
  -:-:-:1  LOP3.LUT R17, R19, R18, R17, 0x96, !PT
  0:0:-:3  LDS.128 R4, [R20]
  -:-:-:1  LOP3.LUT R21, R21, R22, R17, 0x96, !PT
  0:0:-:3  LDS.128 R24, [R4]
  -:-:-:y4 LOP3.LUT R6, R6, R21, R23, 0x96, !PT
  -:-:-:1  LOP3.LUT R5, R7, R6, R5, 0x96, !PT
  0:0:-:3  LDS.128 R8, [R24]
  -:-:-:1  LOP3.LUT R25, R25, R26, R5, 0x96, !PT
  0:0:-:3  LDS.128 R12, [R8]
  -:-:-:y4 LOP3.LUT R10, R10, R25, R27, 0x96, !PT
  -:-:-:1  LOP3.LUT R9, R11, R10, R9, 0x96, !PT
  0:0:-:3  LDS.128 R16, [R12]
  -:-:-:1  LOP3.LUT R9, R13, R14, R9, 0x96, !PT
  0:0:-:3  LDS.128 R20, [R16]
  -:-:-:y4 LOP3.LUT R18, R18, R9, R15, 0x96, !PT
  -:-:-:1  LOP3.LUT R17, R19, R18, R17, 0x96, !PT
  0:0:-:3  LDS.128 R4, [R20]
  -:-:-:y4 LOP3.LUT R17, R21, R22, R17, 0x96, !PT
  0:-:-:y4 LOP3.LUT R6, R6, R17, R23, 0x96, !PT
  -:-:-:1  LOP3.LUT R9, R7, R6, R5, 0x96, !PT
  -:-:-:6  @!P0 BRA 0x150
after:
  -:-:-:y6 CS2R R6, SR_CLOCKLO
  -:-:-:y5 IADD3 R0, P0, -R30, R6, RZ
  -:-:-:1  IMAD.X R7, R7, 0x1, ~R31, P0
  -:-:-:y4 ISETP.LT.U32.AND P0, PT, R3, R0, PT
  -:-:-:y4 ISETP.LT.AND.EX P0, PT, R2, R7, PT, P0
  -:-:-:2  SEL R3, R3, R0, P0
  -:-:-:1  SEL R2, R2, R7, P0
  -:-:-:6  @!P1 BRA 0xe0
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kL2Lines = R"(
line:
  -:2:-:4  LDG.E.64.STRONG.GPU R6, desc[UR10][R6.64]
  2:2:1:2  LDG.E.64.STRONG.GPU R8, desc[UR10][R6.64]
  1:-:-:y2 CS2R R6, SR_CLOCKLO
  2:2:-:4  LDG.E.64.STRONG.GPU R8, desc[UR10][R8.64]
  2:2:-:4  LDG.E.64.STRONG.GPU R10, desc[UR10][R8.64]
  2:2:-:4  LDG.E.64.STRONG.GPU R10, desc[UR10][R10.64]
  2:2:-:4  LDG.E.64.STRONG.GPU R12, desc[UR10][R10.64]
  2:2:-:4  LDG.E.64.STRONG.GPU R12, desc[UR10][R12.64]
  2:2:-:4  LDG.E.64.STRONG.GPU R14, desc[UR10][R12.64]
  2:2:-:4  LDG.E.64.STRONG.GPU R14, desc[UR10][R14.64]
  2:2:-:4  LDG.E.64.STRONG.GPU R16, desc[UR10][R14.64]
  2:2:-:1  LDG.E.STRONG.GPU R16, desc[UR10][R16.64]
  -:-:-:y6 CS2R R8, SR_CLOCKLO
  -:-:-:1  IADD3 R10, P0, -R6, R8, RZ
  -:-:-:2 LOP3.LUT R12, R16, 0x1, RZ, 0xc0, !PT
  -:-:-:8 I2F.U64 R13, R12
  -:0:-:2 I2F.S64 R10, R10
  0:-:-:y5 FFMA R3, R10, 0.125, R13
  -:-:0:4 STG.E desc[UR10][R4.64], R3
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kCount = R"(
work:
  -:-:-:1 NOP
end:
  -:-:-:5 EXIT
)";

}  // namespace warpsim::microbench
