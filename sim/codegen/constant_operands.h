// Brings constants into the operands of machine instructions that can read them.
//
// Of code before 9.0 (and immediates of all): an instruction of the arithmetic pipes reads one constant, by address in
// a constant bank or as an immediate, as its second or third source, or as its only one. Others are moved into
// registers first, once a block. Source: the forms of the instructions in disassemblies of 7.5 to 9.0.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/machine_instruction.h"

namespace warpsim::codegen {

class Emitter;

class ConstantOperands {
 public:
  // Values in registers are only known to be written on paths within a block.
  void begin_block() { held_.clear(); }
  // Emits moves of what `instruction` cannot read, and changes its operands to these registers.
  void fit(Emitter& emitter, MachineInstruction& instruction);

 private:
  MachineOperand held(Emitter& emitter, const MachineInstruction& by, const MachineOperand& constant, bool is_wide);

  std::map<std::string, MachineOperand> held_;  // by text of the constant
  std::uint32_t moves_ = 0;
};

}  // namespace warpsim::codegen
