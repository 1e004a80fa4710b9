#include "codegen/result_latency.h"

#include <string_view>

#include "codegen/instruction_words.h"
#include "codegen/register_facts.h"

namespace warpsim::codegen {

using ptx::Instruction;

std::uint32_t latency_of(const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode == "ld" || opcode == "ldu" || opcode == "atom" || opcode == "tex" || opcode == "tld4" ||
      opcode == "suld" || opcode == "wmma") {
    return has_word(instruction, "param") ? 30 : has_word(instruction, "shared") ? 30 : 300;
  }
  if (opcode == "shfl" || opcode == "ldmatrix") {
    return 28;
  }
  if (opcode == "mov" && instruction.operands.size() == 2 &&
      instruction.operands[1].kind == ptx::Operand::Kind::kSpecial) {
    return reads_launch_size(instruction) ? 8 : 25;
  }
  if (opcode == "div" || opcode == "rem" || opcode == "sqrt" || opcode == "rcp" || opcode == "rsqrt" ||
      opcode == "ex2" || opcode == "lg2" || opcode == "sin" || opcode == "cos" || opcode == "tanh" || opcode == "mma") {
    return 35;
  }
  return has_word(instruction, "f64") ? 16 : 4;
}

}  // namespace warpsim::codegen
