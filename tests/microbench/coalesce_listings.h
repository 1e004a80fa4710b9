// Programs of the coalescing probes: the instructions between the clock reads of the measured
// kernels, with their control bits (microbench/memory_probe.h describes the format of lines).
//
// A path takes or repeats whole sections. Prologues are omitted if a first round, or the minimum of
// several times, hides their effect on caches. Addresses come from the probe's path functions.
#pragma once

namespace warpsim::microbench {

inline constexpr const char* kStrideLatency = R"(
store:
  -:-:0:1  STG.E.64 desc[UR4][R2.64], R2
  -:-:-:6  MEMBAR.SC.GPU
  -:-:-:y0 ERRBAR
  -:-:-:6  CGAERRBAR
  -:-:-:1  CCTL.IVALL
  -:-:-:1  IMAD.MOV.U32 R16, RZ, RZ, RZ
  -:-:-:1  MOV R6, R2
  -:-:-:1  IMAD.MOV.U32 R7, RZ, RZ, R3
  -:-:-:y6 NOP
chain:
  0:-:-:1  CS2R R2, SR_CLOCKLO
  5:2:-:4  LDG.E.64@@ R6, desc[UR4][R6.64]
  2:2:-:4  LDG.E.64@@ R8, desc[UR4][R6.64]
  2:2:-:4  LDG.E.64@@ R8, desc[UR4][R8.64]
  2:2:-:4  LDG.E.64@@ R10, desc[UR4][R8.64]
  2:2:-:4  LDG.E.64@@ R10, desc[UR4][R10.64]
  2:2:-:4  LDG.E.64@@ R12, desc[UR4][R10.64]
  2:2:-:4  LDG.E.64@@ R12, desc[UR4][R12.64]
  2:2:-:4  LDG.E.64@@ R14, desc[UR4][R12.64]
  2:2:-:4  LDG.E.64@@ R14, desc[UR4][R14.64]
  2:2:-:4  LDG.E.64@@ R18, desc[UR4][R14.64]
  2:2:-:4  LDG.E.64@@ R18, desc[UR4][R18.64]
  2:2:-:4  LDG.E.64@@ R20, desc[UR4][R18.64]
  2:2:-:4  LDG.E.64@@ R20, desc[UR4][R20.64]
  2:2:-:4  LDG.E.64@@ R22, desc[UR4][R20.64]
  2:2:-:4  LDG.E.64@@ R22, desc[UR4][R22.64]
  2:2:-:4  LDG.E.64@@ R6, desc[UR4][R22.64]
  2:5:-:1  LDG.E.64@@ R6, desc[UR4][R6.64]
  -:-:-:1  CS2R R8, SR_CLOCKLO
  -:-:-:y5 VIADD R16, R16, 0x1
  -:-:-:2  IADD3 R11, P0, -R2, R8, RZ
  -:-:-:2  ISETP.NE.AND P1, PT, R16, 0x4, PT
  -:-:-:2  IADD3.X R2, ~R3, R9, RZ, P0, !PT
  -:-:-:y4 ISETP.LT.U32.AND P0, PT, R4, R11, PT
  -:-:-:y4 ISETP.LT.AND.EX P0, PT, R5, R2, PT, P0
  -:-:-:2  SEL R4, R4, R11, P0
  -:-:-:1  SEL R5, R5, R2, P0
  -:-:-:6  @P1 BRA 0x140
end:
  5:-:-:5 EXIT
)";

inline constexpr const char* kStrideThroughput = R"(
before:
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R2, SR_CLOCKLO
  -:0:-:2  LDC R17, c[0x0][0x21c]
  0:-:-:y13 ISETP.GE.AND P0, PT, R17, 0x1, PT
  -:-:-:5  @!P0 BRA 0x2c0
  -:-:-:1  UMOV UR4, URZ
  -:-:-:y5 ULDC.64 UR8, c[0x0][0x220]
loop:
  -:-:-:1  IMAD.MOV.U32 R4, RZ, RZ, R11
  -:-:-:y5 MOV R5, R12
  -:2:-:4  LDG.E@@ R9, desc[UR6][R4.64]
  -:3:-:4  LDG.E@@ R8, desc[UR6][R4.64+0x2000]
  -:4:-:4  LDG.E@@ R11, desc[UR6][R4.64+0x4000]
  -:5:-:4  LDG.E@@ R12, desc[UR6][R4.64+0x6000]
  -:5:-:4  LDG.E@@ R13, desc[UR6][R4.64+0x8000]
  -:5:-:4  LDG.E@@ R14, desc[UR6][R4.64+0xa000]
  -:5:-:4  LDG.E@@ R15, desc[UR6][R4.64+0xc000]
  -:5:-:1  LDG.E@@ R16, desc[UR6][R4.64+0xe000]
  -:-:-:y6 UIADD3 UR4, UR4, 0x1, URZ
  -:-:-:1  ISETP.LE.AND P0, PT, R17, UR4, PT
  2:-:-:y4 FADD R9, R9, R10
  3:-:-:y4 FADD R8, R8, R9
  4:-:-:y4 FADD R11, R11, R8
  5:-:-:1  FADD R12, R12, R11
  -:-:-:y3 IADD3 R11, P1, R4, UR8, RZ
  -:-:-:1  FADD R13, R13, R12
  -:-:-:y3 IADD3.X R12, R5, UR9, RZ, P1, !PT
  -:-:-:y4 FADD R14, R14, R13
  -:-:-:y4 FADD R15, R15, R14
  -:-:-:1  FADD R10, R16, R15
  -:-:-:6  @!P0 BRA 0x150
after:
  -:-:-:2  FSETP.NEU.AND P0, PT, R10, 1.2345, PT
  -:-:-:y11 IADD3 R7, R7, 0x1, RZ
  -:0:-:1  ! @!P0 LDC.64 R4, c[0x0][0x230]
  -:-:-:y5 ! @!P0 IMAD.MOV.U32 R9, RZ, RZ, 0x3f9e0419
  0:-:0:2  ! @!P0 STG.E desc[UR6][R4.64], R9
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:2  ISETP.GE.U32.AND P0, PT, R7, 0x2, PT
  0:-:-:y11 CS2R R8, SR_CLOCKLO
  -:-:-:5  @!P0 BRA 0xe0
end:
  -:-:-:5 EXIT
)";

}  // namespace warpsim::microbench
