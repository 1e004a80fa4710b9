// Registers of integers whose numbers are known at a place of straight code, and the results of integer arithmetic on
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "ptx/module.h"

namespace warpsim::codegen {

// Whether its type is one of integers or bits.
bool is_of_integers(const ptx::Instruction& instruction);

class KnownNumbers {
 public:
  void set(std::uint32_t reg, std::uint64_t bits) { numbers_[reg] = bits; }
  void forget(std::uint32_t reg) { numbers_.erase(reg); }
  std::optional<std::uint64_t> of(std::uint32_t reg) const;
  const std::unordered_map<std::uint32_t, std::uint64_t>& all() const { return numbers_; }

  // The register that an instruction without a guard writes, and its number, in as many bits as the result has. None:
  // an operand is not known, or the operation is none of moves, conversions, sums, products, logic and shifts of
  // integers.
  struct Result {
    std::uint32_t reg = 0;
    std::uint64_t bits = 0;
  };
  std::optional<Result> result_of(const ptx::Instruction& instruction) const;

 private:
  std::optional<std::uint64_t> number(const ptx::Operand& operand) const;

  std::unordered_map<std::uint32_t, std::uint64_t> numbers_;
};

}  // namespace warpsim::codegen
