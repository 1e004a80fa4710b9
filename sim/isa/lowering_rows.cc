// The lowering table's data. Evidence: `observed` is code of nvcc 13 for sm_75 and sm_90 or of the recorded programs;
// `guide` the CUDA C programming guides' counts of instructions or clocks; the others implement the operation
// with the instructions of the capability.
#include <algorithm>
#include <array>

#include "isa/lowering.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kTesla = 13;  // last architecture of each generation
constexpr std::uint32_t kFermi = 21;
constexpr std::uint32_t kKepler = 37;
constexpr std::uint32_t kPascal = 62;
constexpr std::uint32_t kVolta = 72;
constexpr std::uint32_t kTuring = 75;
constexpr std::uint32_t kAmpere = 80;  // its first
constexpr std::uint32_t kAda = 89;
constexpr std::uint32_t kNewest = 999;

constexpr std::string_view kShuffleSum =
    "SHFL t, a; IADD3 u, a, t; SHFL v, u; IADD3 w, u, v; SHFL t, w; IADD3 u, w, t; SHFL v, u; IADD3 w, u, v; "
    "SHFL t, w; IADD3 d, w, t";
constexpr std::string_view kHalvesAsFloat =
    "F2F t, a; F2F u, b; FFMA v, t, u, c; F2F w, v; F2F t, a; F2F u, b; FFMA v, t, u, c; F2F x, v; PRMT d, w, x";
constexpr std::string_view kReverseBits =
    "SHR t, a; LOP t, t; LOP u, a; SHL u, u; LOP v, t, u; SHR t, v; LOP t, t; LOP u, v; SHL u, u; LOP v, t, u; "
    "SHR t, v; LOP t, t; LOP u, v; SHL u, u; LOP v, t, u; SHR t, v; LOP t, t; LOP u, v; SHL u, u; LOP v, t, u; "
    "SHR t, v; SHL u, v; LOP d, t, u";
constexpr std::string_view kCountBits =
    "SHR t, a; LOP t, t; ISUB u, a, t; LOP t, u; SHR v, u; LOP v, v; IADD u, t, v; SHR t, u; IADD u, u, t; LOP u, u; "
    "SHR t, u; IADD u, u, t; SHR t, u; IADD u, u, t; LOP d, u";
constexpr std::string_view kProduct32 = "IMUL.U24 t, a, b; IMAD.U24 u, a, b, t; SHL v, u; IMAD.U24 d, a, b, v";
constexpr std::string_view kXmadProduct = "XMAD t, a, b, c; XMAD.MRG u, a, b; XMAD.PSL.CBCC d, a, u, t";
constexpr std::string_view kXmadWide =
    "XMAD t, a, b, c; XMAD.MRG u, a, b; XMAD v, a, b, t; XMAD.PSL w, u, v, a; XMAD.CHI x, a, b, w; IADD3 d, x, w, c";
constexpr std::string_view kDotProduct =
    "BFE t, a; BFE u, b; IMAD v, t, u, c; BFE t, a; BFE u, b; IMAD w, t, u, v; BFE t, a; BFE u, b; IMAD v, t, u, w; "
    "BFE t, a; BFE u, b; IMAD d, t, u, v";
constexpr std::string_view kHalfDifferences =
    "PRMT t, a; PRMT u, b; PRMT v, a, b; PRMT w, a, b; IADD x, t, u; SHR v, v; LEA w, w, v; IABS x, x; IABS w, w; "
    "MOV x, x; IADD3 d, w, c, x";

// Bulk copies in parts: eight accesses in flight.
constexpr std::string_view kCopyIn =
    "(LDG.E.128 pg; LDG.E.128 qg; LDG.E.128 tg; LDG.E.128 ug; LDG.E.128 vg; LDG.E.128 wg; LDG.E.128 xg; LDG.E.128 yg; "
    "STS.128 -ps; STS.128 -qs; STS.128 -ts; STS.128 -us; STS.128 -vs; STS.128 -ws; STS.128 -xs; STS.128 -ys)~; "
    "ATOMS.ADD -!";
