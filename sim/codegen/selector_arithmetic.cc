// Operations that one machine instruction combines, and comparisons.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/function_selector.h"
#include "codegen/instruction_words.h"

namespace warpsim::codegen {

namespace {

using ptx::DataType;
using ptx::Instruction;
using ptx::Operand;

MachineOperand zero() {
  return text_operand("RZ");
}

MachineOperand always() {
  return text_operand("PT");
}

// "GE" of ge, hs; unordered comparisons of floats end with U.
std::string comparison_of(const Instruction& instruction) {
  for (const std::string_view word : instruction.modifiers) {
    for (const std::string_view known :
         {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}) {
      if (word == known) {
        return upper(word);
      }
    }
    if (word == "lo" || word == "ls" || word == "hi" || word == "hs") {
      return word == "lo" ? "LT" : word == "ls" ? "LE" : word == "hi" ? "GT" : "GE";
    }
  }
  return "NE";
}

DataType last_type(const Instruction& instruction) {
  for (auto word = instruction.modifiers.rbegin(); word != instruction.modifiers.rend(); ++word) {
    if (const auto type = ptx::data_type_of(*word)) {
      return *type;
    }
  }
  return DataType::kNone;
}

}  // namespace

bool FunctionSelector::select_with_folded(const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode == "add" || opcode == "sub") {
    return select_fused(instruction) || select_wide_sum(instruction) || select_sum(instruction);
  }
  if (opcode == "and" || opcode == "or" || opcode == "xor") {
    return select_predicate_logic(instruction) || select_logic(instruction);
  }
  return (opcode == "max" || opcode == "min") && select_choice(instruction);
}

// A minimum or maximum of a sum, or of three numbers.
bool FunctionSelector::select_choice(const Instruction& instruction) {
  for (std::size_t at = instruction.operands.size() - 1; at >= 1; --at) {
    const Instruction* const made = facts_.folded(instruction.operands[at]);
    if (made == nullptr || made->opcode == "neg" || made->opcode == "abs") {
      continue;
    }
    MachineOperand second = source(made->operands[2]);
    if (made->opcode == "sub") {
      second = negated(std::move(second));
    }
    const std::string_view name = made->opcode == instruction.opcode ? "VIMNMX3" : "VIADDMNMX";
    emitter_.emit(fmt::format("{}{}", name, has_word(instruction, "u32") ? ".U32" : ""),
                  {destination(instruction.operands[0]), source(made->operands[1]), second,
                   source(instruction.operands[3 - at]), text_operand(instruction.opcode == "min" ? "PT" : "!PT")});
    return true;
  }
  return false;
}

// A sum of floats with a product. The emulator rounds the product, as the PTX states it.
bool FunctionSelector::select_fused(const Instruction& instruction) {
  for (std::size_t at = instruction.operands.size() - 1; at >= 1; --at) {
    const Instruction* const made = facts_.folded(instruction.operands[at]);
    if (made == nullptr || made->opcode != "mul" || (!has_word(*made, "f32") && !has_word(*made, "f64"))) {
      continue;
    }
    MachineOperand factor = source(made->operands[1]);
    MachineOperand other = source(instruction.operands[3 - at]);
    if (instruction.opcode == "sub") {
      factor = at == 2 ? negated(std::move(factor)) : factor;
      other = at == 1 ? negated(std::move(other)) : other;
    }
    emitter_.emit(has_word(*made, "f64") ? "DFMA" : "FFMA",
                  {destination(instruction.operands[0]), factor, source(made->operands[2]), other});
    return true;
  }
  return false;
}

