// Which registers of a function always hold the same bits as another register, or a part of it, or a constant, so that
// they need no machine register of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warpsim::codegen {

// Of an instruction that is not there.
inline constexpr std::uint32_t kNoInstruction = 0xffffffffU;

// A register without sign, negation or component; a number.
bool is_whole_register(const ptx::Operand& operand);
bool is_literal(const ptx::Operand& operand);

// Another register, its word `word`, or a half of that. A register without another name is its own.
struct RegisterName {
  enum class Part : std::uint8_t { kWhole, kLower, kUpper };

  std::uint32_t reg = 0;
  std::uint8_t word = 0;
  Part part = Part::kWhole;
};

struct RegisterNames {
  std::vector<RegisterName> names;             // by register
  std::vector<const ptx::Operand*> constants;  // by register; null: it is no number
};

// `only_write`: by register, the only instruction that writes it, or kNoInstruction.
RegisterNames find_register_names(const ptx::Function& function, const std::vector<std::uint32_t>& only_write);

}  // namespace warpsim::codegen
