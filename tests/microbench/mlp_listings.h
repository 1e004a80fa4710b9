// Programs of the outstanding misses probes: the instructions between the clock reads of the measured
// kernels, with their control bits (microbench/memory_probe.h describes the format of lines).
//
// A path takes or repeats whole sections. Prologues are omitted if a first round, or the minimum of
// several times, hides their effect on caches. Addresses come from the probe's path functions.
#pragma once

namespace warpsim::microbench {

inline constexpr const char* kLoads1 = R"(
all:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:0:-:1  S2R R11, SR_TID.X
  -:-:-:1  ULDC.64 UR6, c[0x0][0x218]
  -:-:-:2  ULDC UR5, c[0x0][0x220]
  -:-:-:1  USHF.R.S32.HI UR4, URZ, 0x1f, UR5
  0:-:-:2  SHF.R.U32.HI R9, RZ, 0x5, R11
  -:-:-:y3 LOP3.LUT R11, R11, 0x1f, RZ, 0xc0, !PT
  -:-:-:y4 IMAD.WIDE.U32 R2, R9, UR6, RZ
  -:-:-:2  IMAD R3, R9, UR7, R3
  -:-:-:2:1 IMAD R7, R11.reuse, UR4, RZ
  -:-:-:1  IMAD.WIDE.U32 R2, R11, UR5, R2
  -:-:-:1  ULDC.64 UR4, c[0x0][0x208]
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y5 CS2R R4, SR_CLOCKLO
  -:-:-:2  ULDC.64 UR6, c[0x0][0x210]
  -:-:-:y4 IADD3 R6, P0, R2, UR6, RZ
  -:-:-:y5 IADD3.X R7, R3, UR7, R7, P0, !PT
  -:2:-:2  LDG.E@@ R6, desc[UR4][R6.64]
  2:-:-:y5 FADD R0, RZ, R6
  -:-:-:y13 FSETP.NEU.AND P0, PT, R0, 1.2345, PT
  -:0:-:1  ! @!P0 LDC.64 R2, c[0x0][0x230]
  -:-:-:y5 ! @!P0 IMAD.MOV.U32 R13, RZ, RZ, 0x3f9e0419
  0:-:0:2  ! @!P0 STG.E desc[UR4][R2.64], R13
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:2  CS2R R6, SR_CLOCKLO
  -:-:-:5 EXIT
)";

inline constexpr const char* kLoads2 = R"(
all:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:0:-:1  S2R R0, SR_TID.X
  -:-:-:2  ULDC UR5, c[0x0][0x220]
  -:-:-:1  USHF.R.S32.HI UR4, URZ, 0x1f, UR5
  0:-:-:2  LOP3.LUT R10, R0, 0x1f, RZ, 0xc0, !PT
  -:-:-:y3 SHF.R.U32.HI R0, RZ, 0x4, R0
  -:-:-:1  IMAD R7, R10, UR4, RZ
  -:-:-:1  LOP3.LUT R11, R0, 0xffffffe, RZ, 0xc0, !PT
  -:-:-:1  IMAD.WIDE.U32 R4, R10, UR5, RZ
  -:-:-:y3 ULDC.64 UR4, c[0x0][0x208]
  -:-:-:1  IMAD.IADD R7, R5, 0x1, R7
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1  CS2R R2, SR_CLOCKLO
  -:-:-:y4 IMAD.MOV.U32 R6, RZ, RZ, R4
  -:-:-:1  ULDC.64 UR6, c[0x0][0x218]
  -:-:-:1  ULDC.64 UR8, c[0x0][0x210]
  -:-:-:y4 IMAD.WIDE.U32 R4, R11, UR6, R6
  -:-:-:1  IMAD R0, R11, UR7, R5
  -:-:-:y4 IADD3 R6, P0, R4, UR8, RZ
  -:-:-:2  IADD3.X R7, R0, UR9, RZ, P0, !PT
  -:-:-:y3 IADD3 R8, P0, R6, UR6, RZ
  -:2:-:1  LDG.E@@ R6, desc[UR4][R6.64]
  -:-:-:y5 IADD3.X R9, R7, UR7, RZ, P0, !PT
  -:3:-:1  LDG.E@@ R8, desc[UR4][R8.64]
  2:-:-:y4 FADD R5, RZ, R6
  3:-:-:y5 FADD R5, R8, R5
  -:-:-:y13 FSETP.NEU.AND P0, PT, R5, 1.2345, PT
  -:0:-:1  ! @!P0 LDC.64 R4, c[0x0][0x230]
  -:-:-:y5 ! @!P0 IMAD.MOV.U32 R13, RZ, RZ, 0x3f9e0419
  0:-:0:2  ! @!P0 STG.E desc[UR4][R4.64], R13
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:2  CS2R R6, SR_CLOCKLO
  -:-:-:5 EXIT
)";

