#include "codegen/operand_use.h"

#include "isa/operand_widths.h"

namespace warpsim::codegen {

namespace {

bool is_predicate(const MachineOperand& operand, const std::vector<Value>& values) {
  if (operand.value == kNone) {
    return operand.before == "PT" || operand.before == "UPT";
  }
  const Value::File file = values[operand.value].file;
  return operand.before.empty() && (file == Value::File::kPredicate || file == Value::File::kUniformPredicate);
}

}  // namespace

std::size_t result_count(const MachineInstruction& instruction, const std::vector<Value>& values) {
  const std::vector<MachineOperand>& operands = instruction.operands;
  std::size_t count = 0;
  const auto while_predicate = [&](std::size_t limit) {
    while (count < operands.size() && count < limit && is_predicate(operands[count], values)) {
      ++count;
    }
  };
  switch (operand_results(instruction.opcode)) {
    case Results::kNone:
      break;
    case Results::kOne:
      count = operands.empty() ? 0 : 1;
      break;
    case Results::kOnePredicate:
      while_predicate(1);
      break;
    case Results::kTwoPredicates:
      while_predicate(2);
      break;
    case Results::kAllButLast:
      count = operands.empty() ? 0 : operands.size() - 1;
      break;
    case Results::kRegister:
      while_predicate(2);
      if (count < operands.size() && !is_predicate(operands[count], values)) {
        ++count;
        while_predicate(count + 2);
      }
      break;
  }
  return count;
}

OperandUse::OperandUse(const SelectedFunction& selected) : selected_(selected), parts_(selected.values.size()) {
  for (Number value = 0; value < selected.values.size(); ++value) {
    if (selected.values[value].part_of != kNone) {
      parts_[selected.values[value].part_of].push_back(value);
    }
  }
  for (const MachineInstruction& instruction : selected.code) {
    results_.push_back(result_count(instruction, selected.values));
  }
}

}  // namespace warpsim::codegen
