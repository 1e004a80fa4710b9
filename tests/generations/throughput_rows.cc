// The guides' values. Columns 1.0 to 1.3: CUDA C programming guide 4.2, table 5-1; 2.0 to 6.2: guide 8.0, table 2; 7.0
// to 9.0: guides 10 and 12, as in the project's references. If guides disagree, the row's note states
// the chosen value.
#include <sstream>

#include "generations/throughput.h"

namespace warpsim::generations {

namespace {

// "32" a rate; "~42.67" several instructions, with the rate that their sequence gives; "-" unsupported; "?" silent.
std::vector<Cell> cells(const std::string& text) {
  std::vector<Cell> result;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "-") {
      result.push_back({Cell::Kind::kUnsupported, 0});
    } else if (word == "?") {
      result.push_back({Cell::Kind::kSilent, 0});
    } else if (word == "~?") {
      result.push_back({Cell::Kind::kSeveral, 0});
    } else if (word.front() == '~') {
      result.push_back({Cell::Kind::kSeveral, std::stod(word.substr(1))});
    } else {
      result.push_back({Cell::Kind::kRate, std::stod(word)});
    }
  }
  return result;
}

}  // namespace

const std::vector<Capability>& capabilities() {
  static const std::vector<Capability> kAll = {
      {"1.0", "geforce8800gtx", 10}, {"1.3", "gtx280", 13},  {"2.0", "m2090", 20},   {"2.1", "gtx560ti", 21},
      {"3.0", "gtx680", 30},         {"3.2", "tegrak1", 32}, {"3.5", "k40", 35},     {"3.7", "k80", 37},
      {"5.0", "gtx750ti", 50},       {"5.2", "gtx980", 52},  {"5.3", "tegrax1", 53}, {"6.0", "p100", 60},
      {"6.1", "gtx1080", 61},        {"6.2", "tegrax2", 62}, {"7.0", "v100", 70},    {"7.5", "t4", 75},
      {"8.0", "a100", 80},           {"8.6", "rtx3070", 86}, {"8.9", "rtx4090", 89}, {"9.0", "h200", 90},
  };
  return kAll;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = {
      // 1.0 1.3 2.0 2.1 3.0 3.2 3.5 3.7 5.0 5.2 5.3 6.0 6.1 6.2 7.0 7.5 8.0 8.6 8.9 9.0
      {"16-bit floating-point add, multiply, multiply-add", "HFMA2", 2, "", "two operations of a packed pair",
       cells("- - - - - - - - - - 256 128 2 256 128 128 256 256 128 256")},
      {"32-bit floating-point add, multiply, multiply-add", "FFMA", 1, "", "",
       cells("8 8 32 48 192 192 192 192 128 128 128 64 128 128 64 64 64 128 128 128")},
      {"64-bit floating-point add, multiply, multiply-add", "DFMA", 1, "",
       "Tesla boards; 4 on GeForce of 2.0, 8 of 3.5. Guide 4.2 prints 1 for 1.0 to 1.2, which have none",
       cells("- 1 16 4 8 8 64 64 4 4 4 32 4 4 32 2 32 2 2 64")},
      {"32-bit reciprocal, square root, logarithm, exponential, sine, cosine", "MUFU.RCP", 1, "", "",
       cells("2 2 4 8 32 32 32 32 32 32 32 16 32 32 16 16 16 16 16 16")},
      {"32-bit integer add, subtract", "IADD", 1, "",
       "guide 4.2 prints 10 for 1.x, the guide 1.1 four clocks per warp: 8 is used; 4.2 prints 192 for 3.0, 8.0 160",
       cells("8 8 32 48 160 160 160 160 128 128 128 64 128 128 64 64 64 64 64 64")},
      {"32-bit integer multiply, multiply-add", "IMAD", 1, "",
       "5.x and 6.x: three XMAD; 1.x: 16 clocks and an addition",
       cells("~1.6 ~1.6 16 16 32 32 32 32 ~42.67 ~42.67 ~42.67 ~21.33 ~42.67 ~42.67 64 64 64 64 64 64")},
      {"24-bit integer multiply", "IMUL.U24", 1, "", "two masks and a multiplication",
       cells("8 8 ~10.67 ~16 ~32 ~32 ~32 ~32 ~25.6 ~25.6 ~25.6 ~12.8 ~25.6 ~25.6 ~32 ~32 ~32 ~21.33 ~21.33 ~32")},
      {"32-bit integer shift", "SHL", 1, "",
       "Tesla boards; 32 on GeForce of 3.5. 1.x: the cell is missing, 8 is assumed",
       cells("8 8 16 16 32 32 64 64 64 64 64 32 64 64 64 64 64 64 64 64")},
      {"compare, minimum, maximum", "ISETP", 1, "", "guide 4.2 prints 10 for 1.x, see addition",
       cells("8 8 32 48 160 160 160 160 64 64 64 32 64 64 64 64 64 64 64 64")},
      {"32-bit bit reverse", "BREV", 1, "", "", cells("? ? 16 16 32 32 32 32 64 64 64 32 64 64 16 16 16 16 16 16")},
      {"bit field extract", "BFE", 1, "",
       "from 7.0 on five instructions; the 64 of 8.9 and 9.0 is interpreted as that of SGXT, the last of them",
       cells("? ? 16 16 32 32 32 32 64 64 64 32 64 64 ~12.8 ~12.8 ~12.8 ~12.8 ~12.8 ~12.8")},
      {"sign extension of a bit field", "SGXT", 1, "", "", cells("? ? ? ? ? ? ? ? ? ? ? ? ? ? 64 64 64 64 64 64")},
      {"32-bit AND, OR, XOR", "LOP", 1, "", "1.x: the cell is missing, 8 is assumed",
       cells("8 8 32 48 160 160 160 160 128 128 128 64 128 128 64 64 64 64 64 64")},
      {"most significant bit", "FLO", 1, "", "", cells("? ? 16 16 32 32 32 32 32 32 32 16 32 32 16 16 16 16 16 16")},
      {"count leading zeros", "FLO", 1, "IADD",
       "a subtraction after FLO: several instructions in guide 8.0 from 5.0 on, one in newer guides, which only count "
       "FLO",
       cells("? ? ? ? ? ? ? ? ~32 ~32 ~32 ~16 ~32 ~32 16 16 16 16 16 16")},
      {"population count", "POPC", 1, "", "", cells("? ? 16 16 32 32 32 32 32 32 32 16 32 32 16 16 16 16 16 16")},
      {"warp shuffle", "SHFL", 1, "", "", cells("- - - - 32 32 32 32 32 32 32 32 32 32 32 16 32 32 32 32")},
      {"warp reduce", "REDUX", 1, "", "before 8.0: five shuffles and five additions",
       cells("? ? ? ? ? ? ? ? ? ? ? ? ? ? ~6.4 ~3.2 16 16 16 16")},
      {"warp vote", "VOTE", 1, "", "", cells("? ? ? ? ? ? ? ? 64 64 64 64 64 64 64 64 64 64 64 64")},
      {"sum of absolute differences", "VABSDIFF", 1, "", "",
       cells("? ? 16 16 32 32 32 32 64 64 64 32 64 64 64 64 64 64 64 64")},
      {"SIMD video vabsdiff2", "VABSDIFF2", 1, "", "eleven instructions from 5.0 on",
       cells("- - - - 160 160 160 160 ~? ~? ~? ~? ~? ~? ~? ~? ~? ~? ~? ~?")},
      {"SIMD video vabsdiff4", "VABSDIFF4", 1, "", "",
       cells("- - - - 160 160 160 160 ~? ~? ~? ~? ~? ~? 64 64 64 64 64 64")},
      {"other SIMD video instructions", "VADD2", 1, "",
       "guide 8.0 prints 16 for 2.x, although its section B.22 says that 2.x lacks them: 16 is the rate of the "
       "instruction class",
       cells("? ? 16 16 32 32 32 32 ~? ~? ~? ~? ~? ~? ~? ~? ~? ~? ~? ~?")},
      {"conversion from 8 and 16-bit integers to 32-bit types", "I2F.F32.U16", 1, "",
       "from 7.0 on the guides' 64 counts PRMT for integer results; conversions to floating point have 16, as others",
       cells("8 8 16 16 128 128 128 128 32 32 32 16 32 32 16 16 16 16 16 16")},
      {"conversion from and to 64-bit types", "F2F.F64.F32", 1, "", "Tesla boards; 4 on GeForce of 2.0, 8 of 3.5",
       cells("? 1 16 4 8 8 32 32 4 4 4 16 4 4 16 2 16 2 2 16")},
      {"all other conversions", "F2I", 1, "", "", cells("8 8 16 16 32 32 32 32 32 32 32 16 32 32 16 16 16 16 16 16")},
      {"__syncthreads()", "BAR.SYNC", 1, "", "",
       cells("8 8 16 16 128 128 128 128 64 64 64 32 64 64 16 16 16 16 16 16")},
  };
  return kRows;
}

}  // namespace warpsim::generations
