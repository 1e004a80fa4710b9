// Programs of the atomics probes: the instructions between the clock reads of the measured
// kernels, with their control bits (microbench/memory_probe.h describes the format of lines).
//
// A path takes or repeats whole sections. Prologues are omitted if a first round, or the minimum of
// several times, hides their effect on caches. Addresses come from the probe's path functions.
#pragma once

namespace warpsim::microbench {

inline constexpr const char* kSharedIncrement = R"(
before:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:0:-:7  S2R R11, SR_TID.X
  -:1:-:1  S2UR UR5, SR_CgaCtaId
  -:-:-:1  UMOV UR4, 0x400
  -:-:-:y6 IMAD.MOV.U32 R4, RZ, RZ, RZ
  -:2:-:1  LDC R2, c[0x0][0x210]
  1:-:-:y6 ULEA UR5, UR5, UR4, 0x18
  0:-:-:2  LEA R0, R11, UR5, 0x2
  2:-:-:y3 ISETP.NE.AND P0, PT, R2, RZ, PT
  -:-:0:10 STS [R0], RZ
  0:-:-:5  @!P0 BRA 0x140
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R2, SR_CLOCKLO
  -:0:-:2  LDC R5, c[0x0][0x218]
  0:-:-:y13 ISETP.GE.AND P0, PT, R5, 0x1, PT
  -:-:-:5  @!P0 BRA 0x230
  -:-:-:1  IMAD.SHL.U32 R4, R4, 0x4, RZ
  -:-:-:y4 UMOV UR4, URZ
  -:-:-:y7 LOP3.LUT R4, R4, 0xffc, RZ, 0xc0, !PT
loop:
  -:-:-:1  UIADD3 UR4, UR4, 0x4, URZ
  0:-:0:4  ATOMS.POPC.INC.32 RZ, [R4+UR5]
  -:-:0:1  ATOMS.POPC.INC.32 RZ, [R4+UR5]
  -:-:-:y3 ISETP.LE.AND P0, PT, R5, UR4, PT
  -:-:0:4  ATOMS.POPC.INC.32 RZ, [R4+UR5]
  -:-:0:6  ATOMS.POPC.INC.32 RZ, [R4+UR5]
  -:-:-:5  @!P0 BRA 0x1c0
after:
  -:-:-:6  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1  ULDC.64 UR4, c[0x0][0x208]
  -:-:-:1  CS2R R6, SR_CLOCKLO
end:
  0:-:-:5 EXIT
)";

inline constexpr const char* kSharedReduction = R"(
before:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:0:-:7  S2R R11, SR_TID.X
  -:1:-:1  S2UR UR5, SR_CgaCtaId
  -:-:-:1  UMOV UR4, 0x400
  -:-:-:y6 IMAD.MOV.U32 R4, RZ, RZ, RZ
  -:2:-:1  LDC R2, c[0x0][0x210]
  1:-:-:y6 ULEA UR5, UR5, UR4, 0x18
  0:-:-:2  LEA R0, R11, UR5, 0x2
  2:-:-:y3 ISETP.NE.AND P0, PT, R2, RZ, PT
  -:-:0:10 STS [R0], RZ
  0:-:-:5  @!P0 BRA 0x140
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R2, SR_CLOCKLO
  -:0:-:2  LDC R6, c[0x0][0x218]
  0:-:-:y13 ISETP.GE.AND P0, PT, R6, 0x1, PT
  -:-:-:5  @!P0 BRA 0x240
  -:0:-:1  LDC R5, c[0x0][0x214]
  -:-:-:1  IMAD.SHL.U32 R4, R4, 0x4, RZ
  -:-:-:y4 UMOV UR4, URZ
  -:-:-:y7 LOP3.LUT R4, R4, 0xffc, RZ, 0xc0, !PT
loop:
  -:-:-:1  UIADD3 UR4, UR4, 0x4, URZ
  01:-:1:4 ATOMS.ADD RZ, [R4+UR5], R5
  -:-:1:1  ATOMS.ADD RZ, [R4+UR5], R5
  -:-:-:y3 ISETP.LE.AND P0, PT, R6, UR4, PT
  -:-:1:4  ATOMS.ADD RZ, [R4+UR5], R5
  -:-:1:6  ATOMS.ADD RZ, [R4+UR5], R5
  -:-:-:5  @!P0 BRA 0x1d0
