// Machine code of divisions and roots, in the form of instruction_rows.h. Source: code of ptxas 13.0 for 7.5 to 9.0.
//
// Each has a fast path for most operands and a function for the others. The function is given as its usual path, with
// the return address and the return; its own branches are not taken here.
#pragma once

#include <string_view>

namespace warpsim::codegen {

constexpr std::string_view kDivideSingle =
    "BSSY B0, 0x0; MUFU.RCP t, b; FCHK P, a, b; FFMA u, -b, t, 1; FFMA t, t, u, t; FFMA u, a, t, RZ; FFMA v, -b, "
    "u, a; FFMA d, t, v, u; @!P BRA next; BSYNC B0";
constexpr std::string_view kDivideFast =
    "FSETP.GT.AND P, PT, |b|, 8.50705917302346158658e+37, PT; @P FMUL t, b, 0.25; @P FMUL u, a, 0.25; "
    "MUFU.RCP t, t; FMUL d, t, u";
constexpr std::string_view kReciprocal =
    "BSSY B0, 0x0; IADD3 t, a, 0x1800000, RZ; LOP3.LUT t, t, 0x7f800000, RZ, 0xc0, !PT; ISETP.GT.U32.AND P, PT, "
    "t, 0x1ffffff, PT; @P BRA next; MUFU.RCP u, a; FFMA v, a, u, -1; FADD.FTZ v, -v, -RZ; FFMA d, u, v, u; BSYNC "
    "B0";
constexpr std::string_view kSquareRoot =
    "BSSY B0, 0x0; IADD3 t, a, -0xd000000, RZ; MUFU.RSQ u, a; ISETP.GT.U32.AND P, PT, t, 0x727fffff, PT; @!P BRA "
    "next; FMUL.FTZ v, a, u; FMUL.FTZ w, u, 0.5; FFMA x, -v, v, a; FFMA d, x, w, v; BSYNC B0";
constexpr std::string_view kDivideDouble =
    "BSSY B0, 0x0; MUFU.RCP64H T.1, b.1; MOV T.0, 0x1; FSETP.GEU.AND Q, PT, |a.1|, 6.5827683646048100446e-37, "
    "PT; DFMA U, -b, T, 1; DFMA U, U, U, U; DFMA U, T, U, T; DFMA V, -b, U, 1; DFMA V, U, V, U; DMUL W, a, V; "
    "DFMA T, -b, W, a; DFMA d, V, T, W; FFMA t, RZ, b.1, d.1; FSETP.GT.AND P, PT, |t|, 1.469367938527859385e-39, "
    "PT; @P BRA next; BSYNC B0";
constexpr std::string_view kReciprocalDouble =
    "BSSY B0, 0x0; MUFU.RCP64H T.1, a.1; IADD3 T.0, a.1, 0x300402, RZ; DFMA U, -a, T, 1; FSETP.GEU.AND P, PT, "
    "|T.0|, 5.8789094863358348022e-39, PT; DFMA U, U, U, U; DFMA U, T, U, T; DFMA V, -a, U, 1; DFMA d, U, V, U; "
    "@P BRA next; BSYNC B0";
constexpr std::string_view kSquareRootDouble =
    "BSSY B0, 0x0; MUFU.RSQ64H T.1, a.1; IADD3 T.0, a.1, -0x3500000, RZ; MOV U.0, 0x0; MOV U.1, 0x3fd80000; DMUL "
    "V, T, T; DFMA V, a, -V, 1; DFMA U, V, U, 0.5; DMUL V, T, V; DFMA U, U, V, T; DMUL W, a, U; IADD3 V.1, U.1, "
    "-0x100000, RZ; DFMA T, W, -W, a; DFMA d, T, V, W; ISETP.GE.U32.AND P, PT, T.0, 0x7ca00000, PT; @!P BRA "
    "next; BSYNC B0";
constexpr std::string_view kReciprocalRootDouble =
    "BSSY B0, 0x0; MUFU.RSQ64H T.1, a.1; MOV T.0, RZ; VIADD t, a.1, -0x100000; MOV U.0, 0x0; MOV U.1, 0x3fd80000; "
    "DMUL V, T, T; DFMA V, a, -V, 1; DFMA U, V, U, 0.5; DMUL V, T, V; DFMA d, U, V, T; ISETP.GE.U32.AND P, PT, t, "
    "0x7fe00000, PT; @!P BRA next; BSYNC B0";
constexpr std::string_view kUnsignedDivisor =
    "I2F.U32.RP t, b; MUFU.RCP t, t; VIADD t, t, 0xffffffe; F2I.FTZ.U32.TRUNC.NTZ u, t; IADD3 v, RZ, -u, RZ; "
    "IMAD v, v, b, RZ; IMAD.HI.U32 v, u, v, u";
constexpr std::string_view kDivideUnsigned =
    "IMAD.HI.U32 w, v, a, RZ; IADD3 x, -w, RZ, RZ; ISETP.NE.U32.AND Q, PT, b, RZ, PT; IMAD x, b, x, a; "
    "ISETP.GE.U32.AND P, PT, x, b, PT; @P IADD3 x, x, -b, RZ; @P VIADD w, w, 0x1; ISETP.GE.U32.AND P, PT, x, b, PT; "
    "@P VIADD w, w, 0x1; @!Q LOP3.LUT w, RZ, b, RZ, 0x33, !PT; MOV d, w";
constexpr std::string_view kRemainderUnsigned =
    "IMAD.HI.U32 w, v, a, RZ; IADD3 x, -w, RZ, RZ; ISETP.NE.U32.AND Q, PT, b, RZ, PT; IMAD x, b, x, a; "
    "ISETP.GE.U32.AND P, PT, x, b, PT; @P IADD3 x, x, -b, RZ; ISETP.GE.U32.AND P, PT, x, b, PT; "
    "@P IADD3 x, x, -b, RZ; @!Q LOP3.LUT x, RZ, b, RZ, 0x33, !PT; MOV d, x";
constexpr std::string_view kSignedDivisor =
    "IABS t, b; I2F.RP u, t; MUFU.RCP u, u; VIADD u, u, 0xffffffe; F2I.FTZ.U32.TRUNC.NTZ v, u; IADD3 w, RZ, -v, RZ; "
    "IMAD w, w, t, RZ; IMAD.HI.U32 v, v, w, v";
constexpr std::string_view kDivideSigned =
    "IABS y, a; IMAD.HI.U32 u, v, y, RZ; IADD3 w, -u, RZ, RZ; IMAD w, t, w, y; ISETP.GT.U32.AND P, PT, t, w, PT; "
    "@!P IADD3 w, w, -t, RZ; @!P VIADD u, u, 0x1; ISETP.GE.U32.AND P, PT, w, t, PT; LOP3.LUT x, a, b, RZ, 0x3c, !PT; "
    "ISETP.GE.AND Q, PT, x, RZ, PT; @P VIADD u, u, 0x1; ISETP.NE.AND P, PT, b, RZ, PT; @!Q IADD3 u, -u, RZ, RZ; "
    "@!P LOP3.LUT u, RZ, b, RZ, 0x33, !PT; MOV d, u";
constexpr std::string_view kRemainderSigned =
    "IABS y, a; IMAD.HI.U32 u, v, y, RZ; IADD3 u, -u, RZ, RZ; IMAD w, t, u, y; ISETP.GT.U32.AND P, PT, t, w, PT; "
    "@!P IADD3 w, w, -t, RZ; ISETP.GT.U32.AND P, PT, t, w, PT; @!P IADD3 w, w, -t, RZ; ISETP.GE.AND Q, PT, a, RZ, PT; "
    "ISETP.NE.AND P, PT, b, RZ, PT; @!Q IADD3 w, -w, RZ, RZ; @!P LOP3.LUT w, RZ, b, RZ, 0x33, !PT; MOV d, w";
// Both operands below 2^32, as the code tests first: the division of 32 bits.
constexpr std::string_view kDivide64 =
    "BSSY B0, 0x0; LOP3.LUT t, a.1, b.1, RZ, 0xfc, !PT; ISETP.NE.U32.AND P, PT, t, RZ, PT; @!P BRA next; "
    "I2F.U32.RP t, b.0; ISETP.NE.U32.AND Q, PT, b.0, RZ, PT; MUFU.RCP t, t; VIADD t, t, 0xffffffe; "
    "F2I.FTZ.U32.TRUNC.NTZ u, t; IADD3 v, RZ, -u, RZ; IMAD v, v, b.0, RZ; IMAD.HI.U32 v, u, v, u; IMAD.HI.U32 w, "
    "v, a.0, RZ; IADD3 x, -w, RZ, RZ; IMAD x, b.0, x, a.0; ISETP.GE.U32.AND P, PT, x, b.0, PT; @P IADD3 x, x, "
    "-b.0, RZ; @P VIADD w, w, 0x1; ISETP.GE.U32.AND P, PT, x, b.0, PT; @P VIADD w, w, 0x1; @!Q LOP3.LUT w, RZ, "
    "b.0, RZ, 0x33, !PT; MOV d.0, w; MOV d.1, RZ; BSYNC B0";
// The fast paths alone.
constexpr std::string_view kDivideSingleFast =
    "MUFU.RCP t, b; FFMA u, -b, t, 1; FFMA t, t, u, t; FFMA u, a, t, RZ; FFMA v, -b, u, a; FFMA d, t, v, u";
constexpr std::string_view kReciprocalFast = "MUFU.RCP u, a; FFMA v, a, u, -1; FADD.FTZ v, -v, -RZ; FFMA d, u, v, u";
constexpr std::string_view kSquareRootFast =
    "MUFU.RSQ u, a; FMUL.FTZ v, a, u; FMUL.FTZ w, u, 0.5; FFMA x, -v, v, a; FFMA d, x, w, v";
constexpr std::string_view kDivideDoubleFast =
    "MUFU.RCP64H T.1, b.1; MOV T.0, 0x1; DFMA U, -b, T, 1; DFMA U, U, U, U; DFMA U, T, U, T; DFMA V, -b, U, 1; "
    "DFMA V, U, V, U; DMUL W, a, V; DFMA T, -b, W, a; DFMA d, V, T, W";
constexpr std::string_view kReciprocalDoubleFast =
    "MUFU.RCP64H T.1, a.1; IADD3 T.0, a.1, 0x300402, RZ; DFMA U, -a, T, 1; DFMA U, U, U, U; DFMA U, T, U, T; "
    "DFMA V, -a, U, 1; DFMA d, U, V, U";
constexpr std::string_view kSquareRootDoubleFast =
    "MUFU.RSQ64H T.1, a.1; IADD3 T.0, a.1, -0x3500000, RZ; MOV U.0, 0x0; MOV U.1, 0x3fd80000; DMUL V, T, T; "
    "DFMA V, a, -V, 1; DFMA U, V, U, 0.5; DMUL V, T, V; DFMA U, U, V, T; DMUL W, a, U; IADD3 V.1, U.1, -0x100000, RZ; "
    "DFMA T, W, -W, a; DFMA d, T, V, W";
constexpr std::string_view kReciprocalRootDoubleFast =
    "MUFU.RSQ64H T.1, a.1; MOV T.0, RZ; MOV U.0, 0x0; MOV U.1, 0x3fd80000; DMUL V, T, T; DFMA V, a, -V, 1; "
    "DFMA U, V, U, 0.5; DMUL V, T, V; DFMA d, U, V, T";
// Both operands below 2^32: the division of 32 bits.
constexpr std::string_view kDivide64Fast =
    "I2F.U32.RP t, b.0; ISETP.NE.U32.AND Q, PT, b.0, RZ, PT; MUFU.RCP t, t; VIADD t, t, 0xffffffe; "
    "F2I.FTZ.U32.TRUNC.NTZ u, t; IADD3 v, RZ, -u, RZ; IMAD v, v, b.0, RZ; IMAD.HI.U32 v, u, v, u; IMAD.HI.U32 w, "
    "v, a.0, RZ; IADD3 x, -w, RZ, RZ; IMAD x, b.0, x, a.0; ISETP.GE.U32.AND P, PT, x, b.0, PT; @P IADD3 x, x, "
    "-b.0, RZ; @P VIADD w, w, 0x1; ISETP.GE.U32.AND P, PT, x, b.0, PT; @P VIADD w, w, 0x1; @!Q LOP3.LUT w, RZ, "
    "b.0, RZ, 0x33, !PT; MOV d.0, w; MOV d.1, RZ";

// The functions: of denormal numbers, of exponents far apart, of more than 32 bits.
constexpr std::string_view kReciprocalSlow =
    "MOV y, 0x0; IMAD.SHL.U32 t, a, 0x2, RZ; BSSY B1, 0x0; SHF.R.U32.HI t, RZ, 0x18, t; "
    "ISETP.NE.U32.AND P, PT, t, RZ, PT; @P BRA next; IMAD.SHL.U32 t, a, 0x2, RZ; ISETP.NE.AND P, PT, t, RZ, PT; "
    "@P FFMA u, a, 1.84467440737095516160e+19, RZ; @!P MUFU.RCP v, a; @P MUFU.RCP w, u; @P FFMA t, u, w, -1; "
    "@P FADD.FTZ t, -t, -RZ; @P FFMA t, w, t, w; @P FFMA v, t, 1.84467440737095516160e+19, RZ; BRA next; BSYNC B1; "
    "MOV d, v; MOV t, 0x0; BRA next";
constexpr std::string_view kSquareRootSlow =
    "MOV y, 0x0; LOP3.LUT P, RZ, a, 0x7fffffff, RZ, 0xc0, !PT; @!P MOV t, a; @!P BRA next; "
    "FSETP.GEU.FTZ.AND P, PT, a, RZ, PT; @!P MOV t, 0x7fffffff; @!P BRA next; FSETP.GTU.FTZ.AND P, PT, |a|, +INF, PT; "
    "@P FADD.FTZ t, a, 1; @P BRA next; FSETP.NEU.FTZ.AND P, PT, |a|, +INF, PT; "
    "@P FFMA u, a, 1.84467440737095516160e+19, RZ; @P MUFU.RSQ t, u; @P FMUL.FTZ v, u, t; @P FMUL.FTZ w, t, 0.5; "
    "@!P MOV t, a; @P FADD.FTZ x, -v, -RZ; @P FFMA x, v, x, u; @P FFMA x, x, w, v; "
    "@P FMUL.FTZ t, x, 2.3283064365386962891e-10; MOV u, 0x0; MOV d, t; BRA next";
constexpr std::string_view kDivideSingleSlow =
    "MOV y, 0x0; SHF.R.U32.HI t, RZ, 0x17, b; BSSY B1, 0x0; SHF.R.U32.HI u, RZ, 0x17, a; MOV v, a; "
    "LOP3.LUT t, t, 0xff, RZ, 0xc0, !PT; MOV w, b; LOP3.LUT u, u, 0xff, RZ, 0xc0, !PT; VIADD x, t, 0xffffffff; "
    "VIADD y, u, 0xffffffff; ISETP.GT.U32.AND P, PT, x, 0xfd, PT; ISETP.GT.U32.OR P, PT, y, 0xfd, P; "
    "@!P MOV z, RZ; @!P BRA next; LEA x, t, 0xc0800000, 0x17; VIADD u, u, 0xffffff81; BSSY B2, 0x0; "
    "IMAD.IADD w, w, 0x1, -x; IADD3 t, u, 0x7f, -t; IMAD v, u, -0x800000, v; MUFU.RCP x, w; FADD.FTZ y, -w, -RZ; "
    "IMAD.IADD t, t, 0x1, z; FFMA w, x, y, 1; FFMA x, x, w, x; FFMA w, v, x, RZ; FFMA u, y, w, v; FFMA w, x, u, w; "
    "FFMA u, y, w, v; FFMA v, x, u, w; SHF.R.U32.HI w, RZ, 0x17, v; LOP3.LUT w, w, 0xff, RZ, 0xc0, !PT; "
    "IMAD.IADD z, w, 0x1, t; VIADD w, z, 0xffffffff; ISETP.GE.U32.AND P, PT, w, 0xfe, PT; @!P BRA next; "
    "IMAD v, t, 0x800000, v; BSYNC B2; BRA next; BSYNC B1; MOV t, 0x0; BRA next; MOV d, v";
constexpr std::string_view kReciprocalDoubleSlow =
    "LOP3.LUT t, a.1, 0x7fffffff, RZ, 0xc0, !PT; VIADD u, t, 0xfff00000; MOV y, 0x0; "
    "DSETP.GTU.AND P, PT, |a|, +INF, PT; BSSY B1, 0x0; @P BRA next; LOP3.LUT t, a.1, 0x7fffffff, RZ, 0xc0, !PT; "
    "IADD3 v, t, -0x1, RZ; ISETP.GE.U32.AND P, PT, v, 0x7fefffff, PT; @P LOP3.LUT T.1, a.1, 0x7ff00000, RZ, 0x3c, !PT; "
    "@P MOV T.0, RZ; @P BRA next; ISETP.GE.U32.AND P, PT, t, 0x1000001, PT; @!P BRA next; "
    "DMUL U, a, 8.11296384146066816958e+31; MOV T.0, u; MUFU.RCP64H T.1, U.1; DFMA V, -U, T, 1; DFMA V, V, V, V; "
    "DFMA V, T, V, T; DFMA T, -U, V, 1; DFMA T, V, T, V; DMUL T, T, 8.11296384146066816958e+31; BRA next; BSYNC B1; "
    "MOV t, 0x0; MOV d.0, T.0; MOV d.1, T.1; BRA next";
constexpr std::string_view kDivideDoubleSlow =
    "MOV z, 0x0; FSETP.GEU.AND P, PT, |b.1|, 1.469367938527859385e-39, PT; MOV T.0, 0x1; "
    "LOP3.LUT U.1, b.1, 0x800fffff, RZ, 0xc0, !PT; BSSY B1, 0x0; FSETP.GEU.AND Q, PT, |a.1|, 1.469367938527859385e-39, "
    "PT; LOP3.LUT U.1, U.1, 0x3ff00000, RZ, 0xfc, !PT; MOV U.0, b.0; LOP3.LUT t, a.1, 0x7ff00000, RZ, 0xc0, !PT; "
    "LOP3.LUT u, b.1, 0x7ff00000, RZ, 0xc0, !PT; @!P DMUL U, b, 8.98846567431157953865e+307; MOV v, 0x1ca00000; "
    "@!Q LOP3.LUT w, b.1, 0x7ff00000, RZ, 0xc0, !PT; MUFU.RCP64H T.1, U.1; DFMA V, T, -U, 1; DFMA V, V, V, V; "
    "DFMA T, T, V, T; SEL V.1, v, 0x63400000, !P; MOV V.0, a.0; LOP3.LUT V.1, V.1, 0x800fffff, a.1, 0xf8, !PT; "
    "DFMA W, T, -U, 1; @!Q DFMA V, V, 2, -W; DFMA T, T, W, T; MOV x, t; MOV y, u; "
    "@!P LOP3.LUT y, U.1, 0x7ff00000, RZ, 0xc0, !PT; @!Q LOP3.LUT x, V.1, 0x7ff00000, RZ, 0xc0, !PT; DMUL W, T, V; "
    "VIADD y, y, 0xffffffff; VIADD x, x, 0xffffffff; DFMA V, W, -U, V; ISETP.GT.U32.AND P, PT, x, 0x7feffffe, PT; "
    "ISETP.GT.U32.OR P, PT, y, 0x7feffffe, P; DFMA V, T, V, W; @P BRA next; LOP3.LUT w, b.1, 0x7ff00000, RZ, 0xc0, "
    "!PT; "
    "IADD3 x, t, -w, RZ; ISETP.GE.U32.AND P, PT, t, w, PT; SEL v, v, 0x63400000, !P; IMAD.IADD v, x, 0x1, -v; "
    "MOV T.0, RZ; VIADD T.1, v, 0x7fe00000; DMUL W, V, T; FSETP.GTU.AND P, PT, |W.1|, 1.469367938527859385e-39, PT; "
    "@P BRA next; BSYNC B1; MOV t, 0x0; MOV d.0, W.0; MOV d.1, W.1; BRA next";
constexpr std::string_view kSquareRootDoubleSlow =
    "MOV z, 0x0; ISETP.GE.U32.AND P, PT, a.1, -0x3400000, PT; BSSY B1, 0x0; @!P BRA next; "
    "DSETP.NEU.AND P, PT, a, RZ, PT; @!P BRA next; ISETP.GE.AND P, PT, a.1, RZ, PT; @!P MOV T.0, 0x0; @!P BRA next; "
    "ISETP.GT.AND P, PT, a.1, 0x7fefffff, PT; @P BRA next; DMUL T, a, 8.11296384146066816958e+31; MOV U.0, RZ; "
    "MOV V.0, 0x0; MOV V.1, 0x3fd80000; MUFU.RSQ64H U.1, T.1; DMUL W, U, U; DFMA W, T, -W, 1; DFMA V, W, V, 0.5; "
    "DMUL W, U, W; DFMA V, V, W, U; DMUL U, T, V; VIADD V.1, V.1, 0xfff00000; DFMA W, U, -U, T; DFMA V, V, W, U; "
    "VIADD V.1, V.1, 0xfcb00000; BRA next; BSYNC B1; MOV t, 0x0; MOV d.0, V.0; MOV d.1, V.1; BRA next";
constexpr std::string_view kReciprocalRootDoubleSlow =
    "MOV z, 0x0; DSETP.NEU.AND P, PT, a, RZ, PT; BSSY B1, 0x0; LOP3.LUT t, a.1, 0x80000000, RZ, 0xc0, !PT; "
    "@!P BRA next; DSETP.GTU.AND P, PT, |a|, +INF, PT; @P BRA next; ISETP.NE.AND P, PT, t, RZ, PT; @P MOV u, 0x0; "
    "@P BRA next; DSETP.NEU.AND P, PT, |a|, +INF, PT; @!P BRA next; DMUL T, a, 1.80143985094819840000e+16; MOV U.0, "
    "RZ; "
    "MOV V.0, 0x0; MOV V.1, 0x3fd80000; MUFU.RSQ64H U.1, T.1; DMUL W, U, U; DFMA W, T, -W, 1; DFMA V, W, V, 0.5; "
    "DMUL W, U, W; DFMA U, V, W, U; DMUL U, U, 134217728; BRA next; BSYNC B1; MOV d.0, U.0; MOV d.1, U.1; BRA next";
// A reciprocal of 64 bits in two steps, the quotient, and two corrections.
#define WARPSIM_DIVIDE_64                                                                                           \
  "I2F.U64.RP t, b; MUFU.RCP t, t; IADD3 t, t, 0x1ffffffe, RZ; F2I.U64.TRUNC T, t; IMAD.WIDE.U32 U, T.0, b.0, RZ; " \
  "IMAD U.1, T.0, b.1, U.1; IADD3 t, P, RZ, -U.0, RZ; IMAD U.1, T.1, b.0, U.1; IMAD.HI.U32 U.0, T.0, t, RZ; "       \
  "IMAD.X u, RZ, RZ, ~U.1, P; MOV U.1, T.0; IMAD v, T.1, u, RZ; IMAD.WIDE.U32 U, P, T.0, u, U; "                    \
  "IMAD.HI.U32 u, T.1, u, RZ; IMAD.HI.U32 U.0, Q, T.1, t, U; IADD3 w, Q, v, U.0, RZ; IMAD.X U.0, u, 0x1, T.1, P; "  \
  "IMAD.WIDE.U32 T, w, b.0, RZ; IADD3.X x, RZ, RZ, U.0, Q, !PT; IMAD T.1, w, b.1, T.1; IADD3 t, P, RZ, -T.0, RZ; "  \
  "IMAD T.1, x, b.0, T.1; IMAD.HI.U32 U.0, w, t, RZ; IADD3.X u, RZ, ~T.1, RZ, P, !PT; MOV U.1, w; "                 \
  "IMAD.WIDE.U32 U, P, w, u, U; IMAD v, x, u, RZ; IMAD.HI.U32 U.1, Q, x, t, U; IMAD.HI.U32 u, x, u, RZ; "           \
  "IADD3 w, Q, v, U.1, RZ; IMAD.X x, u, 0x1, x, P; IMAD.HI.U32 T.0, w, a.0, RZ; IADD3.X x, RZ, RZ, x, Q, !PT; "     \
  "MOV T.1, RZ; IMAD.WIDE.U32 T, w, a.1, T; IMAD v, x, a.1, RZ; IMAD.HI.U32 T.0, P, x, a.0, T; "                    \
  "IMAD.HI.U32 u, x, a.1, RZ; IADD3 w, Q, v, T.0, RZ; IMAD.X u, RZ, RZ, u, P; IMAD.WIDE.U32 T, w, b.0, RZ; "        \
  "IADD3.X x, RZ, u, RZ, Q, !PT; IMAD T.1, w, b.1, T.1; IADD3 t, Q, -T.0, a.0, RZ; IMAD u, x, b.0, T.1; "           \
  "ISETP.GE.U32.AND P, PT, t, b.0, PT; IMAD.X u, a.1, 0x1, ~u, Q; IADD3 v, Q, w, 0x1, RZ; IMAD.X y, RZ, RZ, x, Q; " \
  "IADD3 z, Q, -b.0, t, RZ; ISETP.GE.U32.AND.EX P, PT, u, b.1, PT, P; IADD3.X V.0, ~b.1, u, RZ, Q, !PT; "           \
  "SEL z, z, t, P; SEL w, v, w, P; SEL u, V.0, u, P; SEL x, y, x, P; ISETP.GE.U32.AND P, PT, z, b.0, PT; "          \
  "IADD3 v, Q, w, 0x1, RZ; IADD3.X y, RZ, x, RZ, Q, !PT; ISETP.NE.U32.AND Q, PT, b.0, RZ, PT; "                     \
  "ISETP.GE.U32.AND.EX P, PT, u, b.1, PT, P; ISETP.NE.AND.EX Q, PT, b.1, RZ, PT, Q; SEL w, v, w, P; SEL x, y, x, P; "
constexpr std::string_view kDivide64Slow =
    "MOV y, 0x0; " WARPSIM_DIVIDE_64
    "MOV t, 0x0; SEL d.0, w, 0xffffffff, Q; SEL d.1, x, 0xffffffff, Q; BRA next; MOV t, 0x0; MOV u, 0x0; BRA next";
// With the operands' and the result's signs.
constexpr std::string_view kDivideSigned64Slow =
    "MOV y, 0x0; IADD3 t, P, RZ, -b.0, RZ; ISETP.GE.AND Q, PT, b.1, RZ, PT; IADD3.X u, RZ, ~b.1, RZ, P, !PT; "
    "SEL t, t, b.0, !Q; SEL u, u, b.1, !Q; IADD3 v, P, RZ, -a.0, RZ; ISETP.GE.AND Q, PT, a.1, RZ, PT; "
    "IADD3.X w, RZ, ~a.1, RZ, P, !PT; SEL v, v, a.0, !Q; SEL w, w, a.1, !Q; " WARPSIM_DIVIDE_64
    "LOP3.LUT t, a.1, b.1, RZ, 0x3c, !PT; IADD3 v, P, RZ, -w, RZ; IADD3.X y, RZ, ~x, RZ, P, !PT; "
    "ISETP.GE.AND P, PT, t, RZ, PT; SEL w, v, w, !P; SEL x, y, x, !P; MOV t, 0x0; SEL d.0, w, 0xffffffff, Q; "
    "SEL d.1, x, 0xffffffff, Q; BRA next; MOV t, 0x0; MOV u, 0x0; BRA next";
#undef WARPSIM_DIVIDE_64

}  // namespace warpsim::codegen