inline constexpr const char* kLoads4 = R"(
all:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:0:-:1  S2R R0, SR_TID.X
  -:-:-:2  ULDC UR5, c[0x0][0x220]
  -:-:-:1  USHF.R.S32.HI UR4, URZ, 0x1f, UR5
  0:-:-:2  LOP3.LUT R12, R0, 0x1f, RZ, 0xc0, !PT
  -:-:-:y3 SHF.R.U32.HI R0, RZ, 0x5, R0
  -:-:-:2:1 IMAD R7, R12.reuse, UR4, RZ
  -:-:-:1  IMAD.WIDE.U32 R4, R12, UR5, RZ
  -:-:-:y3 ULDC.64 UR4, c[0x0][0x208]
  -:-:-:2  IMAD.SHL.U32 R9, R0, 0x4, RZ
  -:-:-:1  IMAD.IADD R7, R5, 0x1, R7
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1  CS2R R2, SR_CLOCKLO
  -:-:-:y4 IMAD.MOV.U32 R6, RZ, RZ, R4
  -:-:-:1  ULDC.64 UR6, c[0x0][0x218]
  -:-:-:1  ULDC.64 UR8, c[0x0][0x210]
  -:-:-:y4 IMAD.WIDE.U32 R4, R9, UR6, R6
  -:-:-:1  IMAD R9, R9, UR7, R5
  -:-:-:y4 IADD3 R4, P0, R4, UR8, RZ
  -:-:-:2  IADD3.X R5, R9, UR9, RZ, P0, !PT
  -:-:-:y3 IADD3 R6, P0, R4, UR6, RZ
  -:2:-:1  LDG.E@@ R4, desc[UR4][R4.64]
  -:-:-:2  IADD3.X R7, R5, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R8, P0, R6, UR6, RZ
  -:3:-:1  LDG.E@@ R6, desc[UR4][R6.64]
  -:-:-:2  IADD3.X R9, R7, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R10, P0, R8, UR6, RZ
  -:4:-:1  LDG.E@@ R8, desc[UR4][R8.64]
  -:-:-:y5 IADD3.X R11, R9, UR7, RZ, P0, !PT
  -:5:-:1  LDG.E@@ R10, desc[UR4][R10.64]
  2:-:-:y4 FADD R13, RZ, R4
  3:-:-:y4 FADD R13, R6, R13
  4:-:-:y4 FADD R13, R8, R13
  5:-:-:y5 FADD R13, R10, R13
  -:-:-:y13 FSETP.NEU.AND P0, PT, R13, 1.2345, PT
  -:0:-:1  ! @!P0 LDC.64 R4, c[0x0][0x230]
  -:-:-:y5 ! @!P0 IMAD.MOV.U32 R13, RZ, RZ, 0x3f9e0419
  0:-:0:2  ! @!P0 STG.E desc[UR4][R4.64], R13
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:2  CS2R R6, SR_CLOCKLO
  -:-:-:5 EXIT
)";