after:
  -:-:-:6  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1  ULDC.64 UR4, c[0x0][0x208]
  -:-:-:1  CS2R R6, SR_CLOCKLO
end:
  1:-:-:5 EXIT
)";

inline constexpr const char* kSharedAtomic = R"(
before:
  -:-:-:1  LDC R1, c[0x0][0x28]
  -:0:-:7  S2R R11, SR_TID.X
  -:1:-:1  S2UR UR5, SR_CgaCtaId
  -:-:-:1  UMOV UR4, 0x400
  -:-:-:y2 IMAD.MOV.U32 R8, RZ, RZ, RZ
  -:-:-:y4 IMAD.MOV.U32 R4, RZ, RZ, RZ
  -:2:-:1  LDC R2, c[0x0][0x210]
  1:-:-:y6 ULEA UR5, UR5, UR4, 0x18
  0:-:-:2  LEA R0, R11, UR5, 0x2
  2:-:-:y3 ISETP.NE.AND P0, PT, R2, RZ, PT
  -:-:0:10 STS [R0], RZ
  0:-:-:5  @!P0 BRA 0x150
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R2, SR_CLOCKLO
  -:0:-:2  LDC R12, c[0x0][0x218]
  0:-:-:y13 ISETP.GE.AND P0, PT, R12, 0x1, PT
  -:-:-:5  @!P0 BRA 0x280
  -:0:-:1  LDC R9, c[0x0][0x214]
  -:-:-:1  IMAD.SHL.U32 R4, R4, 0x4, RZ
  -:-:-:1  UMOV UR4, URZ
  -:-:-:y3 IMAD.MOV.U32 R8, RZ, RZ, RZ
  -:-:-:y7 LOP3.LUT R4, R4, 0xffc, RZ, 0xc0, !PT
loop:
  0:-:-:1  ATOMS.ADD R5, [R4+UR5], R9
  -:-:-:y3 UIADD3 UR4, UR4, 0x4, URZ
  -:0:-:3  ATOMS.ADD R6, [R4+UR5], R9
  -:-:-:1  ISETP.LE.AND P0, PT, R12, UR4, PT
  -:-:-:4  ATOMS.ADD R10, [R4+UR5], R9
  -:1:-:1  ATOMS.ADD R7, [R4+UR5], R9
  0:-:-:y4 IADD3 R5, R6, R5, R8
  1:-:-:y3 IADD3 R8, R7, R10, R5
  -:-:-:5  @!P0 BRA 0x1f0