// 64-bit sums with a product or a shifted value.
bool FunctionSelector::select_wide_sum(const Instruction& instruction) {
  if (instruction.opcode != "add") {
    return false;
  }
  for (std::size_t at = instruction.operands.size() - 1; at >= 1; --at) {
    const Instruction* const made = facts_.folded(instruction.operands[at]);
    if (made == nullptr) {
      continue;
    }
    const Operand& other = instruction.operands[3 - at];
    const Operand& d = instruction.operands[0];
    if (made->opcode == "mul" && has_word(*made, "wide")) {
      const bool is_signed = has_word(*made, "s32");
      emitter_.emit(is_signed ? "IMAD.WIDE" : "IMAD.WIDE.U32",
                    {destination(d), source(made->operands[1]), source(made->operands[2]), source(other)});
      return true;
    }
    if (made->opcode == "shl" && words_of(made->operands[0].number) == 2) {
      const MachineOperand carry = emitter_.predicate();
      emitter_.emit("LEA",
                    {destination(d), carry, source(made->operands[1]), source(other), source(made->operands[2])});
      emitter_.emit("LEA.HI.X", {destination(d, 1), source(made->operands[1]), source(other, 1),
                                 source(made->operands[1], 1), source(made->operands[2]), carry});
      return true;
    }
  }
  return false;
}

// 32-bit sums with a product, a shifted value or another sum.
bool FunctionSelector::select_sum(const Instruction& instruction) {
  for (std::size_t at = instruction.operands.size() - 1; at >= 1; --at) {
    const Instruction* const made = facts_.folded(instruction.operands[at]);
    // Signs are part of the operand, see source().
    if (made == nullptr || made->opcode == "neg" || made->opcode == "abs") {
      continue;
    }
    const Operand& d = instruction.operands[0];
    MachineOperand other = source(instruction.operands[3 - at]);
    if (instruction.opcode == "sub") {  // of a product or a shifted value
      const Operand& factor = made->operands[2];
      const MachineOperand by =
          made->opcode == "shl" ? text_operand(fmt::format("0x{:x}", 1U << (factor.bits & 31U))) : source(factor);
      emitter_.emit("IMAD", {destination(d), source(made->operands[1]), at == 1 ? by : negated(by),
                             at == 1 ? negated(std::move(other)) : other});
      return true;
    }
    if (made->opcode == "mul") {
      emitter_.emit("IMAD", {destination(d), source(made->operands[1]), source(made->operands[2]), other});
      return true;
    }
    if (made->opcode == "shl") {
      emitter_.emit("LEA", {destination(d), source(made->operands[1]), other, source(made->operands[2])});
      return true;
    }
    if (made->opcode == "add") {
      emitter_.emit("IADD3", {destination(d), source(made->operands[1]), source(made->operands[2]), other});
      return true;
    }
  }
  return false;
}

bool FunctionSelector::select_logic(const Instruction& instruction) {
  for (std::size_t at = instruction.operands.size() - 1; at >= 1; --at) {
    const Instruction* const made = facts_.folded(instruction.operands[at]);
    if (made == nullptr) {
      continue;
    }
    const bool inverts = made->opcode == "not";
    emitter_.emit("LOP3.LUT", {destination(instruction.operands[0]), source(instruction.operands[3 - at]),
                               source(made->operands[1]), inverts ? zero() : source(made->operands[2]),
                               text_operand("0x96"), text_operand("!PT")});
    return true;
  }
  return false;
}

// A comparison whose result is combined directly with another predicate.
bool FunctionSelector::select_predicate_logic(const Instruction& instruction) {
  if (!has_word(instruction, "pred")) {
    return false;
  }
  for (std::size_t at = instruction.operands.size() - 1; at >= 1; --at) {
    const Instruction* const made = facts_.folded(instruction.operands[at]);
    if (made != nullptr && made->opcode == "setp") {
      select_comparison(*made, destination(instruction.operands[0]), upper(instruction.opcode),
                        predicate_source(instruction.operands[3 - at]));
      return true;
    }
  }
  return false;
}

