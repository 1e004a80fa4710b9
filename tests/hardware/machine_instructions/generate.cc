// Prints machine words of 9.0 for record.cc: of each operation of the instruction table that computes with registers,
// predicates, uniform registers or the slots in memory, all values of each modifier, and random combinations of them.
// A line: upper and lower 64 bits, "-" or "d" (executed by diverging lanes), text.
// Words on the standard input (a line: lower and upper 64 bits) are examples of compiled code: their modifiers, signs
// and immediate values are kept, registers and constants replaced. With an argument only words like those are printed.
// Compile with -Isim -Itests, link with the files of sim/sass that decode and print, and with fmt; pack the output as
// words.txt.xz.
#include <cstdint>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/machine_instructions/mnemonics.h"
#include "hardware/machine_instructions/word_fields.h"
#include "hardware/machine_instructions/word_printer.h"
#include "sass/decoder.h"
#include "sass/encoding.h"
#include "sass/printer.h"

namespace {

using namespace warpsim;
using namespace warpsim::sass;
using namespace warpsim::test;
using Kind = MachineOperand::Kind;
using Core = OperandCode::Core;

constexpr std::uint32_t kControlBegin = 105;  // bits for the scheduler from here on

// What may vary: the first value is the usual one.
struct Choice {
  BitField bits;
  std::vector<std::uint64_t> values;
  bool modifier = false;
};

class Generator {
 public:
  explicit Generator(std::uint32_t architecture) : decoder_(architecture), printer_(decoder_) {}

  // Words with the modifiers of an example.
  void words_like(const InstructionWord& example) {
    const MachineInstruction instruction = decoder_.decode(example, 0);
    const Encoding& code = *instruction.encoding;
    const bool of_warp = is_in(code.mnemonic, kOfWarps);
    if (!of_warp && !is_in(code.mnemonic, kComputing) && !is_in(code.mnemonic, kMatrices)) {
      return;
    }
    choices_.clear();
    base_ = example;
    set_bits(base_, one_bit(kControlBegin, 64 + 64 - kControlBegin), 0);
    set_bits(base_, one_bit(12, 4), 7);
    for (const OperandCode& operand : code.operands) {
      if (operand.core == Core::kBindless) {
        return;
      }
      add_operand(code, operand);
      if (operand.core == Core::kConstant || operand.core == Core::kBoundConstant) {
        set_bits(base_, one_bit(54, 5), 0);  // the bank
      }
    }
    // Registers that vary do not make an example another one, nor do immediate values of 32 bits.
    InstructionWord form = base_;
    for (const Choice& choice : choices_) {
      if (!choice.modifier) {
        set_bits(form, choice.bits, 0);
      }
    }
    std::erase_if(choices_, [](const Choice& choice) {
      return choice.modifier || choice.bits.width() == 32 || choice.bits.width() == 13;
    });
    if (forms_.insert({form.high, form.low}).second) {
      emit(false, of_warp, 2);
    }
  }

  void words_of(const Encoding& code, bool full) {
    choices_.clear();
    base_ = {};
    set_bits(base_, one_bit(0, 12), code.opcode & 0xfffU);
    set_bits(base_, one_bit(91), code.opcode >> 12U);
    set_bits(base_, one_bit(12, 3), 7);
    for (const Encoding::Fixed& fixed : code.fixed) {
      set_bits(base_, fixed.bits, fixed.value);
    }
    for (const ModifierCode& modifier : code.modifiers) {
      add_modifier(code, modifier);
    }
    for (const OperandCode& operand : code.operands) {
      if (operand.core == Core::kBindless) {
        return;
      }
      add_operand(code, operand);
    }
    emit(full, is_in(code.mnemonic, kOfWarps), full ? 24 : 6);
  }

 private:
  void add(const BitField& bits, std::vector<std::uint64_t> values, bool modifier = false) {
    choices_.push_back({bits, std::move(values), modifier});
  }

  void add_modifier(const Encoding& code, const ModifierCode& modifier) {
    if (modifier.bits.count == 0) {
      return;
    }
    const bool ordering = modifier.name == "order" || modifier.name == "evict" || modifier.name == "prefetch";
    if (ordering) {
      const bool strong = modifier.name == "order" && code.mnemonic.find("LD") == std::string::npos &&
                          code.mnemonic.find("ST") == std::string::npos;
      set_bits(base_, modifier.bits, modifier.name == "evict" ? 1 : strong ? 7 : 0);
      return;
    }
    std::vector<std::uint64_t> values;
    const std::uint64_t count = std::uint64_t{1} << modifier.bits.width();
    for (std::uint64_t value = 0; value < count; ++value) {
      const bool named = modifier.table == nullptr ||
                         (value < modifier.table->names.size() && modifier.table->names[value] != kInvalidName);
      if (named) {
        values.push_back(modifier.inverted ? 1 - value : value);
      }
    }
    if (modifier.name == "scale_result") {
      std::swap(values[0], values[3]);
    } else if (modifier.name == "compare" || modifier.name == "compare_double" || modifier.name == "compare_integer") {
      std::swap(values[0], values[1]);
    } else if (modifier.name == "E") {
      values = {1};
    }
    add(modifier.bits, values, true);
  }

