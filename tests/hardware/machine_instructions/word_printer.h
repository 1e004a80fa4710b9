// Prints words for record.cc, each once.
#pragma once

#include <cstdint>
#include <exception>
#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "sass/decoder.h"
#include "sass/printer.h"

namespace warpsim::test {

class WordPrinter {
 public:
  explicit WordPrinter(const sass::Decoder& decoder) : decoder_(decoder) {}

  // "d": executed by diverging lanes.
  void print(const sass::InstructionWord& word, bool diverges) {
    if (!printed_.insert({word.high, word.low, diverges}).second) {
      return;
    }
    std::string text;
    try {
      const sass::MachineInstruction instruction = decoder_.decode(word, 0);
      if (faults(instruction)) {
        return;
      }
      text = sass::instruction_text(instruction);
    } catch (const std::exception& error) {
      std::cerr << error.what() << "\n";
      return;
    }
    std::cout << std::hex << word.high << ' ' << word.low << ' ' << (diverges ? "d " : "- ") << text << '\n';
  }

 private:
  // Sums cannot negate two sources: such words fault.
  static bool faults(const sass::MachineInstruction& instruction) {
    const std::string_view name = instruction.mnemonic;
    int negated = 0;
    for (const sass::MachineOperand& operand : instruction.operands) {
      const bool predicate = operand.kind == sass::MachineOperand::Kind::kPredicate ||
                             operand.kind == sass::MachineOperand::Kind::kUniformPredicate;
      negated += !predicate && (operand.negative || operand.complement) ? 1 : 0;
    }
    return negated > 1 && (name.find("IADD3") != std::string_view::npos || name.find("LEA") != std::string_view::npos);
  }

  const sass::Decoder& decoder_;
  std::set<std::tuple<std::uint64_t, std::uint64_t, bool>> printed_;
};

}  // namespace warpsim::test
