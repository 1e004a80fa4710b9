// Programs of the outstanding misses probes: the instructions between the clock reads of the measured
// kernels, with their control bits (microbench/memory_probe.h describes the format of lines).
//
// A path takes or repeats whole sections. Prologues are omitted if a first round, or the minimum of
// several times, hides their effect on caches. Addresses come from the probe's path functions.
#pragma once

namespace warpsim::microbench {

inline constexpr const char* kLoads32 = R"(
all:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:0:-:1  S2R R7, SR_TID.X
  -:-:-:2  ULDC UR5, c[0x0][0x220]
  -:-:-:1  USHF.R.S32.HI UR4, URZ, 0x1f, UR5
  0:-:-:2:1 LOP3.LUT R2, R7.reuse, 0x1f, RZ, 0xc0, !PT
  -:-:-:y3 LOP3.LUT R7, R7, 0xffffffe0, RZ, 0xc0, !PT
  -:-:-:2:1 IMAD R5, R2.reuse, UR4, RZ
  -:-:-:1  IMAD.WIDE.U32 R2, R2, UR5, RZ
  -:-:-:y3 ULDC.64 UR4, c[0x0][0x208]
  -:-:-:1  IMAD.IADD R5, R3, 0x1, R5
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1  CS2R R14, SR_CLOCKLO
  -:-:-:y4 IMAD.MOV.U32 R4, RZ, RZ, R2
  -:-:-:1  ULDC.64 UR6, c[0x0][0x218]
  -:-:-:1  ULDC.64 UR8, c[0x0][0x210]
  -:-:-:y4 IMAD.WIDE.U32 R2, R7, UR6, R4
  -:-:-:1  IMAD R7, R7, UR7, R3
  -:-:-:y4 IADD3 R2, P0, R2, UR8, RZ
  -:-:-:2  IADD3.X R3, R7, UR9, RZ, P0, !PT
  -:-:-:y3 IADD3 R4, P0, R2, UR6, RZ
  -:2:0:1  LDG.E@@ R21, desc[UR4][R2.64]
  -:-:-:2  IADD3.X R5, R3, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R10, P0, R4, UR6, RZ
  -:3:-:1  LDG.E@@ R22, desc[UR4][R4.64]
  -:-:-:2  IADD3.X R11, R5, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R12, P0, R10, UR6, RZ
  -:4:-:1  LDG.E@@ R10, desc[UR4][R10.64]
  -:-:-:2  IADD3.X R13, R11, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R16, P0, R12, UR6, RZ
  -:5:1:1  LDG.E@@ R9, desc[UR4][R12.64]
  -:-:-:2  IADD3.X R17, R13, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R18, P0, R16, UR6, RZ
  -:5:-:1  LDG.E@@ R8, desc[UR4][R16.64]
  -:-:-:2  IADD3.X R19, R17, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R24, P0, R18, UR6, RZ
  -:5:1:1  LDG.E@@ R7, desc[UR4][R18.64]
  -:-:-:2  IADD3.X R25, R19, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R26, P0, R24, UR6, RZ
  -:5:-:1  LDG.E@@ R6, desc[UR4][R24.64]
  -:-:-:2  IADD3.X R27, R25, UR7, RZ, P0, !PT
  0:-:-:y3 IADD3 R2, P0, R26, UR6, RZ
  -:5:-:1  LDG.E@@ R5, desc[UR4][R26.64]
  -:-:-:2  IADD3.X R3, R27, UR7, RZ, P0, !PT
  1:-:-:y3 IADD3 R12, P0, R2, UR6, RZ
  -:5:-:1  LDG.E@@ R4, desc[UR4][R2.64]
  -:-:-:2  IADD3.X R13, R3, UR7, RZ, P0, !PT
  -:-:-:y4 IADD3 R18, P0, R12, UR6, RZ
  -:-:-:1  IADD3.X R19, R13, UR7, RZ, P0, !PT
  -:5:0:4  LDG.E@@ R3, desc[UR4][R12.64]
  -:5:-:1  LDG.E@@ R2, desc[UR4][R18.64]
  0:-:-:y4 IADD3 R12, P0, R18, UR6, RZ
  -:-:-:2  IADD3.X R13, R19, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R28, P0, R12, UR6, RZ
  -:5:0:1  LDG.E@@ R0, desc[UR4][R12.64]
  -:-:-:2  IADD3.X R29, R13, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R26, P0, R28, UR6, RZ
  -:5:-:1  LDG.E@@ R28, desc[UR4][R28.64]
  -:-:-:2  IADD3.X R27, R29, UR7, RZ, P0, !PT
  -:-:-:y4 IADD3 R16, P0, R26, UR6, RZ
  -:-:-:2  IADD3.X R17, R27, UR7, RZ, P0, !PT
  -:-:-:1  IADD3 R24, P0, R16, UR6, RZ
  -:5:-:3  LDG.E@@ R27, desc[UR4][R26.64]
  -:-:-:2  IADD3.X R25, R17, UR7, RZ, P0, !PT
  0:-:-:y4 IADD3 R12, P0, R24, UR6, RZ
  -:-:-:1  IADD3.X R13, R25, UR7, RZ, P0, !PT
  -:5:0:1  LDG.E@@ R26, desc[UR4][R16.64]
  -:-:-:y3 IADD3 R18, P0, R12, UR6, RZ
  -:5:-:1  LDG.E@@ R25, desc[UR4][R24.64]
  -:-:-:2  IADD3.X R19, R13, UR7, RZ, P0, !PT
  0:-:-:y3 IADD3 R16, P0, R18, UR6, RZ
  -:5:-:1  LDG.E@@ R11, desc[UR4][R18.64]
  -:-:-:y3 IADD3.X R17, R19, UR7, RZ, P0, !PT
  -:5:0:2  LDG.E@@ R24, desc[UR4][R12.64]
  0:-:-:2  IADD3 R12, P0, R16, UR6, RZ
  -:5:-:2  LDG.E@@ R16, desc[UR4][R16.64]
  -:-:-:2  IADD3.X R13, R17, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R18, P0, R12, UR6, RZ
  -:5:3:1  LDG.E@@ R12, desc[UR4][R12.64]
  -:-:-:2  IADD3.X R19, R13, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R20, P0, R18, UR6, RZ
  -:5:0:1  LDG.E@@ R29, desc[UR4][R18.64]
  2:-:-:1  FADD R23, RZ, R21
  -:-:-:y3 IADD3.X R21, R19, UR7, RZ, P0, !PT
  3:-:-:1  FADD R13, R22, R23
  -:-:-:2  IADD3 R22, P0, R20, UR6, RZ
  -:2:-:2  LDG.E@@ R20, desc[UR4][R20.64]
  -:-:-:2  IADD3.X R23, R21, UR7, RZ, P0, !PT
  0:-:-:1  IADD3 R18, P0, R22, UR6, RZ
  4:-:-:2  FADD R17, R10, R13
  -:3:0:1  LDG.E@@ R10, desc[UR4][R22.64]
  -:-:-:1  IADD3.X R19, R23, UR7, RZ, P0, !PT
  5:-:-:y4 FADD R9, R9, R17
  -:4:1:1  LDG.E@@ R13, desc[UR4][R18.64]
  0:-:-:y4 IADD3 R22, P0, R18, UR6, RZ
  -:-:-:1  IADD3.X R23, R19, UR7, RZ, P0, !PT
  1:-:-:1  FADD R18, R8, R9
  -:-:-:y3 IADD3 R8, P0, R22, UR6, RZ
  -:5:0:1  LDG.E@@ R17, desc[UR4][R22.64]
  -:-:-:1  FADD R7, R7, R18
  -:-:-:2  IADD3.X R9, R23, UR7, RZ, P0, !PT
  -:-:-:1  IADD3 R18, P0, R8, UR6, RZ
  -:-:-:2  FADD R21, R6, R7
  -:5:-:1  LDG.E@@ R8, desc[UR4][R8.64]
  -:-:-:2  IADD3.X R19, R9, UR7, RZ, P0, !PT
  -:-:-:1  IADD3 R6, P0, R18, UR6, RZ
  -:-:-:y2 FADD R5, R5, R21
  -:5:1:1  LDG.E@@ R18, desc[UR4][R18.64]
  -:-:-:2  IADD3.X R7, R19, UR7, RZ, P0, !PT
  0:-:-:1  IADD3 R22, P0, R6, UR6, RZ
  -:-:-:2  FADD R21, R4, R5
  -:5:-:1  LDG.E@@ R6, desc[UR4][R6.64]
  -:-:-:2  IADD3.X R23, R7, UR7, RZ, P0, !PT
  -:-:-:1  IADD3 R4, P0, R22, UR6, RZ
  -:-:-:y2 FADD R3, R3, R21
  -:5:0:1  LDG.E@@ R9, desc[UR4][R22.64]
  -:-:-:1  IADD3.X R5, R23, UR7, RZ, P0, !PT
  1:-:-:1  FADD R19, R2, R3
  0:-:-:y3 IADD3 R22, P0, R4, UR6, RZ
  -:5:-:1  LDG.E@@ R4, desc[UR4][R4.64]
  -:-:-:2  IADD3.X R23, R5, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R2, P0, R22, UR6, RZ
  -:5:-:1  LDG.E@@ R7, desc[UR4][R22.64]
  -:-:-:y5 IADD3.X R3, R23, UR7, RZ, P0, !PT
  -:5:-:1  LDG.E@@ R2, desc[UR4][R2.64]
  -:-:-:y4 FADD R19, R0, R19
  -:-:-:y4 FADD R28, R28, R19
  -:-:-:y4 FADD R27, R27, R28
  -:-:-:y4 FADD R26, R26, R27
  -:-:-:y4 FADD R25, R25, R26
  -:-:-:y4 FADD R24, R24, R25
  -:-:-:y4 FADD R11, R11, R24
  -:-:-:y4 FADD R11, R16, R11
  -:-:-:y4 FADD R12, R12, R11
  -:-:-:1  FADD R29, R29, R12
  -:0:-:3  S2R R0, SR_TID.X
  2:-:-:y4 FADD R29, R20, R29
  3:-:-:y4 FADD R10, R10, R29
  4:-:-:y4 FADD R10, R13, R10
  5:-:-:y4 FADD R17, R17, R10
  -:-:-:y4 FADD R17, R8, R17
  -:-:-:y4 FADD R17, R18, R17
  -:-:-:y4 FADD R6, R6, R17
  -:-:-:y4 FADD R9, R9, R6
  -:-:-:y4 FADD R4, R4, R9
  -:-:-:y4 FADD R7, R7, R4
  -:-:-:y5 FADD R2, R2, R7
  -:-:-:y13 FSETP.NEU.AND P0, PT, R2, 1.2345, PT
  -:1:-:1  ! @!P0 LDC.64 R2, c[0x0][0x230]
  -:-:-:1  ! @!P0 IMAD.MOV.U32 R5, RZ, RZ, 0x3f9e0419
  0:-:-:y4 LOP3.LUT R6, R0, 0x1f, RZ, 0xc0, !PT
  1:-:0:2  ! @!P0 STG.E desc[UR4][R2.64], R5
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  0:-:-:2  CS2R R4, SR_CLOCKLO
  -:-:-:5 EXIT
)";

}  // namespace warpsim::microbench