  static std::uint64_t register_at(const BitField& bits, bool uniform) {
    const std::uint32_t first = bits.runs[0].first;
    return first == 16 ? 8 : first == 24 ? 12 : first == 32 ? 16 : first == 64 ? 20 : uniform ? 63 : 255;
  }

  void add_operand(const Encoding& code, const OperandCode& operand) {
    const bool first_is_output = operand.bits.count == 1 && operand.bits.runs[0].first >= 81;
    switch (operand.core) {
      case Core::kConstant:
        add(operand.bits, {0x230, 0x238, 0x240, 0x23c, 0x258});
        break;
      case Core::kBoundConstant:
        add(operand.bits, {0x230, 0x238, 0x233, 0x241});
        if (operand.base.count != 0) {
          add(operand.base, {operand.base_is_uniform ? 63U : 26U, operand.base_is_uniform ? 63U : 255U});
        }
        break;
      case Core::kAddress:
        add_address(code, operand);
        return;
      case Core::kField:
        add_field(operand, first_is_output);
        break;
      default:
        break;
    }
    for (const std::uint8_t bit :
         {operand.negative, operand.absolute, operand.complement, operand.half_word, operand.negates_upper}) {
      const bool predicate = operand.kind == Kind::kPredicate || operand.kind == Kind::kUniformPredicate;
      if (bit != kNoBit && !predicate) {
        add(one_bit(bit), {0, 1}, true);
      }
    }
    if (operand.halves != kNoBit) {
      add(one_bit(operand.halves, 2), {0, 2, 3, 1}, true);
    }
    if (operand.byte != kNoBit) {
      add(one_bit(operand.byte, 2), {0, 1, 2, 3}, true);
    }
    if (operand.suffix != nullptr) {
      std::vector<std::uint64_t> values;
      for (std::size_t i = 0; i < operand.suffix->names.size(); ++i) {
        values.push_back(i);
      }
      add(operand.suffix_bits, values, true);
    }
  }

  void add_field(const OperandCode& operand, bool output) {
    switch (operand.kind) {
      case Kind::kRegister:
      case Kind::kUniformRegister: {
        const bool uniform = operand.kind == Kind::kUniformRegister;
        const std::uint64_t zero = uniform ? 63 : 255;
        const std::uint64_t usual = register_at(operand.bits, uniform);
        for (const BitCondition& condition : operand.conditions) {  // RZ if the operand is not there
          conditional_.push_back({operand.bits, condition.bit, condition.value, static_cast<std::uint32_t>(zero)});
        }
        add(operand.bits, usual == zero ? std::vector<std::uint64_t>{zero} : std::vector<std::uint64_t>{usual, zero});
        break;
      }
      case Kind::kPredicate:
      case Kind::kUniformPredicate:
        add_predicate(operand, output);
        break;
      case Kind::kFloat:
        add(operand.bits, {0x40091eb8, 0x00000000, 0xff800000, 0x80000001, 0x7fa12345, 0xbf000000, 0x7e900000});
        break;
      case Kind::kDouble:
        add(operand.bits, {0x40091eb8, 0x00000000, 0xfff00000, 0x7ff40000, 0x80000001, 0xbff00000});
        break;
      case Kind::kHalves:
        add(operand.bits, {0x3f80c040, 0x3c00bc01, 0x7c00fe12, 0x00018001, 0x7bff0000, 0xffc1ff80});
        break;
      case Kind::kInteger:
      case Kind::kSigned:
        add(operand.bits, integers_of(operand.bits.width()));
        break;
      case Kind::kName:
        if (operand.text == "SW") {
          add(operand.bits, {0x00, 0xff, 0x55, 0xaa, 0x1b, 0xe4, 0x99, 0x93, 0x39});
        } else {
          add(operand.bits, {0});
        }
        break;
      default:
        break;
    }
  }

  // Of inputs that the instruction has only with a modifier: PT or !PT without it, which emit() sets.
  void add_predicate(const OperandCode& operand, bool output) {
    const std::uint32_t first = operand.bits.runs[0].first;
    if (operand.negative == kNoBit) {
      const bool is_output = output && (first == 81 || first == 84);
      add(operand.bits,
          is_output ? std::vector<std::uint64_t>{first == 81 ? 1U : 2U, 7} : std::vector<std::uint64_t>{3});
      return;
    }
    BitField with_sign = operand.bits;
    with_sign.runs[1] = with_sign.runs[0];
    with_sign.runs[0] = {operand.negative, operand.negative};
    with_sign.count = 2;
    const std::uint64_t usual = first == 87 ? 3 : first == 77 ? 4 : first == 26 ? 0 : 5;
    std::vector<std::uint64_t> values = {usual, usual + 8, 7, 15};
    if (operand.reversed) {
      values = {0};
    }
    if (!operand.conditions.empty() || operand.hidden_value == 7) {
      const BitCondition condition = operand.conditions.empty() ? BitCondition{} : operand.conditions[0];
      if (!condition.value) {
        return;  // the operand that is not there
      }
      conditional_.push_back({with_sign, condition.bit, true, condition.bit == 74 ? 15U : 7U});
    }
    add(with_sign, values);
  }

