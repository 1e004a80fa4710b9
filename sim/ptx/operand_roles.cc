#include "ptx/operand_roles.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpsim::ptx {

namespace {

// Opcodes without a result. Some have one in certain forms: barriers that reduce, mbarrier operations that return a
// state or a result.
constexpr auto kWithoutResult = std::to_array<std::string_view>(
    {"applypriority", "bar",   "barrier",        "bra",    "brkpt",     "brx",     "cp",       "discard",
     "exit",          "fence", "griddepcontrol", "membar", "nanosleep", "pmevent", "prefetch", "prefetchu",
     "red",           "ret",   "setmaxnreg",     "st",     "stmatrix",  "sured",   "sust",     "tensormap",
     "trap"});
static_assert(std::ranges::is_sorted(kWithoutResult));

void visit_all(const Operand& operand, const RegisterVisitor& visit) {
  if (operand.kind == Operand::Kind::kRegister) {
    visit(operand.number);
  }
  for (const Operand& element : operand.elements) {
    visit_all(element, visit);
  }
  if (operand.second != nullptr) {
    visit_all(*operand.second, visit);
  }
}

bool has(const Instruction& instruction, std::string_view word) {
  return std::ranges::find(instruction.modifiers, word) != instruction.modifiers.end();
}

bool writes_first(const Instruction& instruction) {
  if (instruction.operands.empty()) {
    return false;
  }
  if (instruction.opcode == "call") {
    return instruction.operands.size() > 1 && instruction.operands.front().kind == Operand::Kind::kList;
  }
  if (instruction.opcode == "bar" || instruction.opcode == "barrier") {
    return has(instruction, "red");
  }
  if (instruction.opcode == "mbarrier") {
    const bool only_acts = has(instruction, "init") || has(instruction, "inval") || has(instruction, "expect_tx") ||
                           has(instruction, "complete_tx");
    return !only_acts && instruction.operands.front().kind != Operand::Kind::kAddress;
  }
  // The address of a store in another form: st.bulk, wgmma and the like have none that is only a register.
  return has_result(instruction.opcode) && instruction.operands.front().kind != Operand::Kind::kAddress;
}

}  // namespace

bool has_result(std::string_view opcode) {
  return !std::ranges::binary_search(kWithoutResult, opcode);
}

void visit_written_registers(const Instruction& instruction, const RegisterVisitor& visit) {
  if (writes_first(instruction)) {
    visit_all(instruction.operands.front(), visit);
  }
}

void visit_read_registers(const Instruction& instruction, const RegisterVisitor& visit) {
  if (instruction.guard) {
    visit(instruction.guard->predicate);
  }
  const std::size_t first = writes_first(instruction) ? 1 : 0;
  for (std::size_t i = first; i < instruction.operands.size(); ++i) {
    visit_all(instruction.operands[i], visit);
  }
}

}  // namespace warpsim::ptx