void FunctionSelector::select_comparison(const Instruction& instruction, const MachineOperand& result,
                                         const std::string& joined, const MachineOperand& other) {
  const DataType type = last_type(instruction);
  const std::string comparison = comparison_of(instruction);
  const Operand& a = instruction.operands[1];
  const Operand& b = instruction.operands[2];
  const auto emit = [&](const std::string& opcode, const MachineOperand& d, std::uint8_t word,
                        const MachineOperand& with) {
    emitter_.emit(opcode, {d, always(), source(a, word), source(b, word), with});
  };
  const bool is_ordered = comparison != "EQ" && comparison != "NE";
  switch (type) {
    case DataType::kF32:
      emit(fmt::format("FSETP.{}.{}", comparison == "NE" ? "NEU" : comparison, joined), result, 0, other);
      return;
    case DataType::kF64:
      emit(fmt::format("DSETP.{}.{}", comparison == "NE" ? "NEU" : comparison, joined), result, 0, other);
      return;
    case DataType::kF16:
    case DataType::kF16x2:
    case DataType::kBf16:
    case DataType::kBf16x2:
      emit(fmt::format("HSETP2.{}.{}", comparison, joined), result, 0, other);
      return;
    case DataType::kS64:
    case DataType::kU64:
    case DataType::kB64: {
      const MachineOperand low = emitter_.predicate();
      emit(fmt::format("ISETP.{}.U32.AND", comparison), low, 0, always());
      const std::string sign = type == DataType::kS64 || !is_ordered ? "" : ".U32";
      emitter_.emit(fmt::format("ISETP.{}{}.{}.EX", comparison, sign, joined),
                    {result, always(), source(a, 1), source(b, 1), other, low});
      return;
    }
    case DataType::kPredicate:
      fail(instruction);
    default: {
      const bool is_unsigned = type == DataType::kU32 || type == DataType::kU16 || type == DataType::kB32;
      emit(fmt::format("ISETP.{}{}.{}", comparison, is_unsigned && is_ordered ? ".U32" : "", joined), result, 0, other);
      return;
    }
  }
}

// The units take angles in turns; sine and cosine of one angle share the product.
void FunctionSelector::select_circular(const Instruction& instruction) {
  const Operand& angle = instruction.operands[1];
  const Number value = shared_value(instruction, angle);
  const auto known = value == kNone ? turns_.end() : turns_.find(value);
  MachineOperand turns;
  if (known != turns_.end()) {
    turns = emitter_.operand(known->second);
  } else {
    turns = emitter_.temporary();
    emitter_.emit("FMUL.RZ", {turns, source(angle), text_operand("0.15915493667125701904")});
    if (value != kNone) {
      turns_[value] = turns.value;
    }
  }
  emitter_.emit(instruction.opcode == "sin" ? "MUFU.SIN" : "MUFU.COS", {destination(instruction.operands[0]), turns});
}

void FunctionSelector::select_setp(const Instruction& instruction) {
  std::string joined = "AND";
  for (const std::string_view word : {"and", "or", "xor"}) {
    joined = has_word(instruction, word) ? upper(word) : joined;
  }
  if (const Instruction* const made = facts_.folded(instruction.operands[1]);
      made != nullptr && made->opcode == "and") {  // whether any bit is set
    MachineOperand left = destination(instruction.operands[0]);
    emitter_.emit("LOP3.LUT", {left, zero(), source(made->operands[1]), source(made->operands[2]), zero(),
                               text_operand("0xc0"), text_operand("!PT")});
    return;
  }
  const MachineOperand other = instruction.operands.size() > 3 ? predicate_source(instruction.operands[3]) : always();
  select_comparison(instruction, destination(instruction.operands[0]), joined, other);
  if (instruction.operands[0].second != nullptr && !emitter_.code.back().operands.empty()) {
    emitter_.code.back().operands[1] = destination(*instruction.operands[0].second);
  }
}

void FunctionSelector::select_set(const Instruction& instruction) {
  const DataType type = last_type(instruction);
  const bool single = type == DataType::kF32;
  if (type == DataType::kF16 || type == DataType::kF16x2 || type == DataType::kBf16 || type == DataType::kBf16x2) {
    emitter_.emit("HSET2.BF." + comparison_of(instruction) + ".AND",
                  {destination(instruction.operands[0]), source(instruction.operands[1]),
                   source(instruction.operands[2]), always()});
    return;
  }
  if (single) {
    emitter_.emit("FSET.BF." + comparison_of(instruction) + ".AND",
                  {destination(instruction.operands[0]), source(instruction.operands[1]),
                   source(instruction.operands[2]), always()});
    return;
  }
  const MachineOperand holds = emitter_.predicate();
  select_comparison(instruction, holds, "AND", always());
  MachineOperand otherwise = holds;
  otherwise.before = "!";
  emitter_.emit("SEL", {destination(instruction.operands[0]), zero(), text_operand("0xffffffff"), otherwise});
}

}  // namespace warpsim::codegen
