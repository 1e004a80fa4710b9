#include "isa/counted_operation.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "isa/opcode_rows.h"

namespace warpsim::test {
namespace {

TEST_CASE("Additions, multiplications and multiply-adds are counted by precision, with all their modifiers") {
  const std::vector<std::pair<std::string, ThreadOperation>> expected = {
      {"DADD", ThreadOperation::kDadd},          {"DMUL.RM", ThreadOperation::kDmul},
      {"DFMA", ThreadOperation::kDfma},          {"FADD.FTZ", ThreadOperation::kFadd},
      {"FADD32I", ThreadOperation::kFadd},       {"FMUL32", ThreadOperation::kFmul},
      {"FFMA.SAT", ThreadOperation::kFfma},      {"FFMA32I", ThreadOperation::kFfma},
      {"FMAD", ThreadOperation::kFfma},          {"HADD2.F32", ThreadOperation::kHadd},
      {"HMUL2.BF16_V2", ThreadOperation::kHmul}, {"HFMA2.MMA", ThreadOperation::kHfma},
      {"HFMA2_32I", ThreadOperation::kHfma},
  };
  for (const auto& [opcode, operation] : expected) {
    INFO(opcode);
    CHECK(thread_operation(opcode) == operation);
  }
}

TEST_CASE("Comparisons, conversions, integers and matrix products are not counted as thread operations") {
  for (const char* opcode : {"FSETP.GT.AND", "FMNMX", "DSETP", "F2F.F64.F32", "MUFU.RCP", "IMAD", "IADD3", "HMMA.16816",
                             "HSETP2", "FSEL", "FSWZADD", "DMMA.8x8x4", ""}) {
    INFO(opcode);
    CHECK(thread_operation(opcode) == ThreadOperation::kOther);
  }
}

TEST_CASE("Every counted opcode is in the opcode table, and executes floating-point arithmetic") {
  std::uint32_t counted = 0;
  for (const OpcodeRow& row : opcode_rows()) {
    if (thread_operation(row.name) != ThreadOperation::kOther) {
      INFO(row.name);
      ++counted;
      const InstructionClass type = row.behaviour.type;
      CHECK((type == InstructionClass::kFp16 || type == InstructionClass::kFp32 || type == InstructionClass::kFp64));
    }
  }
  CHECK(counted == 20);
}

TEST_CASE("Matrix products are counted by the types of their operands and results") {
  const std::vector<std::pair<std::string, TensorPath>> expected = {
      {"DMMA.8x8x4", TensorPath::kFp64},
      {"HMMA.1688.F32.TF32", TensorPath::kTf32ToFp32},
      {"HMMA.16816.F32.BF16", TensorPath::kBf16ToFp32},
      {"HGMMA.64x256x16.F32.BF16", TensorPath::kBf16ToFp32},
      {"HMMA.16816.F32", TensorPath::kFp16ToFp32},
      {"HMMA.884.F32.F16.STEP0", TensorPath::kFp16ToFp32},
      {"HMMA.884.F16.F32.STEP1", TensorPath::kFp16ToFp16},
      {"HMMA.16816.F16", TensorPath::kFp16ToFp16},
      {"HGMMA.SP.64x64x32.F16", TensorPath::kFp16ToFp16},
      {"QGMMA.64x64x32.F32.E4M3.E4M3", TensorPath::kFp8},
      {"IMMA.16832.S8.S8", TensorPath::kInt8},
      {"IGMMA.64x64x32.U8.U8", TensorPath::kInt8},
      {"IMMA.16864.S4.S4", TensorPath::kInt4},
      {"BMMA.168256.XOR.POPC", TensorPath::kInt1},
  };
  for (const auto& [opcode, path] : expected) {
    INFO(opcode);
    CHECK(tensor_path(opcode) == path);
  }
  for (const char* opcode : {"HFMA2.MMA", "FFMA", "WARPGROUP.ARRIVE", "MOVM.16.MT88", "HMMA.F32"}) {
    INFO(opcode);
    CHECK(tensor_path(opcode) == TensorPath::kNone);
  }
}

}  // namespace
}  // namespace warpsim::test
