#include "sass/branch_targets.h"

namespace warpsim::sass {

bool is_branch(const RelocationType& type) {
  return type.name.starts_with("R_CUDA_ABS47") || type.name.starts_with("R_CUDA_ABS55") ||
         type.name.starts_with("R_CUDA_ABS56");
}

bool calls_addresses(std::span<const std::byte> code, const Decoder& decoder) {
  for (std::size_t offset = 0; offset + kInstructionBytes <= code.size(); offset += kInstructionBytes) {
    const MachineInstruction instruction = decoder.decode(word_at(code, offset), offset);
    // The places of functions that are called directly are offsets from the instruction or absolute.
    const auto is_place = [](const MachineOperand& operand) {
      return operand.kind == MachineOperand::Kind::kTarget || operand.kind == MachineOperand::Kind::kDisplacement;
    };
    const bool calls = instruction.mnemonic.starts_with("CALL") && !instruction.operands.empty();
    if ((calls && !is_place(instruction.operands.front())) || instruction.mnemonic.starts_with("JMX")) {
      return true;
    }
  }
  return false;
}

bool calls_itself(std::span<const std::byte> code, const Decoder& decoder) {
  for (std::size_t offset = 0; offset + kInstructionBytes <= code.size(); offset += kInstructionBytes) {
    const MachineInstruction instruction = decoder.decode(word_at(code, offset), offset);
    if (instruction.mnemonic.starts_with("CALL") && !instruction.operands.empty() &&
        instruction.operands.front().kind == MachineOperand::Kind::kTarget && instruction.operands.front().value == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace warpsim::sass
