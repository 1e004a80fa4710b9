// The result of a pass over a function, as short text: for tests of code generation.
#pragma once

#include <string>

#include "ptx/module.h"
#include "unit/codegen/generate.h"

namespace warpsim::test {

inline std::string short_text(const ptx::Function& function, const ptx::Operand& operand) {
  using Kind = ptx::Operand::Kind;
  std::string text;
  switch (operand.kind) {
    case Kind::kRegister:
      return std::string(function.registers[operand.number].name);
    case Kind::kInteger:
      return std::to_string(static_cast<std::int64_t>(operand.bits));
    case Kind::kLabel:
      return std::string(function.labels[operand.number].name);
    case Kind::kAddress: {
      const std::int64_t offset = operand.offset + operand.elements[0].offset;
      text = "[" + short_text(function, operand.elements[0]);
      return text + (offset == 0 ? "]" : (offset > 0 ? "+" : "") + std::to_string(offset) + "]");
    }
    case Kind::kVector:
      for (const ptx::Operand& element : operand.elements) {
        text += (text.empty() ? "{" : ",") + short_text(function, element);
      }
      return text + "}";
    default:
      return operand.name.empty() ? "?" : std::string(operand.name);
  }
}

// "add %r1 %r2 4", "@!%p1 ld %r1 [%rd1+4]": opcodes without modifiers. One instruction per line.
inline std::string short_text(const ptx::Function& function) {
  std::string text;
  for (const ptx::Instruction& instruction : function.body) {
    if (instruction.guard) {
      text += instruction.guard->negated ? "@!" : "@";
      text += std::string(function.registers[instruction.guard->predicate].name) + " ";
    }
    text += instruction.opcode;
    for (const ptx::Operand& operand : instruction.operands) {
      text += " " + short_text(function, operand);
    }
    text += "\n";
  }
  return text;
}

// The kernel k of kernel_text(), for a pass to change.
struct Kernel {
  explicit Kernel(const std::string& body, const std::string& before = "")
      : module(ptx::parse_module(kernel_text(body, before), "t.ptx")) {
    for (ptx::Function& candidate : module->functions) {
      if (candidate.name == "k") {
        function = &candidate;
      }
    }
  }
  std::string text() const { return short_text(*function); }

  std::unique_ptr<ptx::Module> module;
  ptx::Function* function = nullptr;
};

}  // namespace warpsim::test