constexpr std::string_view kCopyInAsynchronously = "(LDGSTS.E.BYPASS.128 -g)~; LDGDEPBAR !; DEPBAR.LE";
constexpr std::string_view kCopyOut =
    "(LDS.128 ps; LDS.128 qs; LDS.128 ts; LDS.128 us; LDS.128 vs; LDS.128 ws; LDS.128 xs; LDS.128 ys; "
    "STG.E.128 -pg; STG.E.128 -qg; STG.E.128 -tg; STG.E.128 -ug; STG.E.128 -vg; STG.E.128 -wg; STG.E.128 -xg; "
    "STG.E.128 -yg)~";
constexpr std::string_view kReduceOut =
    "(LDS ps; LDS qs; LDS ts; LDS us; LDS vs; LDS ws; LDS xs; LDS ys; RED.E.ADD -pg; RED.E.ADD -qg; RED.E.ADD -tg; "
    "RED.E.ADD -ug; RED.E.ADD -vg; RED.E.ADD -wg; RED.E.ADD -xg; RED.E.ADD -yg)~";

constexpr auto kLoweringRows = std::to_array<LoweringRow>({
    {"ACQBULK", "", 0, kAda, "NOP"},
    {"BFE", "", 0, kTesla, "SHL t, a; SHR d, t"},
    {"BFE", "", 70, kNewest, "PRMT t, b; PRMT u, t; PRMT v, t; SHF w, a, u; SGXT d, w, v"},  // observed
    {"BFI", "", 0, kTesla, "SHL t, a; LOP u, t, b; LOP d, u, c"},
    {"BFI", "", 70, kNewest,
     "PRMT t, b; PRMT u, t; PRMT v, t; SHF w, a, v; BMSK x, u, v; LOP3 d, w, x, c"},  // observed
    {"BGMMA", "", 0, kAda, "LDSM.16.M88.4 ts#; BMMA.168256.POPC d, a, t, d*"},
    {"BMMA", "", 0, kVolta, "(LOP3 t, a, b; POPC u, t; IADD d, u, d)*32"},
    {"BMOV", "", 0, kPascal, "NOP"},
    {"BMSK", "", 0, kPascal, "SHL t, b; IADD u, t; SHL d, u, a"},
    {"BREAK", "", 0, kPascal, "NOP"},
    {"BREV", "", 0, kTesla, kReverseBits},  // guide: tens of instructions on 1.x
    {"BSSY", "", 0, kPascal, "SSY"},
    {"BSYNC", "", 0, kKepler, "NOP"},
    {"BSYNC", "", 50, kPascal, "SYNC"},
    {"CGAERRBAR", "", 0, kAda, "NOP"},
    {"CS2R", "", 0, kKepler, "S2R d"},
    {"DADD", "", 0, 12, "FADD d, a, b"},  // guide: double precision is demoted before 1.3
    {"DFMA", "", 0, 12, "FFMA d, a, b, c"},
    {"DMMA", "", 0, kTuring, "DFMA d, a, b, d*"},
    {"DMNMX", "", 70, kNewest, "DSETP t, a, b; FSEL u, a, b, t; FSEL d, a, b, t"},
    {"DMUL", "", 0, 12, "FMUL d, a, b"},
    {"DSETP", "", 0, 12, "FSET d, a, b"},
    {"DSETP", "", kTesla, kTesla, "DSET d, a, b"},
    {"ELECT", "", 0, kAda, "VOTE t; FLO d, t"},
    {"ENDCOLLECTIVE", "", 0, kAda, "NOP"},
    {"ERRBAR", "", 0, kPascal, "NOP"},
    {"F2FP", "", 0, kTuring, "F2F t, a; F2F u, b; PRMT d, t, u"},
    {"F2IP", "", 0, kTuring, "F2I t, a; F2I u, b; PRMT d, t, u"},
    {"FCHK", "", 0, kFermi, "FSETP d, a, b"},
    {"FENCE", "", 0, kAda, "MEMBAR.CTA"},
    {"FFMA", "", 0, kTesla, "FMAD d, a, b, c"},
    {"FFMA32I", "", 0, kTesla, "FMAD d, a, b, c"},
    {"FLO", "", 0, kTesla, "I2F t, a; SHR u, t; IADD d, u"},
    {"FMAD", "", 20, kNewest, "FFMA d, a, b, c"},
    {"FMAX", "", 20, kNewest, "FMNMX d, a, b"},
    {"FMIN", "", 20, kNewest, "FMNMX d, a, b"},
    {"FMNMX", "", 0, kTesla, "FMAX d, a, b"},
    {"FRND", "", 0, kPascal, "F2F d, a"},
    {"FSEL", "", 0, kPascal, "SEL d, a, b"},
    {"FSETP", "", 0, kTesla, "FSET d, a, b"},
    {"HADD2", "", 0, 52, kHalvesAsFloat},
    {"HFMA2", "", 0, 52, kHalvesAsFloat},
    {"HFMA2", "MMA", 53, kTuring, "HFMA2 d, a, b, c"},
    {"HGMMA", "", 0, kAda, "LDSM.16.M88.4 ts#; HMMA.16816.F32 d, a, t, d*"},
    {"HMMA", "", 0, kPascal, "FFMA d, a, b, d*"},
    {"HMNMX2", "", 0, 52, kHalvesAsFloat},
    {"HMNMX2", "", 53, kTuring, "HSET2 t, a, b; LOP3 d, a, b, t"},
    {"HMUL2", "", 0, 52, kHalvesAsFloat},
    {"HSET2", "", 0, 52, kHalvesAsFloat},
    {"HSETP2", "", 0, 52, "F2F t, a; F2F u, b; FSETP v, t, u; FSETP d, t, u"},
    {"I2FP", "", 0, kTuring, "I2F d, a"},
    {"IABS", "", 0, kTesla, "ISUB t, a; IMAX d, t, a"},
    {"IABS", "", 20, kPascal, "IADD t, a; IMNMX d, a, t"},
    {"IADD", "", 70, kNewest, "IADD3 d, a, b"},
    {"IADD3", "", 0, kKepler, "IADD t, a, b; IADD d, t, c"},
    {"ICMP", "", 70, kNewest, "ISETP t, c; SEL d, a, b, t"},
    {"IDP", "", 0, 60, kDotProduct},
    {"IDP4A", "", 0, 60, kDotProduct},
    {"IGMMA", "", 0, kAda, "LDSM.16.M88.4 ts#; IMMA.16832.S8.S8 d, a, t, d*"},
    {"IMAD", "IADD", 0, kPascal, "IADD d, a, c"},
    {"IMAD", "MOV", 0, kPascal, "MOV d, c"},
    {"IMAD", "SHL", 0, kPascal, "SHL d, a"},
    {"IMAD", "U24", 0, kTesla, "="},
    {"IMAD", "WIDE", 0, kTesla, "SHL t, a; IADD d, t, c"},  // an index to an address, which has 32 bits there
    {"IMAD", "WIDE", 20, kKepler, "IMAD t, a, b, c; IMAD.HI d, a, b, c"},
    {"IMAD", "WIDE", 50, kPascal, kXmadWide},
    {"IMAD", "HI", 0, kTesla, "IMUL t, a, b; IMUL u, a, b; IADD v, t, c; IADD d, u, v"},
    {"IMAD", "HI", 50, kPascal, kXmadWide},
    {"IMAD", "", 0, kTesla, "IMUL t, a, b; IADD d, t, c"},
    {"IMAD", "", 50, kPascal, kXmadProduct},
    {"IMAX", "", 20, kNewest, "IMNMX d, a, b"},
    {"IMIN", "", 20, kNewest, "IMNMX d, a, b"},
    {"IMMA", "", 0, 70, "IDP d, a, b, d*4"},
    {"IMNMX", "", 0, kTesla, "IMAX d, a, b"},
    {"IMUL", "U24", 0, kTesla, "="},
    {"IMUL", "U24", 20, kNewest, "LOP32I t, a; LOP32I u, b; IMUL d, t, u"},  // observed
    {"IMUL", "", 0, kTesla, kProduct32},                                     // guide: 16 clocks
    {"IMUL", "", 50, kPascal, kXmadProduct},
    {"IMUL", "", 70, kNewest, "IMAD d, a, b"},  // observed
    {"ISAD", "", 50, kNewest, "VABSDIFF d, a, b, c"},
    {"ISCADD", "", 0, kTesla, "SHL t, a; IADD d, t, b"},
    {"ISCADD", "", 70, kNewest, "LEA d, a, b"},
    {"ISETP", "", 0, kTesla, "ISET d, a, b"},
    {"ISUB", "", 50, kNewest, "IADD d, a, b"},
    {"LDGDEPBAR", "", 0, kTuring, "NOP"},
    {"LDGSTS", "128", 0, kTuring, "LDG tm; STS.128 -ts"},
    {"LDGSTS", "64", 0, kTuring, "LDG tm; STS.64 -ts"},
    {"LDGSTS", "", 0, kTuring, "LDG tm; STS -ts"},
    {"LDSM", "", 0, kVolta, "LDS d, as*"},
    {"LEA", "", 0, kKepler, "ISCADD d, a, b"},
    {"LOP", "", 70, kNewest, "LOP3 d, a, b"},
    {"LOP3", "", 0, kKepler, "LOP t, a, b; LOP d, t, c"},
    {"LOP32I", "", 0, kTesla, "LOP d, a"},
    {"MATCH", "", 0, kPascal, "VOTE t, a; ISETP u, a, t; VOTE d, u"},
    {"MUFU", "COS", 0, kTesla, "RRO t, a; COS d, t"},
    {"MUFU", "EX2", 0, kTesla, "RRO t, a; EX2 d, t"},
    {"MUFU", "LG2", 0, kTesla, "LG2 d, a"},
    {"MUFU", "RCP", 0, kTesla, "RCP d, a"},
    {"MUFU", "RSQ", 0, kTesla, "RSQ d, a"},
    {"MUFU", "SIN", 0, kTesla, "RRO t, a; SIN d, t"},
    {"MUFU", "SQRT", 0, kKepler, "MUFU.RSQ t, a; MUFU.RCP d, t"},  // guide: rsqrt, then rcp
    {"MUFU", "TANH", 0, kVolta, "MUFU.EX2 t, a; FADD u, t; MUFU.RCP v, u; FFMA d, t, v, a"},
    {"MUFU", "", 0, kTesla, "RCP d, a"},
    {"NANOSLEEP", "", 0, kPascal, "NOP"},
    {"PLOP3", "", 0, kPascal, "PSETP d, a"},
    {"POPC", "", 0, kTesla, kCountBits},  // guide: tens of instructions on 1.x
    {"PREEXIT", "", 0, kAda, "NOP"},
    {"PRMT", "", 0, kTesla, "SHR t, a; LOP u, t; SHL v, b; LOP d, u, v"},
    {"PSETP", "", 0, kTesla, "LOP d, a"},
    {"QGMMA", "", 0, kAda, "LDSM.16.M88.4 ts#; HMMA.16816.F32 d, a, t, d*"},
    {"R2UR", "", 0, kVolta, "MOV d, a"},
    {"RCP", "", 20, kNewest, "MUFU.RCP d, a"},
    {"RED", "", 0, 10, ""},
    {"REDAS", "", 0, kAda, ""},
    {"REDUX", "", 0, kTuring, kShuffleSum},
    {"RSQ", "", 20, kNewest, "MUFU.RSQ d, a"},
    {"S2UR", "", 0, kVolta, "S2R d"},
    {"SEL", "", 0, kTesla, "MOV t, a; MOV d, b"},
    {"SGXT", "", 0, kPascal, "BFE d, a, b"},
    {"SHF", "", 0, 30, "SHR d, a, b"},  // compilers for 7.0 and later write every shift as SHF
    {"SHFL", "", 0, kFermi, "STS -a; LDS d"},
    {"SHL", "", 70, kNewest, "SHF d, a, b"},
    {"SHR", "", 70, kNewest, "SHF d, a, b"},
    {"SSY", "", 70, kNewest, "BSSY"},
    {"STAS", "", 0, kAda, ""},
    {"STSM", "", 0, kAda, "STS -a, bs*"},
    {"SYNC", "", 70, kNewest, "BSYNC"},
    {"SYNCS", "ARRIVE", 0, kAda, "ATOMS.ADD d, a!"},
    {"SYNCS", "EXCH", 0, kAda, "STS.64 -, a!"},
    {"SYNCS", "PHASECHK", 0, kAda, "LDS t, a!; ISETP d, t, b"},  // polled
    {"SYNCS", "", 0, kAda, "NOP"},
    {"UBLKCP", "G.S", 0, kAda, kCopyOut},
    {"UBLKCP", "", 0, kTuring, kCopyIn},
    {"UBLKCP", "", kAmpere, kAda, kCopyInAsynchronously},
    {"UBLKPF", "", 0, kAda, ""},
    {"UBLKRED", "", 0, kAda, kReduceOut},
    {"UBMSK", "", 0, kVolta, "BMSK d, a, b"},
    {"UBREV", "", 0, kVolta, "BREV d, a"},
    {"UCGABAR_ARV", "", 0, kAda, ""},
    {"UCGABAR_WAIT", "", 0, kAda, ""},
    {"UFLO", "", 0, kVolta, "FLO d, a"},
    {"UIADD3", "", 0, kVolta, "IADD3 d, a, b, c"},
    {"UIMAD", "", 0, kVolta, "IMAD d, a, b, c"},
    {"UISETP", "", 0, kVolta, "ISETP d, a, b"},
    {"ULDC", "", 0, kVolta, "MOV d"},  // operands come from constant memory directly
    {"ULEA", "", 0, kVolta, "LEA d, a, b"},
    {"ULOP3", "", 0, kVolta, "LOP3 d, a, b, c"},
    {"UMOV", "", 0, kVolta, "MOV d, a"},
    {"UP2UR", "", 0, kVolta, "P2R d"},
    {"UPLOP3", "", 0, kVolta, "PLOP3 d, a"},
    {"UPOPC", "", 0, kVolta, "POPC d, a"},
    {"UPRMT", "", 0, kVolta, "PRMT d, a, b"},
    {"UR2UP", "", 0, kVolta, "R2P d, a"},
    {"USEL", "", 0, kVolta, "SEL d, a, b"},
    {"USETMAXREG", "", 0, kAda, "NOP"},
    {"USGXT", "", 0, kVolta, "SGXT d, a, b"},
    {"USHF", "", 0, kVolta, "SHF d, a, b"},
    {"UTMACCTL", "", 0, kAda, "NOP"},
    {"UTMACMDFLUSH", "", 0, kAda, "NOP"},  // the copies themselves are in order
    {"UTMALDG", "", 0, kTuring, kCopyIn},
    {"UTMALDG", "", kAmpere, kAda, kCopyInAsynchronously},
    {"UTMAPF", "", 0, kAda, ""},
    {"UTMAREDG", "", 0, kAda, kReduceOut},
    {"UTMASTG", "", 0, kAda, kCopyOut},
    {"VABSDIFF", "", 0, kTesla, "ISAD d, a, b, c"},
    {"VABSDIFF", "", 20, kKepler, "ISAD d, a, b, c"},
    {"VABSDIFF2", "", 0, kFermi, kHalfDifferences},
    {"VABSDIFF2", "", 50, kNewest, kHalfDifferences},  // observed
    {"VABSDIFF4", "", 0, kFermi, kHalfDifferences},
    {"VABSDIFF4", "", 50, kPascal, kHalfDifferences},
    {"VADD2", "", 0, kTesla, "IADD t, a, b; LOP u, t, a; LOP v, u; IADD d, t, v"},
    {"VADD2", "", 50, kNewest, "IADD t, a, b; LOP3 u, t, a, b; LOP v, u; IADD d, t, v"},  // observed
    {"VIADD", "", 0, kAda, "IADD3 d, a, b"},
    {"VIADDMNMX", "", 0, kAda, "IADD3 t, a, b; IMNMX d, t, c"},
    {"VIMNMX", "", 0, kAda, "IMNMX d, a, b"},
    {"VIMNMX3", "", 0, kAda, "IMNMX t, a, b; IMNMX d, t, c"},
    {"VOTE", "", 0, 11, "STS -a; LDS d"},
    {"VOTEU", "", 0, kVolta, "VOTE d, a"},
    {"WARPGROUP", "", 0, kAda, "NOP"},
    {"WARPSYNC", "", 0, kPascal, "NOP"},
    {"XMAD", "", 0, kTesla, "IMAD.U24 d, a, b, c"},
    {"XMAD", "", 20, kKepler, "IMAD d, a, b, c"},
    {"XMAD", "", 70, kNewest, "IMAD d, a, b, c"},
    {"YIELD", "", 0, kPascal, "NOP"},
});

static_assert(std::ranges::is_sorted(kLoweringRows, {}, &LoweringRow::opcode));

}  // namespace

std::span<const LoweringRow> lowering_rows() {
  return kLoweringRows;
}

}  // namespace warpsim
