#include "codegen/half_words.h"

#include <algorithm>
#include <string_view>

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

constexpr std::uint32_t kHalfBytes = 2;

bool selects_half(const Instruction& instruction) {
  if (instruction.modifiers.empty()) {
    return false;
  }
  const std::string_view type = instruction.modifiers.back();
  if (instruction.opcode == "cvt") {
    const std::string_view to = instruction.modifiers.size() > 1 ? *(instruction.modifiers.end() - 2) : "";
    return (type == "f16" && to != "f64" && to != "f16") || (type == "bf16" && to == "f32");
  }
  constexpr std::string_view kOpcodes[] = {"abs", "add", "fma", "max", "min", "mul", "neg", "setp", "sub"};
  return type == "f16" && std::ranges::find(kOpcodes, instruction.opcode) != std::end(kOpcodes);
}

bool has_halves(const ptx::Function& function, const Operand& vector, const Operand& whole) {
  return vector.kind == Operand::Kind::kVector && whole.kind == Operand::Kind::kRegister &&
         ptx::bytes_of(function.registers[whole.number].type) == kHalfBytes * vector.elements.size();
}

}  // namespace

std::vector<HalfReads> half_reads(const ptx::Function& function) {
  std::vector<HalfReads> reads(function.registers.size(), HalfReads::kEither);
  const auto limit = [&](std::uint32_t reg, HalfReads most) { reads[reg] = std::min(reads[reg], most); };
  for (const Instruction& instruction : function.body) {
    if (packs_halves(function, instruction) || unpacks_halves(function, instruction)) {
      continue;
    }
    const HalfReads most = selects_half(instruction) ? HalfReads::kEither : HalfReads::kLower;
    for (const Operand& operand : instruction.operands) {
      if (operand.kind == Operand::Kind::kRegister) {
        limit(operand.number, most);
      }
      for (const Operand& element : operand.elements) {
        if (element.kind == Operand::Kind::kRegister) {
          limit(element.number, HalfReads::kNeither);
        }
      }
    }
  }
  return reads;
}

bool unpacks_halves(const ptx::Function& function, const Instruction& instruction) {
  return instruction.opcode == "mov" && instruction.operands.size() == 2 &&
         has_halves(function, instruction.operands[0], instruction.operands[1]);
}

bool packs_halves(const ptx::Function& function, const Instruction& instruction) {
  return instruction.opcode == "mov" && instruction.operands.size() == 2 &&
         has_halves(function, instruction.operands[1], instruction.operands[0]);
}

}  // namespace warpsim::codegen
