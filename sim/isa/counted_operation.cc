#include "isa/counted_operation.h"

#include <algorithm>
#include <array>

#include "isa/opcode_text.h"
#include "isa/tensor_shape.h"

namespace warpsim {

namespace {

struct CountedOpcode {
  std::string_view base;
  ThreadOperation operation;
};

// Forms with an immediate of 32 bits and, short encodings on 1.x have names of their own; FMAD is the multiply-add
// of 1.x.
constexpr auto kCountedOpcodes = std::to_array<CountedOpcode>({
    {"DADD", ThreadOperation::kDadd},      {"DFMA", ThreadOperation::kDfma},      {"DMUL", ThreadOperation::kDmul},
    {"FADD", ThreadOperation::kFadd},      {"FADD32", ThreadOperation::kFadd},    {"FADD32I", ThreadOperation::kFadd},
    {"FFMA", ThreadOperation::kFfma},      {"FFMA32I", ThreadOperation::kFfma},   {"FMAD", ThreadOperation::kFfma},
    {"FMAD32", ThreadOperation::kFfma},    {"FMAD32I", ThreadOperation::kFfma},   {"FMUL", ThreadOperation::kFmul},
    {"FMUL32", ThreadOperation::kFmul},    {"FMUL32I", ThreadOperation::kFmul},   {"HADD2", ThreadOperation::kHadd},
    {"HADD2_32I", ThreadOperation::kHadd}, {"HFMA2", ThreadOperation::kHfma},     {"HFMA2_32I", ThreadOperation::kHfma},
    {"HMUL2", ThreadOperation::kHmul},     {"HMUL2_32I", ThreadOperation::kHmul},
});

// HMMA.16816.F32.BF16: the first type is that of the result, FP16 where none is named.
TensorPath half_path(const OpcodeText& opcode) {
  if (opcode.has("TF32")) {
    return TensorPath::kTf32ToFp32;
  }
  if (opcode.has("BF16")) {
    return TensorPath::kBf16ToFp32;
  }
  std::string_view result = "F16";
  bool named = false;
  opcode.for_each_modifier([&](std::string_view modifier) {
    if (!named && (modifier == "F32" || modifier == "F16")) {
      result = modifier;
      named = true;
    }
  });
  return result == "F32" ? TensorPath::kFp16ToFp32 : TensorPath::kFp16ToFp16;
}

}  // namespace

ThreadOperation thread_operation(std::string_view opcode) {
  const std::string_view base = OpcodeText(opcode).base();
  const auto* const found = std::ranges::find(kCountedOpcodes, base, &CountedOpcode::base);
  return found == kCountedOpcodes.end() ? ThreadOperation::kOther : found->operation;
}

TensorPath tensor_path(std::string_view opcode) {
  const OpcodeText text(opcode);
  const std::optional<TensorShape> shape =
      text.base().ends_with("MMA") ? tensor_shape(text) : std::optional<TensorShape>();
  if (!shape) {
    return TensorPath::kNone;
  }
  switch (shape->operand_bits) {
    case 64:
      return TensorPath::kFp64;
    case 8:
      return shape->integer ? TensorPath::kInt8 : TensorPath::kFp8;
    case 4:
      return TensorPath::kInt4;
    case 1:
      return TensorPath::kInt1;
    default:
      return half_path(text);
  }
}

}  // namespace warpsim
