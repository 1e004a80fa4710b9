// The values that the machine instructions of a function read and write.
#pragma once

#include <cstddef>
#include <vector>

#include "codegen/function_selector.h"

namespace warpsim::codegen {

// How many of the leading operands are results.
std::size_t result_count(const MachineInstruction& instruction, const std::vector<Value>& values);

// Vectors are reported by their parts, everything else as a whole.
class OperandUse {
 public:
  // `selected` outlives it.
  explicit OperandUse(const SelectedFunction& selected);

  // Calls `visit(value)`, also for guards and addresses.
  template <typename Visit>
  void each_read(Number index, Visit&& visit) const {
    const MachineInstruction& instruction = selected_.code[index];
    const auto see = [&](Number value) {
      if (value != kNone) {
        each_part(value, visit);
      }
    };
    see(instruction.guard.value);
    for (std::size_t k = 0; k < instruction.operands.size(); ++k) {
      const MachineOperand& operand = instruction.operands[k];
      see(operand.second);
      see(operand.descriptor);
      if (k >= results_[index]) {
        see(operand.value);
      }
    }
  }
  // Calls `visit(value, whole)`. For values of several words, `whole` is false if only the later ones are written.
  template <typename Visit>
  void each_written(Number index, Visit&& visit) const {
    for (std::size_t k = 0; k < results_[index]; ++k) {
      const MachineOperand& operand = selected_.code[index].operands[k];
      if (operand.value != kNone) {
        each_part(operand.value, [&](Number part) { visit(part, operand.word == 0); });
      }
    }
  }

 private:
  template <typename Visit>
  void each_part(Number value, Visit&& visit) const {
    if (parts_[value].empty()) {
      visit(value);
    }
    for (const Number part : parts_[value]) {
      visit(part);
    }
  }

  const SelectedFunction& selected_;
  std::vector<std::vector<Number>> parts_;  // by value
  std::vector<std::size_t> results_;        // by instruction: how many of the leading operands are written
};

}  // namespace warpsim::codegen
