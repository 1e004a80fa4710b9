// Programs of the pointer chase probes: the instructions between the clock reads of the measured
// kernels, with their control bits (microbench/memory_probe.h describes the format of lines).
//
// A path takes or repeats whole sections. Prologues are omitted if a first round, or the minimum of
// several times, hides their effect on caches. Addresses come from the probe's path functions.
#pragma once

namespace warpsim::microbench {

inline constexpr const char* kChase = R"(
warm16:
  5:2:-:4  LDG.E.64@@ R4, desc[UR6][R4.64]
  2:2:-:4  LDG.E.64@@ R6, desc[UR6][R4.64]
  2:2:-:4  LDG.E.64@@ R6, desc[UR6][R6.64]
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
  02:2:-:1 LDG.E.64@@ R18, desc[UR6][R16.64]
  -:-:-:y5 IADD3 R0, P1, R0, 0x10, RZ
  -:-:-:1  IMAD.X R2, RZ, RZ, R2, P1
  -:-:-:y4 ISETP.GE.U32.AND P1, PT, R0, -0xc, PT
  -:-:-:1  ISETP.GE.AND.EX P1, PT, R2, -0x1, PT, P1
  2:2:-:4  LDG.E.64@@ R18, desc[UR6][R18.64]
  2:5:0:8  LDG.E.64@@ R4, desc[UR6][R18.64]
  -:-:-:5  @!P1 BRA 0x1a0
before:
  5:-:-:y4 ISETP.NE.U32.AND P0, PT, R4, 0x1, PT
  -:-:-:y13 ISETP.NE.AND.EX P0, PT, R5, RZ, PT, P0
  -:3:-:1  ! @!P0 LDC.64 R2, c[0x0][0x228]
  -:-:-:2  ! @!P0 IMAD.MOV.U32 R6, RZ, RZ, 0x1
  -:-:-:y5 ! @!P0 IMAD.MOV.U32 R7, RZ, RZ, 0x0
  3:-:3:1  ! @!P0 STG.E.64 desc[UR6][R2.64+0x10], R6
  1:-:-:1  CS2R R12, SR_CLOCKLO
  -:1:-:2  LDC R0, c[0x0][0x220]
  1:-:-:y13 ISETP.GE.AND P0, PT, R0, 0x1, PT
  3:-:-:5  @!P0 BRA 0x6c0
  -:-:-:y5 UMOV UR4, URZ
loop:
  5:3:-:4  LDG.E.64@@ R2, desc[UR6][R4.64]
  3:3:-:4  LDG.E.64@@ R2, desc[UR6][R2.64]
  3:3:-:4  LDG.E.64@@ R6, desc[UR6][R2.64]
  3:2:-:4  LDG.E.64@@ R6, desc[UR6][R6.64]
  2:2:-:4  LDG.E.64@@ R8, desc[UR6][R6.64]
  2:2:-:1  LDG.E.64@@ R8, desc[UR6][R8.64]
  -:-:-:y6 UIADD3 UR4, UR4, 0x8, URZ
  -:-:-:1  ISETP.LE.AND P0, PT, R0, UR4, PT
  12:2:-:4 LDG.E.64@@ R10, desc[UR6][R8.64]
  2:5:1:8  LDG.E.64@@ R4, desc[UR6][R10.64]
  -:-:-:5  @!P0 BRA 0x610
after:
  -:-:-:1  CS2R R2, SR_CLOCKLO
  35:-:-:5 EXIT
)";

}  // namespace warpsim::microbench
