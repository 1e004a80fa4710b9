// The loop of the measured program tests/hardware/fabric_rates, with its control bits (microbench/memory_probe.h
// describes the format of lines). A round consists of `round`, `loads` (of reading SMs), then of each access `choice`
// and `store` (of writing SMs), and `round_end`.
#pragma once

namespace warpsim::microbench {

inline constexpr const char* kFabricRound = R"(
round:
  -:-:-:1:1 ISETP.NE.AND P1, PT, R0.reuse, 0x2, PT
  -:-:-:1 UISETP.GE.U32.AND UP0, UPT, UR7, 0xc350, UPT
  -:-:-:1 ISETP.NE.AND P0, PT, R0, 0x1, PT
  -:-:-:1 UIADD3 UR4, UR4, 0x1, URZ
  12:-:-:1 CS2R R6, SRZ
  -:-:-:1 UISETP.GE.AND.EX UP0, UPT, UR12, URZ, UPT, UP0
  -:-:-:2 CS2R R4, SRZ
  -:-:-:2 CS2R R10, SRZ
  -:-:-:1 CS2R R8, SRZ
  -:-:-:1 USEL UR5, UR8, UR5, !UP0
  -:-:-:1 CS2R R14, SRZ
  -:-:-:1 USEL UR6, UR9, UR6, !UP0
  -:-:-:y2 CS2R R12, SRZ
  -:-:-:2 CS2R R18, SRZ
  -:-:-:1 CS2R R16, SRZ
  -:-:-:6 @!P1 BRA 0x950
loads:
  -:0:-:1 S2UR UR8, SR_CgaCtaId
  -:-:-:1:1 VIADD R5, R21.reuse, 0x4
  -:-:-:1 UMOV UR7, 0x400
  -:-:-:1:1 VIADD R7, R21.reuse, 0x8
  -:-:-:1:3 LOP3.LUT R4, R21.reuse, R2.reuse, RZ, 0xc0, !PT
  -:-:-:1 VIADD R9, R21, 0xc
  -:-:-:1:2 LOP3.LUT R5, R5, R2.reuse, RZ, 0xc0, !PT
  -:1:-:1 S2R R13, SR_TID.X
  -:-:-:2:2 LOP3.LUT R7, R7, R2.reuse, RZ, 0xc0, !PT
  -:-:-:1 LOP3.LUT R9, R9, R2, RZ, 0xc0, !PT
  0:-:-:y6 ULEA UR7, UR8, UR7, 0x18
  -:-:-:2 LEA R14, R5, UR7, 0x2
  -:-:-:2 LEA R12, R4, UR7, 0x2
  -:-:-:1 LEA R15, R7, UR7, 0x2
  -:0:-:1 LDS R4, [R14]
  -:-:-:y3 LEA R16, R9, UR7, 0x2
  -:2:-:1 LDS R6, [R12]
  1:-:-:y3 LOP3.LUT R13, R13, 0xff, RZ, 0xc0, !PT
  -:1:-:4 LDS R8, [R15]
  -:3:-:1 LDS R10, [R16]
  0:-:-:y4 IMAD.WIDE.U32 R4, R4, 0x100, RZ
  2:-:-:1 IMAD.WIDE.U32 R6, R6, 0x100, RZ
  -:-:-:y3 LOP3.LUT R23, R4, R13, RZ, 0xfc, !PT
  1:-:-:1 IMAD.WIDE.U32 R8, R8, 0x100, RZ
  -:-:-:2:2 LOP3.LUT R6, R6, R13.reuse, RZ, 0xfc, !PT
  -:-:-:1 LEA R12, P2, R23, UR16, 0x4
  3:-:-:1 IMAD.WIDE.U32 R10, R10, 0x100, RZ
  -:-:-:2:2 LOP3.LUT R19, R8, R13.reuse, RZ, 0xfc, !PT
  -:-:-:2 LEA R16, P1, R6, UR16, 0x4
  -:-:-:2 LOP3.LUT R10, R10, R13, RZ, 0xfc, !PT
  -:-:-:y2 LEA R8, P3, R19, UR16, 0x4
  -:-:-:2 LEA R4, P4, R10, UR16, 0x4
  -:-:-:2 LEA.HI.X R13, R23, UR17, R5, 0x4, P2
  -:-:-:2 LEA.HI.X R17, R6, UR17, R7, 0x4, P1
  -:-:-:2 LEA.HI.X R9, R19, UR17, R9, 0x4, P3
  -:-:-:1 LEA.HI.X R5, R10, UR17, R11, 0x4, P4
  -:5:-:4 LDG.E.128.STRONG.GPU R12, desc[UR14][R12.64]
  -:5:-:4 LDG.E.128.STRONG.GPU R16, desc[UR14][R16.64]
  -:5:-:4 LDG.E.128.STRONG.GPU R8, desc[UR14][R8.64]
  -:5:-:2 LDG.E.128.STRONG.GPU R4, desc[UR14][R4.64]
choice0:
  -:-:-:5 @!P0 BRA 0xa30
store0:
  -:0:-:1 S2UR UR8, SR_CgaCtaId
  -:-:-:1 UMOV UR7, 0x400
  -:-:-:1 LOP3.LUT R23, R21, R3, RZ, 0xc0, !PT
  -:1:-:3 S2R R25, SR_TID.X
  -:-:-:1 IADD3 R23, R23, 0x1, R2
  0:-:-:y6 ULEA UR7, UR8, UR7, 0x18
  -:-:-:y5 LEA R24, R23, UR7, 0x2
  -:0:-:2 LDS R22, [R24]
  0:-:-:y3 IMAD.WIDE.U32 R22, R22, 0x100, RZ
  1:-:-:y4 LOP3.LUT R25, R22, 0xff, R25, 0xf8, !PT
  -:-:-:y4 LEA R22, P1, R25, UR18, 0x4
  -:-:-:y5 LEA.HI.X R23, R25, UR19, R23, 0x4, P1
  5:-:0:4 STG.E.128 desc[UR14][R22.64], R16
choice1:
  05:-:-:y4 IADD3 R16, R17, R16, R20
  -:-:-:1 IADD3 R20, R19, R16, R18
  -:-:-:6 @!P0 BRA 0xb40
store1:
  -:0:-:1 S2UR UR8, SR_CgaCtaId
  -:-:-:1 VIADD R16, R21, 0x4
  -:-:-:1 UMOV UR7, 0x400
  -:1:-:3 S2R R19, SR_TID.X
  -:-:-:y4 LOP3.LUT R17, R16, R3, RZ, 0xc0, !PT
  -:-:-:1 IADD3 R17, R17, 0x1, R2
  0:-:-:y6 ULEA UR7, UR8, UR7, 0x18
  -:-:-:y5 LEA R18, R17, UR7, 0x2
  -:0:-:2 LDS R16, [R18]
  0:-:-:y3 IMAD.WIDE.U32 R16, R16, 0x100, RZ
  1:-:-:y4 LOP3.LUT R19, R16, 0xff, R19, 0xf8, !PT
  -:-:-:y4 LEA R16, P1, R19, UR18, 0x4
  -:-:-:y5 LEA.HI.X R17, R19, UR19, R17, 0x4, P1
  -:-:0:4 STG.E.128 desc[UR14][R16.64], R12
choice2:
  0:-:-:y4 IADD3 R12, R13, R12, R20
  -:-:-:1 IADD3 R16, R15, R12, R14
  -:-:-:6 @!P0 BRA 0xc50
store2:
  -:0:-:1 S2UR UR8, SR_CgaCtaId
  -:-:-:1 VIADD R12, R21, 0x8
  -:-:-:1 UMOV UR7, 0x400
  -:1:-:3 S2R R15, SR_TID.X
  -:-:-:y4 LOP3.LUT R13, R12, R3, RZ, 0xc0, !PT
  -:-:-:1 IADD3 R13, R13, 0x1, R2
  0:-:-:y6 ULEA UR7, UR8, UR7, 0x18
  -:-:-:y5 LEA R14, R13, UR7, 0x2
  -:0:-:2 LDS R12, [R14]
  0:-:-:y3 IMAD.WIDE.U32 R12, R12, 0x100, RZ
  1:-:-:y4 LOP3.LUT R15, R12, 0xff, R15, 0xf8, !PT
  -:-:-:y4 LEA R12, P1, R15, UR18, 0x4
  -:-:-:y5 LEA.HI.X R13, R15, UR19, R13, 0x4, P1
  -:-:0:4 STG.E.128 desc[UR14][R12.64], R8
choice3:
  0:-:-:y4 IADD3 R8, R9, R8, R16
  -:-:-:1 IADD3 R12, R11, R8, R10
  -:-:-:6 @!P0 BRA 0xd60
store3:
  -:0:-:1 S2UR UR8, SR_CgaCtaId
  -:-:-:1 VIADD R8, R21, 0xc
  -:-:-:1 UMOV UR7, 0x400
  -:1:-:3 S2R R11, SR_TID.X
  -:-:-:y4 LOP3.LUT R9, R8, R3, RZ, 0xc0, !PT
  -:-:-:1 IADD3 R9, R9, 0x1, R2
  0:-:-:y6 ULEA UR7, UR8, UR7, 0x18
  -:-:-:y5 LEA R10, R9, UR7, 0x2
  -:0:-:2 LDS R8, [R10]
  0:-:-:y3 IMAD.WIDE.U32 R8, R8, 0x100, RZ
  1:-:-:y4 LOP3.LUT R11, R8, 0xff, R11, 0xf8, !PT
  -:-:-:y4 LEA R8, P0, R11, UR18, 0x4
  -:-:-:y5 LEA.HI.X R9, R11, UR19, R9, 0x4, P0
  -:-:0:4 STG.E.128 desc[UR14][R8.64], R4
round_end:
  0:-:-:1 IADD3 R4, R5, R4, R12
  -:-:-:1 VIADD R21, R21, 0x10
  -:-:-:2 USEL UR4, UR4, 0x1, UP0
  -:-:-:2 IADD3 R20, R7, R4, R6
  -:-:-:y6 CS2R R4, SR_CLOCKLO
  -:-:-:2 R2UR UR8, R4
  -:-:-:y11 R2UR UR9, R5
  -:-:-:y4 UIADD3 UR7, UP0, -UR10, UR8, URZ
  -:-:-:2 UIADD3.X UR12, ~UR11, UR9, URZ, UP0, !UPT
  -:-:-:y4 UISETP.GT.U32.AND UP0, UPT, UR7, 0x249ef, UPT
  -:-:-:y6 UISETP.GT.AND.EX UP0, UPT, UR12, URZ, UPT, UP0
  -:-:-:y13 PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0
  -:-:-:5 @!P0 BRA 0x5d0
end:
  -:-:-:5 EXIT
)";

}  // namespace warpsim::microbench