inline constexpr const char* kLoads8 = R"(
all:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:0:-:1  S2R R0, SR_TID.X
  -:-:-:2  ULDC UR5, c[0x0][0x220]
  -:-:-:1  USHF.R.S32.HI UR4, URZ, 0x1f, UR5
  0:-:-:2  LOP3.LUT R18, R0, 0x1f, RZ, 0xc0, !PT
  -:-:-:y3 SHF.R.U32.HI R0, RZ, 0x5, R0
  -:-:-:2:1 IMAD R7, R18.reuse, UR4, RZ
  -:-:-:1  IMAD.WIDE.U32 R4, R18, UR5, RZ
  -:-:-:y3 ULDC.64 UR4, c[0x0][0x208]
  -:-:-:2  IMAD.SHL.U32 R9, R0, 0x8, RZ
  -:-:-:1  IMAD.IADD R7, R5, 0x1, R7
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1  CS2R R2, SR_CLOCKLO
  -:-:-:y4 IMAD.MOV.U32 R6, RZ, RZ, R4
  -:-:-:1  ULDC.64 UR6, c[0x0][0x218]
  -:-:-:1  ULDC.64 UR8, c[0x0][0x210]
  -:-:-:y4 IMAD.WIDE.U32 R4, R9, UR6, R6
  -:-:-:1  IMAD R9, R9, UR7, R5
  -:-:-:y4 IADD3 R4, P0, R4, UR8, RZ
  -:-:-:2  IADD3.X R5, R9, UR9, RZ, P0, !PT
  -:-:-:y3 IADD3 R6, P0, R4, UR6, RZ
  -:2:-:1  LDG.E@@ R4, desc[UR4][R4.64]
  -:-:-:2  IADD3.X R7, R5, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R8, P0, R6, UR6, RZ
  -:3:-:1  LDG.E@@ R6, desc[UR4][R6.64]
  -:-:-:2  IADD3.X R9, R7, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R10, P0, R8, UR6, RZ
  -:4:-:1  LDG.E@@ R8, desc[UR4][R8.64]
  -:-:-:2  IADD3.X R11, R9, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R12, P0, R10, UR6, RZ
  -:5:-:1  LDG.E@@ R10, desc[UR4][R10.64]
  -:-:-:2  IADD3.X R13, R11, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R14, P0, R12, UR6, RZ
  -:5:-:1  LDG.E@@ R12, desc[UR4][R12.64]
  -:-:-:2  IADD3.X R15, R13, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R16, P0, R14, UR6, RZ
  -:5:-:1  LDG.E@@ R14, desc[UR4][R14.64]
  -:-:-:2  IADD3.X R17, R15, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R20, P0, R16, UR6, RZ
  -:5:-:1  LDG.E@@ R16, desc[UR4][R16.64]
  -:-:-:y5 IADD3.X R21, R17, UR7, RZ, P0, !PT
  -:5:-:1  LDG.E@@ R20, desc[UR4][R20.64]
  2:-:-:y4 FADD R5, RZ, R4
  3:-:-:y4 FADD R5, R6, R5
  4:-:-:y4 FADD R5, R8, R5
  5:-:-:y4 FADD R5, R10, R5
  -:-:-:y4 FADD R5, R12, R5
  -:-:-:y4 FADD R5, R14, R5
  -:-:-:y4 FADD R5, R16, R5
  -:-:-:y5 FADD R5, R20, R5
  -:-:-:y13 FSETP.NEU.AND P0, PT, R5, 1.2345, PT
  -:0:-:1  ! @!P0 LDC.64 R4, c[0x0][0x230]
  -:-:-:y5 ! @!P0 IMAD.MOV.U32 R7, RZ, RZ, 0x3f9e0419
  0:-:0:2  ! @!P0 STG.E desc[UR4][R4.64], R7
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  0:-:-:2  CS2R R6, SR_CLOCKLO
  -:-:-:5 EXIT
)";

