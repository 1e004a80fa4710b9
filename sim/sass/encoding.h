// The rows of encoding_rows.h in a form that decodes quickly.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sass/bit_field.h"
#include "sass/encoding_rows.h"
#include "sass/machine_instruction.h"
#include "sass/name_tables.h"

namespace warpsim::sass {

struct ModifierCode {
  std::string literal;               // printed as it is; then there are no bits
  BitField bits;                     // empty: a literal
  const NameTable* table = nullptr;  // null: one bit, printed with `name`
  std::string name;
  bool inverted = false;
};

// A bit that must be set, or not.
struct BitCondition {
  std::uint8_t bit = 0;
  bool value = true;
};

inline constexpr std::uint8_t kNoBit = 255;

struct OperandCode {
  enum class Core : std::uint8_t {
    kField,    // operand of `kind` from `bits`
    kLiteral,  // `text`
    kAddress,
    kConstant,
    kBindless,
    kBoundConstant,  // the same with a register
    kWithTarget,     // a register, then a target or displacement
    kUniformAddress,
  };
  Core core = Core::kField;
  MachineOperand::Kind kind = MachineOperand::Kind::kNothing;
  BitField bits;
  bool reversed = false;            // predicate stored as 7 minus its number
  std::uint8_t signed_if = kNoBit;  // of kSigned: unsigned if the bit is not set
  std::string text;
  const NameTable* table = nullptr;  // of kName
  std::vector<BitCondition> conditions;
  std::int32_t hidden_value = -1;  // not printed with this value; -2: if it is RZ, PT or [RZ]
  std::uint8_t negative = kNoBit;
  std::uint8_t absolute = kNoBit;
  std::uint8_t complement = kNoBit;
  bool complement_with_x = false;       // negative means complement if the instruction has the modifier X
  std::uint8_t halves = kNoBit;         // the lower of two bits
  std::uint8_t negates_upper = kNoBit;  // HFMA2: the upper half only
  std::uint8_t half_word = kNoBit;      // F2F: upper half
  std::uint8_t byte = kNoBit;           // the lower of two bits
  BitField suffix_bits;
  const NameTable* suffix = nullptr;
  std::uint8_t transposed_a = kNoBit;
  std::uint8_t transposed_b = kNoBit;
  std::uint8_t negated_a = kNoBit;  // of matrices in shared memory
  std::uint8_t negated_b = kNoBit;
  std::uint8_t slot = 255;  // of the register cache
  // Address.
  BitField base;  // general register; empty: none
  bool base_is_uniform = false;
  std::uint8_t wide = kNoBit;
  BitField uniform;
  std::uint8_t uniform_step = 0;  // the descriptor is in the next register
  bool shows_zero = false;        // URZ is printed
  bool shows_zero_base = false;   // RZ is printed if it is 32 bits wide
  BitField offset;
  std::uint8_t descriptor = kNoBit;
  BitField scale;
  // kWithTarget: of a displacement, not a target, if this bit is set; always with `displacement`.
  bool displacement = false;
  std::uint8_t absolute_target = kNoBit;
  BitField target;
  std::uint8_t target_scale = 4;
};

enum class NameStyle : std::uint8_t { kPlain, kMultiplyAdd };

// One opcode on one range of architectures.
struct Encoding {
  const EncodingRow* row = nullptr;
  std::uint16_t opcode = 0;
  std::string mnemonic;
  bool uniform_guard = false;
  NameStyle style = NameStyle::kPlain;
  std::vector<ModifierCode> modifiers;
  std::vector<OperandCode> operands;
  struct Fixed {
    BitField bits;
    std::uint64_t value = 0;
  };
  std::vector<Fixed> fixed;
  InstructionWord known;  // bits that have a meaning, or may be set without one

  void know(const BitField& bits);
  void know_bit(std::uint32_t bit);  // kNoBit: none
};

// All encodings of an architecture (70, 75, ...), by opcode; built when it is first asked for.
class EncodingTable {
 public:
  // The table of an architecture that has one; null for others.
  static const EncodingTable* of(std::uint32_t architecture);
  static std::vector<std::uint32_t> architectures();

  const std::vector<Encoding>& encodings() const { return encodings_; }
  // Those of an opcode: indices of `encodings()`.
  std::span<const std::uint16_t> with(std::uint32_t opcode) const;

 private:
  explicit EncodingTable(std::uint32_t architecture);
  template <std::uint32_t kArchitecture>
  static const EncodingTable* built();

  NameTables names_;
  std::vector<Encoding> encodings_;
  std::vector<std::vector<std::uint16_t>> by_opcode_;
};

}  // namespace warpsim::sass