after:
  -:-:-:6  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:1  ULDC.64 UR4, c[0x0][0x208]
  -:-:-:1  CS2R R6, SR_CLOCKLO
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kSharedChain = R"(
chain:
  -:-:-:1  CS2R R2, SR_CLOCKLO
  -:1:-:4  ATOMS.ADD R11, [R6], R11
  1:1:-:4  ATOMS.ADD R9, [R6], R11
  1:1:-:4  ATOMS.ADD R9, [R6], R9
  1:1:-:4  ATOMS.ADD R13, [R6], R9
  1:1:-:4  ATOMS.ADD R13, [R6], R13
  1:1:-:4  ATOMS.ADD R15, [R6], R13
  1:1:-:4  ATOMS.ADD R15, [R6], R15
  1:1:-:4  ATOMS.ADD R17, [R6], R15
  1:1:-:4  ATOMS.ADD R17, [R6], R17
  1:1:-:4  ATOMS.ADD R19, [R6], R17
  1:1:-:4  ATOMS.ADD R19, [R6], R19
  1:1:-:4  ATOMS.ADD R21, [R6], R19
  1:1:-:4  ATOMS.ADD R21, [R6], R21
  1:1:-:4  ATOMS.ADD R11, [R6], R21
  1:1:-:4  ATOMS.ADD R11, [R6], R11
  1:1:-:4  ATOMS.ADD R9, [R6], R11
  1:1:-:4  ATOMS.ADD R9, [R6], R9
  1:1:-:4  ATOMS.ADD R13, [R6], R9
  1:1:-:4  ATOMS.ADD R13, [R6], R13
  1:1:-:4  ATOMS.ADD R15, [R6], R13
  1:1:-:4  ATOMS.ADD R15, [R6], R15
  1:1:-:4  ATOMS.ADD R17, [R6], R15
  1:1:-:4  ATOMS.ADD R17, [R6], R17
  1:1:-:4  ATOMS.ADD R19, [R6], R17
  1:1:-:4  ATOMS.ADD R19, [R6], R19
  1:1:-:4  ATOMS.ADD R21, [R6], R19
  1:1:-:4  ATOMS.ADD R21, [R6], R21
  1:1:-:4  ATOMS.ADD R23, [R6], R21
  1:1:-:4  ATOMS.ADD R23, [R6], R23
  1:1:-:4  ATOMS.ADD R9, [R6], R23
  1:1:-:4  ATOMS.ADD R9, [R6], R9
  1:2:1:2  ATOMS.ADD R11, [R6], R9
  1:-:-:1  CS2R R8, SR_CLOCKLO
  -:-:-:y5 VIADD R7, R7, 0x1
  -:-:-:2  IADD3 R13, P0, -R2, R8, RZ
  -:-:-:y3 ISETP.NE.AND P1, PT, R7, 0x3, PT
  -:-:-:1  IMAD.X R2, R9, 0x1, ~R3, P0
  -:-:-:y4 ISETP.LT.U32.AND P0, PT, R0, R13, PT
  -:-:-:y4 ISETP.LT.AND.EX P0, PT, R5, R2, PT, P0
  -:-:-:2  SEL R0, R0, R13, P0
  -:-:-:1  SEL R5, R5, R2, P0
  2:-:-:6  @P1 BRA 0xd0
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kGlobalReduction = R"(
before:
  -:-:-:8  LDC R1, c[0x0][0x28]
  -:0:-:1  LDC R0, c[0x0][0x21c]
  -:1:-:1  S2R R9, SR_TID.X
  -:-:-:y6 IMAD.MOV.U32 R4, RZ, RZ, RZ
  -:2:-:1  S2UR UR6, SR_CTAID.X
  0:-:-:y13 ISETP.NE.AND P0, PT, R0, RZ, PT
  12:-:-:5 @!P0 BRA 0x100
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R2, SR_CLOCKLO
  -:0:-:1  LDC R0, c[0x0][0x228]
  -:-:-:1  ULDC.64 UR8, c[0x0][0x208]
  0:-:-:y13 ISETP.GE.AND P0, PT, R0, 0x1, PT
  -:-:-:5  @!P0 BRA 0x260
  -:0:-:1  LDC.64 R6, c[0x0][0x220]
  -:-:-:1  SHF.R.S32.HI R5, RZ, 0x1f, R4
  -:-:-:y6 ULDC.64 UR4, c[0x0][0x210]
  -:1:-:1  LDC R11, c[0x0][0x218]
  0:-:-:y4 IMAD.WIDE.U32 R4, R6, UR6, R4
  -:-:-:1  IMAD R5, R7, UR6, R5
  -:-:-:1  LEA R6, P0, R4, UR4, 0x2
  -:-:-:y3 UMOV UR4, URZ
  1:-:-:y9 LEA.HI.X R7, R4, UR5, R5, 0x2, P0
loop:
  -:-:-:1  UIADD3 UR4, UR4, 0x4, URZ
  0:-:0:4  REDG.E.ADD.STRONG.GPU desc[UR8][R6.64], R11
  -:-:0:1  REDG.E.ADD.STRONG.GPU desc[UR8][R6.64], R11
  -:-:-:y3 ISETP.LE.AND P0, PT, R0, UR4, PT
  -:-:0:4  REDG.E.ADD.STRONG.GPU desc[UR8][R6.64], R11
  -:-:0:6  REDG.E.ADD.STRONG.GPU desc[UR8][R6.64], R11
  -:-:-:5  @!P0 BRA 0x1f0
after:
  -:-:-:6  MEMBAR.SC.GPU
  -:-:-:y0 ERRBAR
  -:-:-:6  CGAERRBAR
  -:-:-:2  CCTL.IVALL
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R4, SR_CLOCKLO
end:
  0:-:-:5 EXIT
)";