inline constexpr const char* kLoads16 = R"(
all:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:0:-:1  S2R R0, SR_TID.X
  -:-:-:2  ULDC UR5, c[0x0][0x220]
  -:-:-:1  USHF.R.S32.HI UR4, URZ, 0x1f, UR5
  0:-:-:2  LOP3.LUT R23, R0, 0x1f, RZ, 0xc0, !PT
  -:-:-:y3 SHF.R.U32.HI R0, RZ, 0x5, R0
  -:-:-:2:1 IMAD R7, R23.reuse, UR4, RZ
  -:-:-:1  IMAD.WIDE.U32 R4, R23, UR5, RZ
  -:-:-:y3 ULDC.64 UR4, c[0x0][0x208]
  -:-:-:2  IMAD.SHL.U32 R9, R0, 0x10, RZ
  -:-:-:1  IMAD.IADD R7, R5, 0x1, R7
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1  CS2R R2, SR_CLOCKLO
  -:-:-:y4 IMAD.MOV.U32 R6, RZ, RZ, R4
  -:-:-:1  ULDC.64 UR6, c[0x0][0x218]
  -:-:-:1  ULDC.64 UR8, c[0x0][0x210]
  -:-:-:y4 IMAD.WIDE.U32 R4, R9, UR6, R6
  -:-:-:1  IMAD R9, R9, UR7, R5
  -:-:-:y4 IADD3 R4, P0, R4, UR8, RZ
  -:-:-:2  IADD3.X R5, R9, UR9, RZ, P0, !PT
  -:-:-:y3 IADD3 R8, P0, R4, UR6, RZ
  -:2:-:1  LDG.E@@ R16, desc[UR4][R4.64]
  -:-:-:2  IADD3.X R9, R5, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R10, P0, R8, UR6, RZ
  -:3:0:1  LDG.E@@ R17, desc[UR4][R8.64]
  -:-:-:2  IADD3.X R11, R9, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R26, P0, R10, UR6, RZ
  -:4:1:1  LDG.E@@ R18, desc[UR4][R10.64]
  -:-:-:2  IADD3.X R27, R11, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R6, P0, R26, UR6, RZ
  -:5:-:1  LDG.E@@ R19, desc[UR4][R26.64]
  -:-:-:2  IADD3.X R7, R27, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R28, P0, R6, UR6, RZ
  -:5:1:1  LDG.E@@ R20, desc[UR4][R6.64]
  -:-:-:2  IADD3.X R29, R7, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R14, P0, R28, UR6, RZ
  -:5:-:1  LDG.E@@ R22, desc[UR4][R28.64]
  -:-:-:2  IADD3.X R15, R29, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R24, P0, R14, UR6, RZ
  -:5:1:1  LDG.E@@ R21, desc[UR4][R14.64]
  -:-:-:2  IADD3.X R25, R15, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R12, P0, R24, UR6, RZ
  -:5:1:1  LDG.E@@ R26, desc[UR4][R24.64]
  -:-:-:2  IADD3.X R13, R25, UR7, RZ, P0, !PT
  0:-:-:y3 IADD3 R8, P0, R12, UR6, RZ
  -:5:0:1  LDG.E@@ R27, desc[UR4][R12.64]
  -:-:-:2  IADD3.X R9, R13, UR7, RZ, P0, !PT
  1:-:-:y3 IADD3 R10, P0, R8, UR6, RZ
  -:5:-:1  LDG.E@@ R8, desc[UR4][R8.64]
  -:-:-:2  IADD3.X R11, R9, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R4, P0, R10, UR6, RZ
  -:5:-:1  LDG.E@@ R10, desc[UR4][R10.64]
  -:-:-:2  IADD3.X R5, R11, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R6, P0, R4, UR6, RZ
  -:5:-:1  LDG.E@@ R4, desc[UR4][R4.64]
  -:-:-:2  IADD3.X R7, R5, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R14, P0, R6, UR6, RZ
  -:5:-:1  LDG.E@@ R6, desc[UR4][R6.64]
  -:-:-:2  IADD3.X R15, R7, UR7, RZ, P0, !PT
  -:-:-:y3 IADD3 R24, P0, R14, UR6, RZ
  -:5:-:1  LDG.E@@ R14, desc[UR4][R14.64]
  -:-:-:2  IADD3.X R25, R15, UR7, RZ, P0, !PT
  0:-:-:y3 IADD3 R12, P0, R24, UR6, RZ
  -:5:-:1  LDG.E@@ R24, desc[UR4][R24.64]
  -:-:-:y5 IADD3.X R13, R25, UR7, RZ, P0, !PT
  -:5:-:1  LDG.E@@ R12, desc[UR4][R12.64]
  2:-:-:y4 FADD R16, RZ, R16
  3:-:-:y4 FADD R17, R17, R16
  4:-:-:y4 FADD R18, R18, R17
  5:-:-:y4 FADD R19, R19, R18
  -:-:-:y4 FADD R19, R20, R19
  -:-:-:y4 FADD R22, R22, R19
  -:-:-:y4 FADD R21, R21, R22
  -:-:-:y4 FADD R26, R26, R21
  -:-:-:y4 FADD R27, R27, R26
  -:-:-:y4 FADD R27, R8, R27
  -:-:-:y4 FADD R27, R10, R27
  -:-:-:y4 FADD R27, R4, R27
  -:-:-:y4 FADD R27, R6, R27
  -:-:-:y4 FADD R27, R14, R27
  -:-:-:y4 FADD R27, R24, R27
  -:-:-:y5 FADD R12, R12, R27
  -:-:-:y13 FSETP.NEU.AND P0, PT, R12, 1.2345, PT
  -:0:-:1  ! @!P0 LDC.64 R4, c[0x0][0x230]
  -:-:-:y5 ! @!P0 IMAD.MOV.U32 R7, RZ, RZ, 0x3f9e0419
  0:-:0:2  ! @!P0 STG.E desc[UR4][R4.64], R7
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  0:-:-:2  CS2R R6, SR_CLOCKLO
  -:-:-:5 EXIT
)";

