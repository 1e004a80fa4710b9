// One operand of a disassembled instruction: "R2.reuse", "!P0", "desc[UR4][R2.64+0x10]", "c[0x0][0x210]", "-0x1".
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpsim {

struct SassOperand {
  enum class Kind : std::uint8_t {
    kRegister,
    kPredicate,
    kPredicateSet,  // PR
    kUniformRegister,
    kUniformPredicate,
    kImmediate,
    kConstant,       // c[bank][offset]
    kAddress,        // [..], desc[..][..]
    kDescriptor,     // gdesc[..]
    kScoreboard,     // SB0
    kScoreboardSet,  // {1,2}
    kOther,          // SR_TID.X, B0, labels, 2D, ...
  };
  Kind kind = Kind::kOther;
  bool reuse = false;
  std::uint8_t index = 0;    // register or predicate number (255, 63 and 7 are constants), scoreboard
  std::int64_t value = 0;    // immediate
  std::uint8_t bank = 0;     // constant
  std::uint32_t offset = 0;  // constant; of an address, its immediate part
  bool indexed = false;      // constant: the offset contains a register, or the bank is not a number
  std::uint8_t set = 0;      // scoreboard set
  // Registers inside brackets.
  struct Inner {
    std::uint8_t index = 0;
    std::uint8_t width = 1;
    bool uniform = false;
  };
  std::array<Inner, 4> inner{};
  std::uint8_t inner_count = 0;
  std::string_view text;

  bool is_predicate() const {
    return kind == Kind::kPredicate || kind == Kind::kPredicateSet || kind == Kind::kUniformPredicate;
  }
  bool is_plain_register() const { return kind == Kind::kRegister || kind == Kind::kUniformRegister; }
};

// Splits "R1, c[0x0][0x28], {2,1}" at the commas and blanks outside brackets and reads each part. Throws
// std::invalid_argument that states the error (the caller knows file and line).
std::vector<SassOperand> parse_operands(std::string_view text);

}  // namespace warpsim
