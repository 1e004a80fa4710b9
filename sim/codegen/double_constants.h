// Brings the literals of double-precision arithmetic into operands that exist.
//
// An instruction reads one literal whose low word is zero as an immediate. Another literal is in a pair of uniform
// registers (two UMOV) from 9.0 on, and in a constant bank before. Only one source can be any of these, the second or
// third one: the others are moved into pairs of registers. What is moved is kept within a block. Source: code of
// ptxas 13.0 for 7.5 to 9.0. Not modelled: the addresses of constant banks, which the literals stand for.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/machine_instruction.h"

namespace warpsim::codegen {

class Emitter;

bool is_double_arithmetic(std::string_view opcode);

class DoubleConstants {
 public:
  // `uniform`: literals are in uniform registers.
  explicit DoubleConstants(bool uniform) : uniform_(uniform) {}

  // Values in registers are only known to be written on paths within a block.
  void begin_block();
  // Emits moves of what `instruction` cannot read, and changes its operands to these registers.
  void fit(Emitter& emitter, MachineInstruction& instruction);

 private:
  // Pairs of uniform registers that keep their literals; compilers use few at a time.
  static constexpr std::size_t kKeptPairs = 8;

  MachineOperand in_pair(Emitter& emitter, const MachineOperand& literal);
  MachineOperand in_uniform_pair(Emitter& emitter, const MachineOperand& literal);

  bool uniform_;
  std::map<std::string, MachineOperand> pairs_;                       // by text
  std::deque<std::pair<std::string, MachineOperand>> uniform_pairs_;  // latest last
  std::uint32_t moves_ = 0;
};

}  // namespace warpsim::codegen