inline constexpr const char* kStores = R"(
before:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:0:-:1  S2R R0, SR_TID.X
  -:-:-:y6 ULDC.64 UR4, c[0x0][0x208]
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  0:-:-:2  SHF.R.U32.HI R9, RZ, 0x5, R0
  -:-:-:2  LOP3.LUT R0, R0, 0x1f, RZ, 0xc0, !PT
  -:-:-:y3 CS2R R2, SR_CLOCKLO
  -:0:-:2  LDC R8, c[0x0][0x218]
  0:-:-:y13 ISETP.GE.AND P0, PT, R8, 0x1, PT
  -:-:-:5  @!P0 BRA 0x1d0
  -:-:-:1:1 IMAD.WIDE.U32 R4, R9.reuse, R8, RZ
  -:-:-:1  SHF.R.S32.HI R7, RZ, 0x1f, R8
  -:-:-:2  ULDC.64 UR6, c[0x0][0x210]
  -:-:-:2  IMAD.SHL.U32 R6, R0, 0x4, RZ
  -:-:-:2  IMAD.SHL.U32 R11, R4, 0x80, RZ
  -:-:-:y3 IMAD R7, R9, R7, R5
  -:-:-:2  LOP3.LUT R6, R11, R6, RZ, 0xfc, !PT
  -:-:-:1  SHF.L.U64.HI R4, R4, 0x7, R7
  -:-:-:1  IMAD.MOV.U32 R7, RZ, RZ, RZ
  -:-:-:y4 IADD3 R6, P0, R6, UR6, RZ
  -:-:-:y9 IADD3.X R11, R4, UR7, RZ, P0, !PT
loop:
  -:-:-:1  IMAD.MOV.U32 R4, RZ, RZ, R6
  -:-:-:1  IADD3 R6, P1, R6, 0x80, RZ
  -:-:-:y4 IMAD.MOV.U32 R5, RZ, RZ, R11
  -:-:-:1  IMAD.X R11, RZ, RZ, R11, P1
  -:-:0:2  STG.E desc[UR4][R4.64], R7
  0:-:-:y5 VIADD R7, R7, 0x1
  -:-:-:y13 ISETP.GE.AND P0, PT, R7, R8, PT
  -:-:-:5  @!P0 BRA 0x150
after:
  -:-:-:2  CS2R R6, SR_CLOCKLO
  -:-:-:5 EXIT
)";

}  // namespace warpsim::microbench