  void add_address(const Encoding& code, const OperandCode& operand) {
    const bool shared = code.mnemonic == "LDS" || code.mnemonic == "STS" || code.mnemonic == "ATOMS";
    set_bits(base_, operand.base, operand.base_is_uniform ? 63 : shared ? 6 : 4);
    if (operand.wide != kNoBit) {
      set_bits(base_, one_bit(operand.wide), 1);
    }
    if (operand.descriptor != kNoBit) {
      set_bits(base_, one_bit(operand.descriptor), 1);
      set_bits(base_, operand.uniform, 4);
    } else if (operand.uniform.count != 0) {
      set_bits(base_, operand.uniform, 63);
    }
    std::erase_if(choices_,
                  [&](const Choice& choice) { return has_bits(choice.bits, 78) && operand.scale.count != 0; });
  }

  InstructionWord with(const std::vector<std::size_t>& chosen) const {
    InstructionWord word = base_;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      set_bits(word, choices_[i].bits, choices_[i].values[chosen[i]]);
    }
    for (const Conditional& each : conditional_) {
      if (word.bit(each.bit) != each.value) {
        set_bits(word, each.bits, each.otherwise);
      }
    }
    return word;
  }

  void emit(bool full, bool of_warp, int randoms) {
    const std::vector<std::size_t> usual(choices_.size(), 0);
    printer_.print(with(usual), false);
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      for (std::size_t value = 1; value < choices_[i].values.size(); ++value) {
        // Forms that differ in the place of an operand only: its values, not all modifiers again.
        const bool is_place = !choices_[i].modifier && choices_[i].values.size() > 4;
        if (full || is_place) {
          std::vector<std::size_t> chosen = usual;
          chosen[i] = value;
          printer_.print(with(chosen), false);
        }
      }
    }
    all_modifiers(full, usual);
    for (int i = 0; i < randoms; ++i) {
      std::vector<std::size_t> chosen = usual;
      for (std::size_t at = 0; at < choices_.size(); ++at) {
        if (random_() % 2 == 0) {
          chosen[at] = random_() % choices_[at].values.size();
        }
      }
      InstructionWord word = with(chosen);
      printer_.print(word, false);
      if (i % 3 == 0) {
        set_bits(word, one_bit(12, 4), random_() % 2 == 0 ? 0 : 8);
        printer_.print(word, false);
      }
      if (of_warp) {
        printer_.print(with(chosen), true);
        printer_.print(word, true);
      }
    }
    conditional_.clear();
  }

  // All combinations of the modifiers with names, if they are few.
  void all_modifiers(bool full, const std::vector<std::size_t>& usual) {
    constexpr std::size_t kMost = 96;
    std::size_t count = 1;
    for (const Choice& choice : choices_) {
      count *= choice.modifier && count <= kMost ? choice.values.size() : 1;
    }
    if (!full || count > kMost) {
      return;
    }
    for (std::size_t number = 0; number < count; ++number) {
      std::vector<std::size_t> chosen = usual;
      std::size_t rest = number;
      for (std::size_t i = 0; i < choices_.size(); ++i) {
        if (choices_[i].modifier) {
          chosen[i] = rest % choices_[i].values.size();
          rest /= choices_[i].values.size();
        }
      }
      printer_.print(with(chosen), false);
    }
  }

  struct Conditional {
    BitField bits;
    std::uint8_t bit;
    bool value;
    std::uint32_t otherwise;
  };
  Decoder decoder_;
  WordPrinter printer_;
  InstructionWord base_;
  std::vector<Choice> choices_;
  std::vector<Conditional> conditional_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> forms_;
  std::mt19937 random_{12345};  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same words each time
};

}  // namespace

int main(int count, char**) {
  constexpr std::uint32_t kArchitecture = 90;
  Generator generator(kArchitecture);
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  while (std::cin >> std::hex >> low >> high) {
    try {
      generator.words_like({low, high});
    } catch (const UnknownInstruction&) {
      continue;  // of another architecture
    }
  }
  if (count > 1) {
    return 0;
  }
  std::set<std::string> seen;
  const auto generate = [&](const auto& mnemonics) {
    for (const Encoding& code : EncodingTable::of(kArchitecture)->encodings()) {
      if (is_in(code.mnemonic, mnemonics)) {
        generator.words_of(code, seen.insert(code.mnemonic + std::to_string(code.opcode & 0x1ffU)).second);
      }
    }
  };
  generate(kComputing);
  // Which quotients need more than one step: the exponents of both operands, with few fractions.
  const Decoder decoder(kArchitecture);
  for (std::uint64_t exponent = 0; exponent < 256; ++exponent) {
    for (const std::uint64_t fraction : {0x000000U, 0x7fffffU, 0x2aaaaaU}) {
      const InstructionWord word{(exponent << 23U | fraction) << 32U | 0x0e007902U, 0x20000U};
      std::cout << std::hex << word.high << ' ' << word.low << " - " << instruction_text(decoder.decode(word, 0))
                << '\n';
    }
  }
  generate(kMemory);
  return 0;
}
