#include "isa/opcode_table.h"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "isa/opcode_rows.h"

namespace warpsim {
namespace {

StaticInstruction classified(const std::string& opcode, std::uint32_t architecture = 90) {
  StaticInstruction instruction;
  classify(opcode, architecture, instruction);
  return instruction;
}

// Names of the documented instruction sets (CUDA Binary Utilities), blanks between them.
constexpr const char* kHopper =
    "FADD FADD32I FCHK FFMA32I FFMA FMNMX FMUL FMUL32I FSEL FSET FSETP FSWZADD MUFU HADD2 HADD2_32I HFMA2 HFMA2_32I "
    "HMMA HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2 DADD DFMA DMMA DMUL DSETP BMMA BMSK BREV FLO IABS IADD IADD3 IADD32I IDP "
    "IDP4A IMAD IMMA IMNMX IMUL IMUL32I ISCADD ISCADD32I ISETP LEA LOP LOP3 LOP32I POPC SHF SHL SHR VABSDIFF VABSDIFF4 "
    "VHMNMX VIADD VIADDMNMX VIMNMX VIMNMX3 F2F F2I I2F I2I I2IP I2FP F2IP FRND F2FP MOV MOV32I MOVM PRMT SEL SGXT SHFL "
    "PLOP3 PSETP P2R R2P FENCE LD LDC LDG LDGDEPBAR LDGMC LDGSTS LDL LDS LDSM STSM ST STG STL STS STAS SYNCS MATCH "
    "QSPC "
    "ATOM ATOMS ATOMG REDAS REDG CCTL CCTLL ERRBAR MEMBAR CCTLT R2UR REDUX S2UR UBMSK UBREV UCGABAR_ARV UCGABAR_WAIT "
    "UCLEA UF2FP UFLO UIADD3 UIADD3.64 UIMAD UISETP ULDC ULEA ULEPC ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3 UPOPC UPRMT "
    "UPSETP UR2UP USEL USETMAXREG USGXT USHF USHL USHR VOTEU BGMMA.64x8x256 HGMMA.64x8x16.F32 IGMMA.64x8x32.S8.S8 "
    "QGMMA.64x8x32.F32.E4M3.E4M3 WARPGROUP WARPGROUPSET UBLKCP UBLKPF UBLKRED UTMACCTL UTMACMDFLUSH UTMALDG UTMAPF "
    "UTMAREDG UTMASTG TEX TLD TLD4 TMML TXD TXQ SUATOM SULD SURED SUST ACQBULK BMOV BPT BRA BREAK BRX BRXU BSSY BSYNC "
    "CALL CGAERRBAR ELECT ENDCOLLECTIVE EXIT JMP JMX JMXU KILL NANOSLEEP PREEXIT RET RPCMOV WARPSYNC YIELD B2R BAR "
    "CS2R "
    "DEPBAR GETLMEMBASE LEPC NOP PMTRIG S2R SETCTAID SETLMEMBASE VOTE RED";
constexpr const char* kVoltaAndTuring = "RTT R2B CSMTEST VOTE_VTG";
constexpr const char* kMaxwellAndPascal =
    "FCMP RRO DMNMX DSET BFE BFI ICMP IDE IMADSP ISET XMAD VADD VMAD VMNMX VSET VSETP VSHL VSHR CSET CSETP PSET TEXS "
    "TLDS "
    "TLD4S TXA STP SSY SYNC CAL JCAL PRET BRK PBK CONT PCNT LONGJMP PLONGJMP PEXIT KIL RAM SAM GETCRSPTR SETCRSPTR "
    "ISBERD "
    "PIXLD IPA AL2P ALD AST OUT";

}  // namespace

TEST_CASE("opcode table: every documented opcode of sm_50 to sm_90 is known", "[isa]") {
  for (const char* names : {kHopper, kVoltaAndTuring, kMaxwellAndPascal}) {
    std::istringstream stream(names);
    for (std::string name; stream >> name;) {
      const bool tensor = name == "HMMA" || name == "IMMA" || name == "BMMA" || name == "DMMA";
      INFO(name);
      StaticInstruction instruction;
      CHECK(classify(tensor ? name + ".16816.F32" : name, 90, instruction));
    }
  }
}

TEST_CASE("opcode table: the modifier rows name opcodes that have a row", "[isa]") {
  for (const ModifierRow& row : modifier_rows()) {
    INFO(row.opcode);
    CHECK(classified(std::string(row.opcode)).known_opcode);
  }
}

TEST_CASE("opcode table: an unknown opcode becomes an ALU operation and is reported", "[isa]") {
  StaticInstruction instruction;
  CHECK_FALSE(classify("FROBNICATE.X", 90, instruction));
  CHECK_FALSE(instruction.known_opcode);
  CHECK(instruction.kind == OpKind::kCompute);
  CHECK(instruction.pipe == Pipe::kAlu);
  CHECK(instruction_class("FROBNICATE.X", 90) == InstructionClass::kOther);
}

TEST_CASE("opcode table: an unknown opcode that begins with U is a uniform operation", "[isa]") {
  StaticInstruction instruction;
  CHECK_FALSE(classify("UVIRTCOUNT", 90, instruction));
  CHECK(instruction.pipe == Pipe::kUniform);
}

TEST_CASE("opcode table: loads have width, space and cache operator from their modifiers", "[isa]") {
  const StaticInstruction plain = classified("LDG.E");
  CHECK(plain.kind == OpKind::kLoad);
  CHECK(plain.space == MemorySpace::kGlobal);
  CHECK(plain.bytes_per_lane == 4);
  CHECK(plain.cache_op == CacheOp::kDefault);
  CHECK(classified("LDG.E.128.CONSTANT").bytes_per_lane == 16);
  CHECK(classified("LDG.E.128.CONSTANT").cache_op == CacheOp::kReadOnly);
  CHECK(classified("LDG.E.U8").bytes_per_lane == 1);
  CHECK(classified("LDS.S16").bytes_per_lane == 2);
  CHECK(classified("LDS.U.128", 61).bytes_per_lane == 16);
  CHECK(classified("LDL.64").space == MemorySpace::kLocal);
  CHECK(classified("LD.E").space == MemorySpace::kGeneric);
  CHECK(classified("STG.E.EF.64").cache_op == CacheOp::kEvictFirst);
  CHECK(classified("LDG.E.STRONG.GPU").cache_op == CacheOp::kBypassL1);
  CHECK(classified("LDG.E.STRONG.SYS").cache_op == CacheOp::kSystem);
  CHECK(classified("LDG.E.STRONG.SM").cache_op == CacheOp::kDefault);
  CHECK(classified("LDG.E.SYS", 75).cache_op == CacheOp::kDefault);
  CHECK(classified("LDG.E.CI.64", 52).cache_op == CacheOp::kReadOnly);
  CHECK(classified("LDG.E.64", 35).cache_op == CacheOp::kReadOnly);
  CHECK(classified("LD.E.64", 35).cache_op == CacheOp::kDefault);
  CHECK(classified("LD.E.CA", 35).cache_op == CacheOp::kCacheAll);
  CHECK(classified("LD.E.CG", 20).cache_op == CacheOp::kBypassL1);
  CHECK(classified("LD.E.CV", 20).cache_op == CacheOp::kBypassL1);
  CHECK(classified("LD.E.CS", 20).cache_op == CacheOp::kEvictFirst);
  CHECK(classified("LDL.LU", 20).cache_op == CacheOp::kLastUse);
  CHECK(classified("ST.E.CG", 20).cache_op == CacheOp::kBypassL1);
  CHECK(classified("ST.E.WT", 20).cache_op == CacheOp::kDefault);
  CHECK(classified("LDG.E.LTC128B").bytes_per_lane == 4);
}

TEST_CASE("opcode table: atomics return a value, reductions do not", "[isa]") {
  CHECK(classified("ATOMG.E.ADD.STRONG.GPU").kind == OpKind::kAtomic);
  CHECK(classified("ATOMG.E.CAS.64.STRONG.GPU").bytes_per_lane == 8);
  CHECK(classified("RED.E.ADD.F64.RN.STRONG.GPU", 80).bytes_per_lane == 8);
  CHECK(classified("REDG.E.ADD.STRONG.GPU").kind == OpKind::kReduction);
  CHECK(classified("REDG.E.ADD.STRONG.GPU").space == MemorySpace::kGlobal);
  CHECK(classified("ATOMS.POPC.INC.32").space == MemorySpace::kShared);
}

TEST_CASE("opcode table: asynchronous copies and matrix loads", "[isa]") {
  const StaticInstruction copy = classified("LDGSTS.E.BYPASS.128");
  CHECK(copy.kind == OpKind::kAsyncCopy);
  CHECK(copy.space == MemorySpace::kGlobal);
  CHECK(copy.bytes_per_lane == 16);
  CHECK(copy.cache_op == CacheOp::kBypassL1);
  CHECK(classified("LDGDEPBAR").kind == OpKind::kAsyncCommit);
  CHECK(classified("LDGDEPBAR").pipe == Pipe::kLsu);
  CHECK(classified("DEPBAR.LE").kind == OpKind::kDependBarrier);
  CHECK(classified("LDSM.16.M88").matrices == 1);
  CHECK(classified("LDSM.16.M88.4").matrices == 4);
  CHECK(classified("LDSM.16.M88.4").bytes_per_lane == 16);
  CHECK(classified("STSM.16.MT88.2").matrices == 2);
  CHECK(classified("BAR.ARV").barrier_arrive_only);
  CHECK_FALSE(classified("BAR.SYNC.DEFER_BLOCKING").barrier_arrive_only);
}

TEST_CASE("opcode table: modifiers move an operation to another pipe or timing", "[isa]") {
  CHECK(classified("HFMA2.MMA").pipe == Pipe::kTensor);
  CHECK(classified("HFMA2").pipe == Pipe::kFma);
  CHECK(classified("IMAD.MOV.U32").timing == TimingClass::kIntMultiply);
  CHECK(classified("IMAD.WIDE.U32").timing == TimingClass::kIntMultiplyWide);
  CHECK(classified("CCTL.IVALL").pipe == Pipe::kTex);
}

TEST_CASE("opcode table: no pipe counter counts some instructions", "[isa]") {
  const auto counted = [](const std::string& opcode, std::uint32_t architecture = 90) {
    return counted_pipes(classified(opcode, architecture), opcode, architecture);
  };
  for (const char* opcode : {"BRA", "UMOV", "ULDC.64", "NOP", "DEPBAR.LE", "WARPGROUP.ARRIVE"}) {
    INFO(opcode);
    CHECK(counted(opcode) == 0);
  }
  CHECK(counted("VIADD") == 1U << static_cast<unsigned>(Pipe::kFmaHeavy));
  CHECK(counted("EXIT") == 1U << static_cast<unsigned>(Pipe::kCbu));
  CHECK(counted("BRA", 61) == 1U << static_cast<unsigned>(Pipe::kCbu));
}

TEST_CASE("opcode table: classes for summaries", "[isa]") {
  CHECK(instruction_class("FSETP.GEU.AND", 90) == InstructionClass::kFp32);
  CHECK(instruction_class("HMMA.16816.F32", 90) == InstructionClass::kTensor);
  CHECK(instruction_class("LDS.128", 90) == InstructionClass::kShared);
  CHECK(std::string(to_string(InstructionClass::kSync)) == "synchronisation");
}

}  // namespace warpsim
