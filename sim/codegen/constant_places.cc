#include "codegen/constant_places.h"

#include <fmt/format.h>

#include "codegen/register_facts.h"

namespace warpsim::codegen {

namespace {

using ptx::Operand;

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

std::string text_of(std::uint32_t bank, std::uint64_t offset) {
  return fmt::format("c[0x{:x}][0x{:x}]", bank, offset);
}

}  // namespace

std::uint64_t parameter_offset(const ptx::Function& function, std::uint32_t number) {
  std::uint64_t offset = 0;
  for (std::uint32_t i = 0; i < function.parameters.size(); ++i) {
    const ptx::Variable& parameter = function.parameters[i];
    offset = aligned(offset, parameter.alignment);
    if (i == number) {
      break;
    }
    offset += parameter.bytes();
  }
  return offset;
}

std::uint64_t parameters_offset(std::uint32_t architecture) {
  return reads_constants_by_address(architecture) ? 0x160 : 0x210;
}

std::uint64_t constant_variable_offset(const ptx::Module& module, std::uint32_t number) {
  std::uint64_t offset = 0;
  for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (variable.space != ptx::StateSpace::kConstant) {
      continue;
    }
    offset = aligned(offset, variable.alignment);
    if (i == number) {
      break;
    }
    offset += variable.bytes();
  }
  return offset;
}

std::string parameters_place(std::uint32_t architecture) {
  return text_of(0, parameters_offset(architecture));
}

std::string launch_size_place(const Operand& operand) {
  constexpr std::uint32_t kDimensions = 3;
  const bool is_size = operand.name == "ntid" || operand.name == "nctaid";
  if (operand.kind != Operand::Kind::kSpecial || !is_size || operand.component < 0 ||
      operand.component >= static_cast<std::int32_t>(kDimensions)) {
    return {};
  }
  const std::uint32_t first = operand.name == "ntid" ? 0 : kDimensions;
  return text_of(0, std::uint64_t{first + static_cast<std::uint32_t>(operand.component)} * kConstantWord);
}

std::string constant_place(const ptx::Module& module, const ptx::Function& function,
                           const ptx::Instruction& instruction, std::uint8_t word, std::uint32_t architecture) {
  if (instruction.operands.size() != 2) {
    return {};
  }
  const Operand& from = instruction.operands[1];
  if (instruction.opcode == "mov") {
    return launch_size_place(from);
  }
  if (instruction.opcode != "ld" || from.elements.empty() || from.elements[0].kind != Operand::Kind::kSymbol) {
    return {};
  }
  const Operand& base = from.elements[0];
  const auto offset = static_cast<std::uint64_t>(base.offset + from.offset) + std::uint64_t{word} * kConstantWord;
  if (reads_own_parameter(instruction)) {
    return text_of(0, parameters_offset(architecture) + parameter_offset(function, base.number) + offset);
  }
  const bool is_variable =
      base.scope == Operand::Scope::kModule && module.symbols[base.number].kind == ptx::Symbol::Kind::kVariable;
  if (has_word(instruction, "const") && is_variable) {
    return text_of(3, constant_variable_offset(module, module.symbols[base.number].number) + offset);
  }
  return {};
}

}  // namespace warpsim::codegen
