#include "codegen/double_constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

#include "codegen/emitter.h"
#include "codegen/operand_use.h"

namespace warpsim::codegen {

namespace {

constexpr std::uint32_t kWordBits = 32;

// The number that an operand is; a sign belongs to it. Not the numbers that are no literals: RZ, and infinities, whose
// low word is zero.
std::optional<double> literal_of(const MachineOperand& operand) {
  if (operand.value != kNone || operand.before.empty()) {
    return std::nullopt;
  }
  const char* const begin = operand.before.c_str();
  const char first = begin[*begin == '-' ? 1 : 0];
  if (first < '0' || first > '9') {
    return std::nullopt;
  }
  char* end = nullptr;
  const double value = std::strtod(begin, &end);
  return *end == '\0' ? std::optional(value) : std::nullopt;
}

bool is_immediate(double value) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value)) == 0;
}

// The text of the number without its sign, which instructions apply.
std::string magnitude_of(const MachineOperand& literal) {
  return literal.before.substr(literal.before.starts_with('-') ? 1 : 0);
}

MachineOperand signed_like(MachineOperand value, const MachineOperand& literal) {
  value.before = literal.before.starts_with('-') ? "-" : "";
  return value;
}

// A word of the number without its sign.
MachineOperand word_of(const MachineOperand& literal, std::uint8_t word) {
  const auto bits = std::bit_cast<std::uint64_t>(std::abs(*literal_of(literal)));
  return text_operand(fmt::format("0x{:x}", static_cast<std::uint32_t>(bits >> (word * kWordBits))));
}

}  // namespace

bool is_double_arithmetic(std::string_view opcode) {
  return opcode.starts_with("DADD") || opcode.starts_with("DMUL") || opcode.starts_with("DFMA") ||
         opcode.starts_with("DSETP");
}

void DoubleConstants::begin_block() {
  pairs_.clear();
  uniform_pairs_.clear();
}

MachineOperand DoubleConstants::in_pair(Emitter& emitter, const MachineOperand& literal) {
  const auto [known, is_new] = pairs_.try_emplace(magnitude_of(literal));
  if (is_new) {
    known->second = emitter.temporary(2);
    MachineOperand word = known->second;
    for (std::uint8_t i = 0; i < 2; ++i) {
      word.word = i;
      emitter.emit_move(word, word_of(literal, i), moves_++ % 2 != 0);
    }
  }
  return signed_like(known->second, literal);
}

MachineOperand DoubleConstants::in_uniform_pair(Emitter& emitter, const MachineOperand& literal) {
  const std::string key = magnitude_of(literal);
  const auto known = std::ranges::find(uniform_pairs_, key, [](const auto& pair) { return pair.first; });
  MachineOperand value;
  if (known != uniform_pairs_.end()) {
    value = known->second;
    uniform_pairs_.erase(known);
  } else {
    value = emitter.uniform(2);
    MachineOperand word = value;
    for (std::uint8_t i = 0; i < 2; ++i) {
      word.word = i;
      emitter.emit("UMOV", {word, word_of(literal, i)});
    }
  }
  uniform_pairs_.emplace_back(key, value);
  if (uniform_pairs_.size() > kKeptPairs) {
    uniform_pairs_.pop_front();
  }
  return signed_like(value, literal);
}

void DoubleConstants::fit(Emitter& emitter, MachineInstruction& instruction) {
  if (!is_double_arithmetic(instruction.opcode)) {
    return;
  }
  std::vector<MachineOperand>& operands = instruction.operands;
  const std::size_t first = result_count(instruction, emitter.values);
  const std::size_t sources = instruction.opcode == "DFMA" ? 3 : 2;
  const std::size_t end = std::min(operands.size(), first + sources);
  if (end < first + 2) {
    return;
  }
  const bool swaps = !instruction.opcode.starts_with("DSETP");
  if (swaps && literal_of(operands[first]) && !literal_of(operands[first + 1])) {
    std::swap(operands[first], operands[first + 1]);
  }
  // The one that stays outside of registers: an immediate if there is one.
  std::size_t kept = end;
  for (std::size_t i = first + 1; i < end; ++i) {
    const std::optional<double> literal = literal_of(operands[i]);
    if (literal && (kept == end || (is_immediate(*literal) && !is_immediate(*literal_of(operands[kept]))))) {
      kept = i;
    }
  }
  const auto reads_uniform = [&emitter](const MachineOperand& operand) {
    return operand.value != kNone && emitter.values[operand.value].file == Value::File::kUniform;
  };
  if (std::any_of(operands.begin() + static_cast<std::ptrdiff_t>(first),
                  operands.begin() + static_cast<std::ptrdiff_t>(end), reads_uniform)) {
    kept = end;
  }
  for (std::size_t i = first; i < end; ++i) {
    const std::optional<double> literal = literal_of(operands[i]);
    if (!literal) {
      continue;
    }
    if (i != kept) {
      operands[i] = in_pair(emitter, operands[i]);
    } else if (uniform_ && !is_immediate(*literal)) {
      operands[i] = in_uniform_pair(emitter, operands[i]);
    }
  }
}

}  // namespace warpsim::codegen
