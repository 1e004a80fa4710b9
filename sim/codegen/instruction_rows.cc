// The data of code generation. Sequences are those of observed code of nvcc 13 for sm_75 and sm_90;
// rare ones implement the operation with the available instructions.
#include "codegen/instruction_rows.h"

#include <algorithm>
#include <array>

#include "codegen/division_sequences.h"

namespace warpsim::codegen {

namespace {

constexpr std::uint32_t kHopper = 90;
constexpr std::uint32_t kAny = 999;
constexpr auto kFast = ptx::CodePath::kFast;
constexpr auto kSlow = ptx::CodePath::kSlow;

constexpr std::string_view kScaledReciprocal =
    "FSETP.GEU.AND P, PT, |a|, 1.175494350822287508e-38, PT; @!P FMUL t, a, 16777216; MUFU.RCP u, t; "
    "@!P FMUL d, u, 16777216";
constexpr std::string_view kScaledReciprocalRoot =
    "FSETP.GEU.AND P, PT, |a|, 1.175494350822287508e-38, PT; @!P FMUL t, a, 16777216; MUFU.RSQ u, t; "
    "@!P FMUL d, u, 4096";
constexpr std::string_view kScaledRoot =
    "FSETP.GEU.AND P, PT, |a|, 1.175494350822287508e-38, PT; @!P FMUL t, a, 16777216; MUFU.SQRT u, t; "
    "@!P FMUL d, u, 0.000244140625";
constexpr std::string_view kScaledPower =
    "FSETP.GEU.AND P, PT, a, -126, PT; @!P FMUL t, a, 0.5; MUFU.EX2 u, t; @!P FMUL d, u, u";
constexpr std::string_view kScaledLogarithm =
    "FSETP.GEU.AND P, PT, |a|, 1.175494350822287508e-38, PT; @!P FMUL t, a, 16777216; MUFU.LG2 u, t; @!P FADD d, u, "
    "-24";
constexpr std::string_view kChooseDouble =
    "DSETP.MIN.AND P, Q, a, b, PT; MOV t, a.0; MOV u, a.1; FSEL d.1, u, b.1, P; SEL d.0, t, b.0, P; "
    "@Q LOP3.LUT d.1, b.1, 0x80000, RZ, 0xfc, !PT";

// Single video instructions are no longer executed by hardware.
constexpr std::string_view kVideoAdd = "PRMT t, a, 0x8880, RZ; PRMT u, b, 0x8880, RZ; IADD3 d, t, u, RZ";
constexpr std::string_view kVideoChoose = "PRMT t, a, 0x8880, RZ; PRMT u, b, 0x8880, RZ; IMNMX d, t, u, PT";

constexpr auto kRows = std::to_array<InstructionRow>({
    {"abs", "s32", "IABS d, a"},
    {"abs", "s64",
     "IADD3 T.0, P, RZ, -a.0, RZ; IADD3.X T.1, RZ, ~a.1, RZ, P, !PT; ISETP.GE.AND Q, PT, a.1, RZ, PT; "
     "SEL d.0, a.0, T.0, Q; SEL d.1, a.1, T.1, Q"},
    {"abs", "s16", "PRMT t, a, 0x9910, RZ; IABS d, t"},
    {"abs", "f32", "FADD d, |a|, -RZ"},
    {"abs", "f64", "DADD d, -RZ, |a|"},
    {"abs", "f16|f16x2|bf16|bf16x2", "HADD2 d, |a|, -RZ"},
    {"activemask", "", "VOTEU.ANY UR5, UPT, PT; MOV d, UR5"},
    {"add", "cc", "IADD3 d, P, a, b, RZ"},
    {"add", "s32|u32", "IADD3 d, a, b, RZ | VIADD d, a, b | IADD3 d, a, b, RZ | VIADD d, a, b | IMAD.IADD d, a, 0x1, b",
     kHopper},
    {"add", "s32|u32", "IADD3 d, a, b, RZ | IMAD.IADD d, a, 0x1, b"},
    {"add", "s64|u64",
     "IADD3 d.0, P, a.0, b.0, RZ; IADD3.X d.1, a.1, b.1, RZ, P, !PT | "
     "IADD3 d.0, P, a.0, b.0, RZ; IADD3.X d.1, a.1, b.1, RZ, P, !PT | "
     "IADD3 d.0, P, a.0, b.0, RZ; IMAD.X d.1, a.1, 0x1, b.1, P"},
    {"add", "s16|u16", "IADD3 d, a, b, RZ"},
    {"add", "f32", "FADD d, a, b"},
    {"add", "f64", "DADD d, a, b"},
    {"add", "f32x2", "FADD d.0, a.0, b.0; FADD d.1, a.1, b.1"},
    {"add", "f16|f16x2|bf16|bf16x2", "HADD2 d, a, b"},
    {"add", "u16x2|s16x2", "VADD2 d, a, b, RZ"},
    {"addc", "", "IADD3.X d, a, b, RZ, PT, !PT"},
    {"alloca", "", "IADD3 R1, R1, -a, RZ; MOV d, R1"},
    {"and", "pred", "PLOP3.LUT d, PT, a, b, PT, 0x80, 0x0"},
    {"and", "b64", "LOP3.LUT d.0, a.0, b.0, RZ, 0xc0, !PT; LOP3.LUT d.1, a.1, b.1, RZ, 0xc0, !PT"},
    {"and", "", "LOP3.LUT d, a, b, RZ, 0xc0, !PT"},
    {"bfe", "u32", "SHF.R.U32.HI t, RZ, b, a; SGXT.U32 d, t, c"},
    {"bfe", "s32", "SHF.R.U32.HI t, RZ, b, a; SGXT d, t, c"},
    {"bfe", "",
     "SHF.R.U64 t, a.0, b, a.1; SHF.R.U32.HI u, RZ, b, a.1; BMSK v, RZ, c; LOP3.LUT d.0, t, v, RZ, 0xc0, !PT; "
     "LOP3.LUT d.1, u, v, RZ, 0xc0, !PT"},
    {"bfi", "b32", "BMSK t, c, e; SHF.L.U32 u, a, c, RZ; LOP3.LUT d, u, t, b, 0xe2, !PT"},
    {"bfi", "",
     "BMSK t, c, e; SHF.L.U32 u, a.0, c, RZ; LOP3.LUT d.0, u, t, b.0, 0xe2, !PT; BMSK v, c, e; "
     "SHF.L.U64.HI w, a.0, c, a.1; LOP3.LUT d.1, w, v, b.1, 0xe2, !PT"},
    {"bfind", "u64|s64",
     "FLO.U32 t, a.0; FLO.U32 u, a.1; ISETP.NE.AND P, PT, a.1, RZ, PT; IADD3 u, u, 0x20, RZ; "
     "SEL d, u, t, P"},
    {"bfind", "", "FLO.U32 d, a"},
    {"bmsk", "", "BMSK d, a, b"},
    {"brev", "b64", "BREV d.0, a.1; BREV d.1, a.0"},
    {"brev", "", "BREV d, a"},
    {"brkpt", "", "BPT.TRAP 0x1"},
    {"clz", "b64",
     "FLO.U32 t, a.0; FLO.U32 u, a.1; ISETP.NE.AND P, PT, a.1, RZ, PT; IADD3 t, -t, 0x3f, RZ; "
     "IADD3 u, -u, 0x1f, RZ; SEL d, u, t, P"},
    {"clz", "", "FLO.U32 t, a; IADD3 d, -t, 0x1f, RZ"},
    {"cnot", "", "ISETP.NE.AND P, PT, a, RZ, PT; SEL d, RZ, 0x1, P"},
    {"copysign", "f64", "LOP3.LUT d.1, b.1, 0x80000000, a.1, 0xb8, !PT; MOV d.0, b.0"},
    {"copysign", "", "LOP3.LUT d, b, 0x80000000, a, 0xb8, !PT"},
    {"createpolicy", "cvt", "MOV d.0, a.0; MOV d.1, a.1"},
    // For a constant part; one in a register takes three instructions more.
    {"createpolicy", "",
     "UMOV UR4, 0xf0; UMOV UR5, 0x140; USHF.R.U32 UR4, UR4, 0x4, URZ; ULOP3.LUT UR5, UR5, 0xf, UR4, 0xf8, !UPT; "
     "USHF.L.U32 UR5, UR5, 0x14, URZ; UMOV UR4, URZ; MOV d.0, UR4; MOV d.1, UR5"},
    {"cvta", "u32", "MOV d, a"},
    {"cvta", "", "MOV d.0, a.0; IMAD.MOV.U32 d.1, RZ, RZ, a.1"},
    {"discard", "", "NOP"},
    {"div", "approx|full f32", kDivideFast},
    {"div", "f32", kDivideSingle, 0, kAny, 13},
    {"div", "f32", kDivideSingleFast, 0, kAny, 0, {}, kFast},
    {"div", "f32", kDivideSingleSlow, 0, kAny, 13, {}, kSlow},
    {"div", "f64", kDivideDouble, 0, kAny, 22},
    {"div", "f64", kDivideDoubleFast, 0, kAny, 0, {}, kFast},
    {"div", "f64", kDivideDoubleSlow, 0, kAny, 22, {}, kSlow},
    {"div", "s64", kDivide64, 0, kAny, 21},
    {"div", "s64", kDivide64Fast, 0, kAny, 0, {}, kFast},
    {"div", "s64", kDivideSigned64Slow, 0, kAny, 21, {}, kSlow},
    {"div", "u64", kDivide64, 0, kAny, 16},
    {"div", "u64", kDivide64Fast, 0, kAny, 0, {}, kFast},
    {"div", "u64", kDivide64Slow, 0, kAny, 16, {}, kSlow},
    {"div", "s32|s16", kDivideSigned, 0, 999, 0, kSignedDivisor},
    {"div", "", kDivideUnsigned, 0, 999, 0, kUnsignedDivisor},
    {"dp2a", "", "IDP.2A.LO.S16.S8 d, a, b, c"},
    {"dp4a", "", "IDP.4A.S8.S8 d, a, b, c"},
    {"elect", "", "ELECT p, UR5, PT; MOV d, UR5"},
    {"ex2", "f16|f16x2|bf16|bf16x2", "MUFU.EX2.F16 t, a; PRMT d, t, 0x5410, t"},
    {"ex2", "ftz", "MUFU.EX2 d, a"},
    {"ex2", "", kScaledPower},
    {"fma", "f32x2", "FFMA d.0, a.0, b.0, c.0; FFMA d.1, a.1, b.1, c.1"},
    {"fma", "f32", "FFMA d, a, b, c"},
    {"fma", "f64", "DFMA d, a, b, c"},
    {"fma", "bf16|bf16x2", "HFMA2.BF16_V2 d, a, b, c"},
    {"fma", "", "HFMA2.MMA d, a, b, c | HFMA2 d, a, b, c", kHopper},
    {"fma", "", "HFMA2 d, a, b, c"},
    {"fns", "", "BMSK t, RZ, b; LOP3.LUT u, a, t, RZ, 0xc0, !PT; POPC v, u; FLO.U32 d, v"},
    {"getctarank", "", "SHF.R.U32.HI d, RZ, 0x18, a"},
    {"isspacep", "", "QSPC.E.S p, RZ, [a.64]"},
    {"lg2", "ftz", "MUFU.LG2 d, a"},
    {"lg2", "", kScaledLogarithm},
    {"lop3", "", "LOP3.LUT d, a, b, c, 0x96, !PT"},
    {"mad", "wide s32", "IMAD.WIDE d, a, b, c"},
    {"mad", "wide u32", "IMAD.WIDE.U32 d, a, b, c"},
    {"mad", "wide", "PRMT t, a, 0x9910, RZ; PRMT u, b, 0x9910, RZ; IMAD d, t, u, c"},
    {"mad", "hi s32", "IMAD.HI t, a, b, RZ; IADD3 d, t, c, RZ"},
    {"mad", "hi u32", "IMAD.HI.U32 t, a, b, RZ; IADD3 d, t, c, RZ"},
    {"mad", "lo s64|u64",
     "IMAD.WIDE.U32 T, a.0, b.0, c; IMAD t, a.1, b.0, RZ; IMAD t, a.0, b.1, t; "
     "IADD3 d.1, T.1, t, RZ"},
    {"mad", "f32", "FFMA d, a, b, c"},
    {"mad", "f64", "DFMA d, a, b, c"},
    {"mad", "", "IMAD d, a, b, c"},
    {"mad24", "", "LOP3.LUT t, a, 0xffffff, RZ, 0xc0, !PT; LOP3.LUT u, b, 0xffffff, RZ, 0xc0, !PT; IMAD d, t, u, c"},
    {"madc", "", "IMAD.X d, a, b, c, PT"},
    {"mapa", "", "LEA d, b, a, 0x18"},
    {"match", "any b64", "MATCH.ANY.U64 d, a"},
    {"match", "any", "MATCH.ANY d, a"},
    {"match", "b64", "MATCH.ALL.U64 p, d, a"},
    {"match", "", "MATCH.ALL p, d, a"},
    {"max", "s32|u32|s16|u16|s16x2|u16x2", "VIMNMX d, a, b, !PT", kHopper},
    {"max", "s32|u32|s16|u16", "IMNMX d, a, b, !PT"},
    {"max", "s64|u64",
     "ISETP.GT.U32.AND P, PT, a.0, b.0, PT; ISETP.GT.AND.EX P, PT, a.1, b.1, PT, P; "
     "SEL d.0, a.0, b.0, P; SEL d.1, a.1, b.1, P"},
    {"max", "f32", "FMNMX d, a, b, !PT"},
    {"max", "f64", kChooseDouble},
    {"max", "", "HMNMX2 d, a, b, !PT"},
    {"min", "s32|u32|s16|u16|s16x2|u16x2", "VIMNMX d, a, b, PT", kHopper},
    {"min", "s32|u32|s16|u16", "IMNMX d, a, b, PT"},
    {"min", "s64|u64",
     "ISETP.LT.U32.AND P, PT, a.0, b.0, PT; ISETP.LT.AND.EX P, PT, a.1, b.1, PT, P; "
     "SEL d.0, a.0, b.0, P; SEL d.1, a.1, b.1, P"},
    {"min", "f32", "FMNMX d, a, b, PT"},
    {"min", "f64", kChooseDouble},
    {"min", "", "HMNMX2 d, a, b, PT"},
    {"mov", "b64|u64|s64|f64", "MOV d.0, a.0; IMAD.MOV.U32 d.1, RZ, RZ, a.1"},
    {"mov", "b128", "MOV d.0, a.0; IMAD.MOV.U32 d.1, RZ, RZ, a.1; MOV d.2, a.2; IMAD.MOV.U32 d.3, RZ, RZ, a.3"},
    {"mov", "pred", "PLOP3.LUT d, PT, a, PT, PT, 0x80, 0x0"},
    {"mov", "", "MOV d, a | IMAD.MOV.U32 d, RZ, RZ, a"},
    {"movmatrix", "", "MOVM.16.MT88 d, a"},
    {"mul", "wide s32", "IMAD.WIDE d, a, b, RZ"},
    {"mul", "wide u32", "IMAD.WIDE.U32 d, a, b, RZ"},
    {"mul", "wide", "PRMT t, a, 0x9910, RZ; PRMT u, b, 0x9910, RZ; IMAD d, t, u, RZ"},
    {"mul", "hi s32", "IMAD.HI d, a, b, RZ"},
    {"mul", "hi u32", "IMAD.HI.U32 d, a, b, RZ"},
    {"mul", "hi s64|u64",
     "IMAD.WIDE.U32 T, a.1, b.0, RZ; IMAD.WIDE.U32 T, a.0, b.1, T; IMAD.X t, RZ, RZ, RZ, PT; "
     "IMAD.WIDE.U32 U, a.0, b.0, RZ; IADD3 RZ, P, U.1, T.0, RZ; MOV V.0, T.1; MOV V.1, t; "
     "IMAD.WIDE.U32.X d, a.1, b.1, V, P"},
    {"mul", "hi", "IMAD t, a, b, RZ; SHF.R.U32.HI d, RZ, 0x10, t"},
    {"mul", "lo s64|u64",
     "IMAD.WIDE.U32 d, a.0, b.0, RZ; IMAD t, a.1, b.0, RZ; IMAD t, a.0, b.1, t; "
     "IADD3 d.1, d.1, t, RZ"},
    {"mul", "lo", "IMAD d, a, b, RZ"},
    {"mul", "f32x2", "FMUL d.0, a.0, b.0; FMUL d.1, a.1, b.1"},
    {"mul", "f32", "FMUL d, a, b"},
    {"mul", "f64", "DMUL d, a, b"},
    {"mul", "", "HMUL2 d, a, b"},
    {"mul24", "", "LOP3.LUT t, a, 0xffffff, RZ, 0xc0, !PT; LOP3.LUT u, b, 0xffffff, RZ, 0xc0, !PT; IMAD d, t, u, RZ"},
    {"nanosleep", "", "NANOSLEEP a"},
    {"neg", "s64", "IADD3 d.0, P, RZ, -a.0, RZ; IADD3.X d.1, RZ, ~a.1, RZ, P, !PT"},
    {"neg", "s32|s16", "IADD3 d, -a, RZ, RZ | IMAD.MOV d, RZ, RZ, -a"},
    {"neg", "f32", "FADD d, -a, -RZ"},
    {"neg", "f64", "DADD d, -RZ, -a"},
    {"neg", "", "HADD2 d, -a, -RZ"},
    {"not", "pred", "PLOP3.LUT d, PT, a, PT, PT, 0x8, 0x0"},
    {"not", "b64", "LOP3.LUT d.0, RZ, a.0, RZ, 0x33, !PT; LOP3.LUT d.1, RZ, a.1, RZ, 0x33, !PT"},
    {"not", "", "LOP3.LUT d, RZ, a, RZ, 0x33, !PT"},
    {"or", "pred", "PLOP3.LUT d, PT, a, b, PT, 0xa8, 0x0"},
    {"or", "b64", "LOP3.LUT d.0, a.0, b.0, RZ, 0xfc, !PT; LOP3.LUT d.1, a.1, b.1, RZ, 0xfc, !PT"},
    {"or", "", "LOP3.LUT d, a, b, RZ, 0xfc, !PT"},
    {"pmevent", "", "PMTRIG a"},
    {"popc", "b64", "POPC t, a.0; POPC u, a.1; IADD3 d, t, u, RZ"},
    {"popc", "", "POPC d, a"},
    {"prmt", "", "PRMT d, a, c, b"},
    {"rcp", "approx ftz f32", "MUFU.RCP d, a"},
    {"rcp", "approx ftz f64", "MUFU.RCP64H d.1, a.1; MOV d.0, RZ"},
    {"rcp", "approx", kScaledReciprocal},
    {"rcp", "f64", kReciprocalDouble, 0, kAny, 12},
    {"rcp", "f64", kReciprocalDoubleFast, 0, kAny, 0, {}, kFast},
    {"rcp", "f64", kReciprocalDoubleSlow, 0, kAny, 12, {}, kSlow},
    {"rcp", "", kReciprocal, 0, kAny, 12},
    {"rcp", "", kReciprocalFast, 0, kAny, 0, {}, kFast},
    {"rcp", "", kReciprocalSlow, 0, kAny, 12, {}, kSlow},
    {"redux", "", "REDUX.SUM UR5, a; MOV d, UR5"},
    {"rem", "s64", kDivide64, 0, kAny, 21},
    {"rem", "s64", kDivide64Fast, 0, kAny, 0, {}, kFast},
    {"rem", "s64", kDivideSigned64Slow, 0, kAny, 21, {}, kSlow},
    {"rem", "u64", kDivide64, 0, kAny, 16},
    {"rem", "u64", kDivide64Fast, 0, kAny, 0, {}, kFast},
    {"rem", "u64", kDivide64Slow, 0, kAny, 16, {}, kSlow},
    {"rem", "s32|s16", kRemainderSigned, 0, 999, 0, kSignedDivisor},
    {"rem", "", kRemainderUnsigned, 0, 999, 0, kUnsignedDivisor},
    {"rsqrt", "ftz f32", "MUFU.RSQ d, a"},
    {"rsqrt", "ftz f64", "MUFU.RSQ64H d.1, a.1; MOV d.0, RZ"},
    {"rsqrt", "f64", kReciprocalRootDouble, 0, kAny, 12},
    {"rsqrt", "f64", kReciprocalRootDoubleFast, 0, kAny, 0, {}, kFast},
    {"rsqrt", "f64", kReciprocalRootDoubleSlow, 0, kAny, 12, {}, kSlow},
    {"rsqrt", "", kScaledReciprocalRoot},
    {"sad", "u64|s64",
     "IADD3 T.0, P, a.0, -b.0, RZ; IADD3.X T.1, a.1, ~b.1, RZ, P, !PT; IADD3 d.0, P, T.0, c.0, RZ; "
     "IADD3.X d.1, T.1, c.1, RZ, P, !PT"},
    {"sad", "", "VABSDIFF.U32 d, a, b, c"},
    {"sass", "fchk", "FCHK d, a, b"},
    {"sass", "slow div f64",
     "FSETP.GEU.AND Q, PT, |a.1|, 6.5827683646048100446e-37, PT; FFMA t, RZ, b.1, c.1; "
     "FSETP.GT.AND d, PT, |t|, 1.469367938527859385e-39, PT"},
    {"sass", "slow div|rem", "LOP3.LUT t, a.1, b.1, RZ, 0xfc, !PT; ISETP.NE.U32.AND d, PT, t, RZ, PT"},
    {"sass", "slow rcp f64", "FSETP.GEU.AND d, PT, |a.1|, 5.8789094863358348022e-39, PT"},
    {"sass", "slow rcp",
     "IADD3 t, a, 0x1800000, RZ; LOP3.LUT t, t, 0x7f800000, RZ, 0xc0, !PT; ISETP.GT.U32.AND d, PT, t, 0x1ffffff, PT"},
    {"sass", "slow rsqrt", "VIADD t, a.1, -0x100000; ISETP.GE.U32.AND d, PT, t, 0x7fe00000, PT"},
    {"sass", "slow sqrt f64", "ISETP.GE.U32.AND d, PT, a.1, 0x7ca00000, PT"},
    {"sass", "slow sqrt", "IADD3 t, a, -0xd000000, RZ; ISETP.GT.U32.AND d, PT, t, 0x727fffff, PT"},
    {"selp", "f32", "FSEL d, a, b, c"},
    {"selp", "f64", "FSEL d.0, a.0, b.0, c; FSEL d.1, a.1, b.1, c"},
    {"selp", "b64|u64|s64", "SEL d.0, a.0, b.0, c; SEL d.1, a.1, b.1, c"},
    {"selp", "", "SEL d, a, b, c"},
    {"shf", "l", "SHF.L.W.U32.HI d, a, c, b"},
    {"shf", "r", "SHF.R.W.U32 d, a, c, b"},
    {"shl", "b64", "SHF.L.U64.HI d.1, a.0, b, a.1; SHF.L.U32 d.0, a.0, b, RZ"},
    {"shl", "", "SHF.L.U32 d, a, b, RZ | IMAD.SHL.U32 d, a, b, RZ"},
    {"shr", "s64", "SHF.R.S64 d.0, a.0, b, a.1; SHF.R.S32.HI d.1, RZ, b, a.1"},
    {"shr", "u64|b64", "SHF.R.U64 d.0, a.0, b, a.1; SHF.R.U32.HI d.1, RZ, b, a.1"},
    {"shr", "s32|s16", "SHF.R.S32.HI d, RZ, b, a"},
    {"shr", "", "SHF.R.U32.HI d, RZ, b, a"},
    {"slct", "", "ISETP.GE.AND P, PT, c, RZ, PT; SEL d, a, b, P"},
    {"sqrt", "approx ftz", "MUFU.SQRT d, a"},
    {"sqrt", "approx", kScaledRoot},
    {"sqrt", "f64", kSquareRootDouble, 0, kAny, 17},
    {"sqrt", "f64", kSquareRootDoubleFast, 0, kAny, 0, {}, kFast},
    {"sqrt", "f64", kSquareRootDoubleSlow, 0, kAny, 17, {}, kSlow},
    {"sqrt", "", kSquareRoot, 0, kAny, 9},
    {"sqrt", "", kSquareRootFast, 0, kAny, 0, {}, kFast},
    {"sqrt", "", kSquareRootSlow, 0, kAny, 9, {}, kSlow},
    {"stackrestore", "u64", "MOV R1, a.0"},
    {"stackrestore", "", "MOV R1, a"},
    {"stacksave", "u64", "MOV d.0, R1; MOV d.1, RZ"},
    {"stacksave", "", "MOV d, R1"},
    {"sub", "s32|u32", "IADD3 d, a, -b, RZ | IMAD.IADD d, a, 0x1, -b"},
    {"sub", "s64|u64", "IADD3 d.0, P, a.0, -b.0, RZ; IADD3.X d.1, a.1, ~b.1, RZ, P, !PT"},
    {"sub", "s16|u16", "IADD3 d, a, -b, RZ"},
    {"sub", "f32x2", "FADD d.0, a.0, -b.0; FADD d.1, a.1, -b.1"},
    {"sub", "f32", "FADD d, a, -b"},
    {"sub", "f64", "DADD d, a, -b"},
    {"sub", "", "HADD2 d, a, -b"},
    {"subc", "", "IADD3.X d, a, ~b, RZ, PT, !PT"},
    {"szext", "s32", "SGXT d, a, b"},
    {"szext", "", "SGXT.U32 d, a, b"},
    {"tanh", "f16|f16x2|bf16|bf16x2", "MUFU.TANH.F16 t, a; PRMT d, t, 0x5410, t"},
    {"tanh", "", "MUFU.TANH d, a"},
    {"testp", "f64", "DSETP.NAN.AND d, PT, a, a, PT"},
    {"testp", "", "FSETP.NAN.AND d, PT, a, a, PT"},
    {"trap", "", "BPT.TRAP 0x1"},
    {"vabsdiff", "", kVideoAdd},
    {"vabsdiff2", "", "VABSDIFF2 d, a, b, c"},
    {"vabsdiff4", "", "VABSDIFF4 d, a, b, c"},
    {"vadd", "", kVideoAdd},
    {"vadd2", "", "VADD2 d, a, b, c"},
    {"vadd4", "", "VADD4 d, a, b, c"},
    {"vavrg2", "", "VAVRG2 d, a, b, c"},
    {"vavrg4", "", "VAVRG4 d, a, b, c"},
    {"vmad", "", "PRMT t, a, 0x8880, RZ; PRMT u, b, 0x8880, RZ; IMAD d, t, u, c"},
    {"vmax", "", kVideoChoose},
    {"vmax2", "", "VMNMX2 d, a, b, c"},
    {"vmax4", "", "VMNMX4 d, a, b, c"},
    {"vmin", "", kVideoChoose},
    {"vmin2", "", "VMNMX2 d, a, b, c"},
    {"vmin4", "", "VMNMX4 d, a, b, c"},
    {"vote", "ballot", "VOTE.ANY d, PT, a"},
    {"vote", "all", "VOTE.ALL d, a"},
    {"vote", "uni", "VOTE.EQ d, a"},
    {"vote", "", "VOTE.ANY d, a"},
    {"vset", "", "PRMT t, a, 0x8880, RZ; PRMT u, b, 0x8880, RZ; ISETP.GT.AND P, PT, t, u, PT; SEL d, RZ, 0x1, P"},
    {"vset2", "", "VSET2 d, a, b, c"},
    {"vset4", "", "VSET4 d, a, b, c"},
    {"vshl", "", "PRMT t, a, 0x8880, RZ; SHF.L.U32 d, t, b, RZ"},
    {"vshr", "", "PRMT t, a, 0x8880, RZ; SHF.R.S32.HI d, RZ, b, t"},
    {"vsub", "", kVideoAdd},
    {"vsub2", "", "VSUB2 d, a, b, c"},
    {"vsub4", "", "VSUB4 d, a, b, c"},
    {"xor", "pred", "PLOP3.LUT d, PT, a, b, PT, 0x48, 0x0"},
    {"xor", "b64", "LOP3.LUT d.0, a.0, b.0, RZ, 0x3c, !PT; LOP3.LUT d.1, a.1, b.1, RZ, 0x3c, !PT"},
    {"xor", "", "LOP3.LUT d, a, b, RZ, 0x3c, !PT"},
});
static_assert(std::ranges::is_sorted(kRows, {}, &InstructionRow::opcode));

bool has_one_of(const ptx::Instruction& instruction, std::string_view alternatives) {
  while (!alternatives.empty()) {
    const std::size_t bar = std::min(alternatives.find('|'), alternatives.size());
    if (std::ranges::find(instruction.modifiers, alternatives.substr(0, bar)) != instruction.modifiers.end()) {
      return true;
    }
    alternatives.remove_prefix(std::min(bar + 1, alternatives.size()));
  }
  return false;
}

bool has_all(const ptx::Instruction& instruction, std::string_view words) {
  while (!words.empty()) {
    const std::size_t blank = std::min(words.find(' '), words.size());
    if (!has_one_of(instruction, words.substr(0, blank))) {
      return false;
    }
    words.remove_prefix(std::min(blank + 1, words.size()));
  }
  return true;
}

}  // namespace

std::span<const InstructionRow> instruction_rows() {
  return kRows;
}

const InstructionRow* find_row(const ptx::Instruction& instruction, std::uint32_t architecture) {
  const auto* row = std::ranges::lower_bound(kRows, instruction.opcode, {}, &InstructionRow::opcode);
  for (; row != kRows.end() && row->opcode == instruction.opcode; ++row) {
    const bool applies = architecture >= row->first && architecture <= row->last && row->path == instruction.path;
    if (applies && has_all(instruction, row->words)) {
      return row;
    }
  }
  return nullptr;
}

}  // namespace warpsim::codegen
