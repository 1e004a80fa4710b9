// Operations of which generate.cc makes words.
#pragma once

#include <string_view>

namespace warpsim::test {

inline constexpr std::string_view kComputing[] = {
    "MOV",       "UMOV",    "SEL",       "USEL",       "FSEL",    "PRMT",     "UPRMT",     "SGXT",   "USGXT",
    "BMSK",      "UBMSK",   "PLOP3.LUT", "UPLOP3.LUT", "ISETP",   "UISETP",   "IADD3",     "UIADD3", "UIADD3.64",
    "LEA",       "ULEA",    "LOP3.LUT",  "ULOP3.LUT",  "IABS",    "VABSDIFF", "VABSDIFF4", "SHF",    "USHF",
    "IMAD",      "UIMAD",   "IMAD.WIDE", "UIMAD.WIDE", "IMAD.HI", "IDP",      "VIADD",     "I2I",    "I2IP",
    "VIADDMNMX", "VIMNMX",  "VIMNMX3",   "FLO",        "UFLO",    "BREV",     "UBREV",     "POPC",   "UPOPC",
    "FMNMX",     "FSET.BF", "FSETP",     "FMUL",       "FADD",    "FSWZADD",  "FFMA",      "FCHK",   "MUFU",
    "DMUL",      "DADD",    "DSETP",     "DFMA",       "HADD2",   "HFMA2",    "HFMA2.MMA", "HMUL2",  "HSET2",
    "HSETP2",    "HMNMX2",  "F2F",       "F2I",        "I2F",     "FRND",     "I2FP",      "F2IP",   "F2FP",
    "P2R",       "R2P",     "UP2UR",     "VOTE",       "VOTEU",   "R2UR",     "REDUX",     "MATCH",  "ELECT",
    "SHFL"};
inline constexpr std::string_view kMatrices[] = {"HMMA", "IMMA", "BMMA", "DMMA", "MOVM"};
inline constexpr std::string_view kMemory[] = {"LDS",  "STS",  "ATOMS", "LDC", "ATOM", "ATOMG", "RED",
                                               "REDG", "QSPC", "LDG",   "STG", "LD",   "ST"};
inline constexpr std::string_view kOfWarps[] = {"VOTE", "VOTEU",   "R2UR",      "REDUX",  "MATCH", "ELECT",
                                                "SHFL", "FSWZADD", "PLOP3.LUT", "UIADD3", "UP2UR"};

inline bool is_in(std::string_view name, const auto& list) {
  for (const std::string_view each : list) {
    if (each == name) {
      return true;
    }
  }
  return false;
}

}  // namespace warpsim::test