inline constexpr const char* kGlobalAtomic = R"(
before:
  -:-:-:8  LDC R1, c[0x0][0x28]
  -:0:-:1  LDC R0, c[0x0][0x21c]
  -:1:-:1  S2R R11, SR_TID.X
  -:-:-:y2 IMAD.MOV.U32 R9, RZ, RZ, RZ
  -:-:-:y4 IMAD.MOV.U32 R4, RZ, RZ, RZ
  -:2:-:1  S2UR UR6, SR_CTAID.X
  0:-:-:y13 ISETP.NE.AND P0, PT, R0, RZ, PT
  12:-:-:5 @!P0 BRA 0x110
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R2, SR_CLOCKLO
  -:0:-:1  LDC R10, c[0x0][0x228]
  -:-:-:1  ULDC.64 UR8, c[0x0][0x208]
  0:-:-:y13 ISETP.GE.AND P0, PT, R10, 0x1, PT
  -:-:-:5  @!P0 BRA 0x2a0
  -:0:-:1  LDC.64 R6, c[0x0][0x220]
  -:-:-:1  SHF.R.S32.HI R5, RZ, 0x1f, R4
  -:-:-:1  ULDC.64 UR4, c[0x0][0x210]
  -:-:-:y5 IMAD.MOV.U32 R9, RZ, RZ, RZ
  -:1:-:1  LDC R13, c[0x0][0x218]
  0:-:-:y4 IMAD.WIDE.U32 R4, R6, UR6, R4
  -:-:-:1  IMAD R5, R7, UR6, R5
  -:-:-:1  LEA R6, P0, R4, UR4, 0x2
  -:-:-:y3 UMOV UR4, URZ
  1:-:-:y9 LEA.HI.X R7, R4, UR5, R5, 0x2, P0
loop:
  -:2:-:4  ATOMG.E.ADD.STRONG.GPU PT, R0, desc[UR8][R6.64], R13
  -:2:-:4  ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR8][R6.64], R13
  -:3:-:4  ATOMG.E.ADD.STRONG.GPU PT, R5, desc[UR8][R6.64], R13
  -:3:-:1  ATOMG.E.ADD.STRONG.GPU PT, R8, desc[UR8][R6.64], R13
  -:-:-:y6 UIADD3 UR4, UR4, 0x4, URZ
  -:-:-:2  ISETP.LE.AND P0, PT, R10, UR4, PT
  2:-:-:y4 IADD3 R0, R4, R0, R9
  3:-:-:y7 IADD3 R9, R8, R5, R0
  -:-:-:5  @!P0 BRA 0x210
after:
  -:-:-:6  MEMBAR.SC.GPU
  -:-:-:y0 ERRBAR
  -:-:-:6  CGAERRBAR
  -:-:-:2  CCTL.IVALL
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y5 CS2R R6, SR_CLOCKLO
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kGlobalChain = R"(
before:
  -:-:-:8  LDC R1, c[0x0][0x28]
  -:0:-:1  LDC R0, c[0x0][0x21c]
  -:1:-:1  S2R R15, SR_TID.X
  -:-:-:1  ULDC UR4, c[0x0][0x218]
  -:-:-:y2 IMAD.MOV.U32 R6, RZ, RZ, RZ
  -:-:-:y3 IMAD.U32 R9, RZ, RZ, UR4
  -:2:-:1  S2UR UR6, SR_CTAID.X
  0:-:-:y13 ISETP.NE.AND P0, PT, R0, RZ, PT
  12:-:-:5 @!P0 BRA 0x120
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R2, SR_CLOCKLO
  -:0:-:1  LDC R0, c[0x0][0x228]
  -:-:-:1  ULDC.64 UR8, c[0x0][0x208]
  0:-:-:y13 ISETP.GE.AND P0, PT, R0, 0x1, PT
  -:-:-:5  @!P0 BRA 0x2b0
  -:0:-:1  LDC.64 R4, c[0x0][0x220]
  -:-:-:1:4 SHF.R.S32.HI R7, RZ, 0x1f, R6.reuse
  -:-:-:2  ULDC.64 UR4, c[0x0][0x210]
  0:-:-:y4 IMAD.WIDE.U32 R6, R4, UR6, R6
  -:-:-:1  IMAD R5, R5, UR6, R7
  -:-:-:1  LEA R4, P0, R6, UR4, 0x2
  -:-:-:y3 UMOV UR4, URZ
  -:-:-:y9 LEA.HI.X R5, R6, UR5, R5, 0x2, P0
