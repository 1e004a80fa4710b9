// Machine instructions before registers are assigned: text of a disassembly with placeholders for values.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpsim::codegen {

using Number = std::uint32_t;
inline constexpr Number kNone = 0xffffffffU;

// Something that needs registers: those of PTX by their numbers in the function, temporaries after them.
struct Value {
  enum class File : std::uint8_t { kGeneral, kPredicate, kUniform, kUniformPredicate };
  File file = File::kGeneral;
  std::uint8_t words = 1;  // consecutive registers
  Number part_of = kNone;  // a vector's value, whose register `word` this one is
  std::uint8_t word = 0;
};

struct MachineOperand {
  std::string before = {};  // "-", "desc[UR4]["; the whole operand if there is no value
  Number value = kNone;
  std::uint8_t word = 0;      // of the value: its register with this offset
  std::string behind = {};    // ".64+0x10]"
  Number second = kNone;      // of an address: a uniform value that is added
  Number descriptor = kNone;  // of global memory: a uniform value in front of the address
};

inline MachineOperand text_operand(std::string text) {
  return {std::move(text)};
}

struct MachineInstruction {
  std::string opcode;  // including modifiers
  std::vector<MachineOperand> operands;
  MachineOperand guard = {};  // before: "@" or "@!"; none if empty
  Number label = kNone;       // PTX instruction of the function to which it branches, appended as an operand
  Number ptx = kNone;         // PTX instruction of the function for which it was selected
};

}  // namespace warpsim::codegen
