#include "codegen/known_numbers.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpsim::codegen {

namespace {

using ptx::DataType;
using ptx::Instruction;
using ptx::Operand;

struct Integers {
  std::uint32_t bits = 0;
  bool is_signed = false;
};

std::optional<Integers> integers_of(std::string_view word) {
  const std::optional<DataType> type = ptx::data_type_of(word);
  // A letter and digits: bf16 and u16x2 are none.
  const bool is_one = word.size() > 1 && (word[0] == 's' || word[0] == 'u' || word[0] == 'b') &&
                      word.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (!type || !is_one) {
    return std::nullopt;
  }
  constexpr std::uint32_t kMostBits = 64;
  constexpr std::uint32_t kLeastBits = 16;
  const std::uint32_t bits = 8 * ptx::bytes_of(*type);
  const bool usual = bits >= kLeastBits && bits <= kMostBits;
  return usual ? std::optional(Integers{bits, word[0] == 's'}) : std::nullopt;
}

// As the type says, extended to 64 bits.
std::uint64_t read(std::uint64_t bits, Integers type) {
  const std::uint32_t unused = 64 - type.bits;
  return type.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused)
                        : bits << unused >> unused;
}

std::uint64_t cut(std::uint64_t bits, std::uint32_t count) {
  return count >= 64 ? bits : bits & ((std::uint64_t{1} << count) - 1);
}

std::uint64_t shifted_right(std::uint64_t value, Integers type, std::uint64_t by) {
  const std::uint64_t most = type.bits - 1;
  if (type.is_signed) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> std::min(by, most));
  }
  return by > most ? 0 : value >> by;
}

std::optional<std::uint64_t> of_two(std::string_view opcode, std::uint64_t a, std::uint64_t b, Integers type) {
  if (opcode == "add") {
    return a + b;
  }
  if (opcode == "sub") {
    return a - b;
  }
  if (opcode == "mul") {
    return a * b;
  }
  if (opcode == "and") {
    return a & b;
  }
  if (opcode == "or") {
    return a | b;
  }
  if (opcode == "xor") {
    return a ^ b;
  }
  // Amounts are 32 bits without a sign.
  const std::uint64_t amount = cut(b, 32);
  if (opcode == "shl") {
    return amount >= type.bits ? 0 : a << amount;
  }
  if (opcode == "shr") {
    return shifted_right(a, type, amount);
  }
  return std::nullopt;
}

}  // namespace

bool is_of_integers(const Instruction& instruction) {
  return !instruction.modifiers.empty() && integers_of(instruction.modifiers.back());
}

std::optional<std::uint64_t> KnownNumbers::of(std::uint32_t reg) const {
  const auto known = numbers_.find(reg);
  return known == numbers_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<std::uint64_t> KnownNumbers::number(const Operand& operand) const {
  if (operand.kind == Operand::Kind::kInteger) {
    return operand.bits;
  }
  const bool plain = operand.kind == Operand::Kind::kRegister && operand.component < 0 && !operand.minus &&
                     !operand.negated && operand.offset == 0;
  return plain ? of(operand.number) : std::nullopt;
}

std::optional<KnownNumbers::Result> KnownNumbers::result_of(const Instruction& instruction) const {
  const std::vector<std::string_view>& words = instruction.modifiers;
  const std::vector<Operand>& operands = instruction.operands;
  const bool simple = !instruction.guard && !words.empty() && operands.size() >= 2 && operands.size() <= 4 &&
                      operands[0].kind == Operand::Kind::kRegister && operands[0].component < 0 &&
                      operands[0].second == nullptr;
  const std::optional<Integers> type = simple ? integers_of(words.back()) : std::nullopt;
  if (!type) {
    return std::nullopt;
  }
  std::array<std::uint64_t, 3> in{};
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const std::optional<std::uint64_t> known = number(operands[i]);
    if (!known) {
      return std::nullopt;
    }
    in[i - 1] = read(*known, *type);
  }
  const auto result = [&](std::uint64_t bits, std::uint32_t count) {
    return Result{operands[0].number, cut(bits, count)};
  };
  const std::string_view opcode = instruction.opcode;
  if (operands.size() == 2 && words.size() == 1) {
    const bool moves = opcode == "mov";
    return moves || opcode == "not" ? std::optional(result(moves ? in[0] : ~in[0], type->bits)) : std::nullopt;
  }
  if (operands.size() == 2) {
    const std::optional<Integers> to = opcode == "cvt" && words.size() == 2 ? integers_of(words[0]) : std::nullopt;
    return to ? std::optional(result(in[0], to->bits)) : std::nullopt;
  }
  const bool multiplies = opcode == "mul" || opcode == "mad";
  if (words.size() != (multiplies ? 2 : 1) || (multiplies && words[0] != "lo" && words[0] != "wide")) {
    return std::nullopt;
  }
  const std::uint32_t bits = multiplies && words[0] == "wide" ? 2 * type->bits : type->bits;
  if (opcode == "mad" && operands.size() == 4) {
    return result(in[0] * in[1] + *number(operands[3]), bits);
  }
  const std::optional<std::uint64_t> two = operands.size() == 3 ? of_two(opcode, in[0], in[1], *type) : std::nullopt;
  return two ? std::optional(result(*two, bits)) : std::nullopt;
}

}  // namespace warpsim::codegen