loop:
  -:2:-:2  ATOMG.E.ADD.STRONG.GPU PT, R9, desc[UR8][R4.64], R9
  2:-:-:y6 LOP3.LUT R7, R9, 0x1, RZ, 0xc0, !PT
  -:2:-:2  ATOMG.E.ADD.STRONG.GPU PT, R7, desc[UR8][R4.64], R7
  2:-:-:y6 LOP3.LUT R11, R7, 0x1, RZ, 0xc0, !PT
  -:2:-:1  ATOMG.E.ADD.STRONG.GPU PT, R11, desc[UR8][R4.64], R11
  -:-:-:y6 UIADD3 UR4, UR4, 0x4, URZ
  -:-:-:2  ISETP.LE.AND P0, PT, R0, UR4, PT
  2:-:-:y6 LOP3.LUT R13, R11, 0x1, RZ, 0xc0, !PT
  -:2:-:2  ATOMG.E.ADD.STRONG.GPU PT, R13, desc[UR8][R4.64], R13
  2:-:-:y3 LOP3.LUT R9, R13, 0x1, RZ, 0xc0, !PT
  -:-:-:5  @!P0 BRA 0x200
after:
  -:-:-:6  MEMBAR.SC.GPU
  -:-:-:y0 ERRBAR
  -:-:-:6  CGAERRBAR
  -:-:-:2  CCTL.IVALL
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:2  CS2R R4, SR_CLOCKLO
end:
  -:-:-:5 EXIT
)";

inline constexpr const char* kGlobalCompareChain = R"(
before:
  -:-:-:8  LDC R1, c[0x0][0x28]
  -:0:-:1  LDC R0, c[0x0][0x21c]
  -:1:-:1  S2R R15, SR_TID.X
  -:-:-:1  ULDC UR4, c[0x0][0x218]
  -:-:-:y2 IMAD.MOV.U32 R4, RZ, RZ, RZ
  -:-:-:y3 IMAD.U32 R8, RZ, RZ, UR4
  -:2:-:1  S2UR UR6, SR_CTAID.X
  0:-:-:y13 ISETP.NE.AND P0, PT, R0, RZ, PT
  12:-:-:5 @!P0 BRA 0x120
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:y7 CS2R R2, SR_CLOCKLO
  -:0:-:2  LDC R0, c[0x0][0x228]
  0:-:-:y13 ISETP.GE.AND P0, PT, R0, 0x1, PT
  -:-:-:5  @!P0 BRA 0x2a0
  -:0:-:1  LDC.64 R6, c[0x0][0x220]
  -:-:-:1:4 SHF.R.S32.HI R5, RZ, 0x1f, R4.reuse
  -:-:-:2  ULDC.64 UR4, c[0x0][0x210]
  0:-:-:y4 IMAD.WIDE.U32 R4, R6, UR6, R4
  -:-:-:1  IMAD R5, R7, UR6, R5
  -:-:-:1  LEA R6, P0, R4, UR4, 0x2
  -:-:-:y3 UMOV UR4, URZ
  -:-:-:y9 LEA.HI.X R7, R4, UR5, R5, 0x2, P0
loop:
  5:-:-:y5 VIADD R9, R8, 0x1
  -:2:-:2  ATOMG.E.CAS.STRONG.GPU PT, R4, [R6], R8, R9
  2:-:-:y5 VIADD R5, R4, 0x1
  -:2:-:1  ATOMG.E.CAS.STRONG.GPU PT, R10, [R6], R4, R5
  -:-:-:1  UIADD3 UR4, UR4, 0x4, URZ
  2:-:-:y5 VIADD R11, R10, 0x1
  0:2:-:1  ATOMG.E.CAS.STRONG.GPU PT, R12, [R6], R10, R11
  -:-:-:1  ISETP.LE.AND P0, PT, R0, UR4, PT
  2:-:-:y5 VIADD R13, R12, 0x1
  -:5:0:7  ATOMG.E.CAS.STRONG.GPU PT, R8, [R6], R12, R13
  -:-:-:5  @!P0 BRA 0x1f0
after:
  -:-:-:6  MEMBAR.SC.GPU
  -:-:-:y0 ERRBAR
  -:-:-:6  CGAERRBAR
  -:-:-:2  CCTL.IVALL
  -:-:-:1  BAR.SYNC.DEFER_BLOCKING 0x0
  -:-:-:2  CS2R R4, SR_CLOCKLO
end:
  5:-:-:5 EXIT
)";

}  // namespace warpsim::microbench
