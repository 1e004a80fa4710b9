// From words of machine code to decoded instructions.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "sass/encoding.h"
#include "sass/machine_instruction.h"

namespace warpsim::sass {

// A word that the table does not know, with its address and bits, or code of an architecture without a table.
class UnknownInstruction : public UserError {
 public:
  using UserError::UserError;
};

class Decoder {
 public:
  // Throws UnknownInstruction: no table for this architecture (90 for sm_90).
  explicit Decoder(std::uint32_t architecture);

  // `address`: byte offset of the instruction in its code, to which branch targets are relative. Throws
  // UnknownInstruction: unknown opcode, value of a modifier without a name, bits without a known meaning.
  MachineInstruction decode(const InstructionWord& word, std::uint64_t address) const;

  std::uint32_t architecture() const { return architecture_; }

 private:
  MachineInstruction decode_as(const Encoding& encoding, const InstructionWord& word, std::uint64_t address) const;
  MachineOperand decode_operand(const OperandCode& code, const InstructionWord& word, std::uint64_t address,
                                bool has_x) const;
  static void modify(const OperandCode& code, const InstructionWord& word, std::uint64_t field, bool has_x,
                     MachineOperand& out);
  void decode_address(const OperandCode& code, const InstructionWord& word, MachineOperand& out) const;

  std::uint32_t architecture_;
  const EncodingTable* table_;
};

}  // namespace warpsim::sass
