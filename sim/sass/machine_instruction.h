// A decoded machine instruction of sm_70 or later: what the fields of its word mean, before its text is printed or its
// effects are executed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sass/instruction_word.h"

namespace warpsim::sass {

struct Encoding;

struct MachineOperand {
  enum class Kind : std::uint8_t {
    kRegister,          // index; 255: RZ
    kUniformRegister,   // index; 63: URZ
    kPredicate,         // index; 7: PT
    kUniformPredicate,  // index; 7: UPT
    kPredicates,        // PR: all of them
    kUniformPredicates,
    kInteger,        // value; printed as unsigned
    kSigned,         // value; printed with its sign
    kFloat,          // value: bits of a float
    kDouble,         // value: upper half of a double
    kHalves,         // value: two halves or bfloat16, the upper one in bits 31:16
    kConstant,       // c[bank][offset] with a register inside the brackets, or RZ
    kBindless,       // cx[UR index][offset]
    kAddress,        // see below
    kDescriptor,     // desc[UR index]
    kMatrixMemory,   // gdesc[UR index]: descriptors of matrices in shared memory
    kTarget,         // value: byte offset in the code
    kDisplacement,   // value: bytes, added to a register
    kName,           // value: of a list of names, `names`
    kScoreboard,     // SBn
    kScoreboardSet,  // value: mask
    kBarrier,        // Bn: convergence barrier
    kNothing,        // an operand that this instruction does not have
  };
  Kind kind = Kind::kNothing;
  bool hidden = false;    // has its default value, which is not printed
  bool joined = false;    // belongs to the operand before it: a displacement
  bool negative = false;  // of a predicate: not
  bool absolute = false;
  bool complement = false;
  std::uint8_t half = 0;  // of a pair: 0 as it is, 1 the register is a float, 2 twice the lower half, 3 the upper one
  std::uint8_t index = 255;
  std::uint8_t bank = 0;
  std::uint8_t slot = 255;       // place in the register cache: 0 to 2, 3: of metadata; 255: none
  std::int64_t value = 0;        // address, constant: offset in bytes
  const char* suffix = nullptr;  // printed behind it: "COL", "H1"
  const char* name = nullptr;    // kName
  // Address: base register (index), width of its value in bits (0: not stated), scale, uniform register, descriptor.
  std::uint8_t base_bits = 0;
  std::uint8_t scale = 0;  // logarithm
  std::uint8_t uniform = 255;
  bool has_base = false;
  bool has_uniform = false;
  bool has_descriptor = false;  // the uniform register holds a memory descriptor
  bool shows_descriptor = false;
  bool bound = false;             // constant of an instruction that can add a register to the offset
  std::uint8_t descriptor = 255;  // uniform register
};

struct Modifier {
  std::string_view field;  // which list of names, or the name itself for a modifier of one bit
  std::uint32_t value = 0;
  std::string_view text;  // empty: not printed
};

struct MachineInstruction {
  std::uint64_t address = 0;
  InstructionWord word;
  const Encoding* encoding = nullptr;
  std::string_view mnemonic;
  std::uint8_t guard = 7;  // PT or UPT
  bool guard_negated = false;
  bool guard_uniform = false;
  std::vector<Modifier> modifiers;
  std::vector<MachineOperand> operands;  // as in the text, with those that are not printed

  // The modifier of this field; 0 if the instruction has none.
  std::uint32_t modifier(std::string_view field) const {
    for (const Modifier& each : modifiers) {
      if (each.field == field) {
        return each.value;
      }
    }
    return 0;
  }
};

}  // namespace warpsim::sass
