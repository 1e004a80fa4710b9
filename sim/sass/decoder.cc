#include "sass/decoder.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace warpsim::sass {

namespace {

// Of descriptors of matrices, by bits: transposed A, B, negated A, B.
constexpr const char* kMatrixSuffixes[] = {"",          "tnspA",           "tnspB",           "tnspA.tnspB",
                                           "negA",      "negA.tnspA",      "negA.tnspB",      "negA.tnspA.tnspB",
                                           "negB",      "negB.tnspA",      "negB.tnspB",      "negB.tnspA.tnspB",
                                           "negA.negB", "negA.negB.tnspA", "negA.negB.tnspB", "negA.negB.tnspA.tnspB"};

using Kind = MachineOperand::Kind;
using Core = OperandCode::Core;

constexpr std::uint64_t kControlBits = ~std::uint64_t{0} << 41;  // of the upper half
constexpr std::uint32_t kPolicyBit = 101;                        // the descriptor states a cache policy

std::string hex(std::uint64_t value, int digits) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llx", digits, static_cast<unsigned long long>(value));
  return text;
}

[[noreturn]] void unknown(std::uint32_t architecture, const InstructionWord& word, std::uint64_t address,
                          const std::string& why) {
  throw UnknownInstruction("instruction 0x" + hex(word.high, 16) + hex(word.low, 16) + " at 0x" + hex(address, 4) +
                           " of code for sm_" + std::to_string(architecture) + ": " + why);
}

bool holds(const OperandCode& code, const InstructionWord& word) {
  return std::all_of(code.conditions.begin(), code.conditions.end(),
                     [&](const BitCondition& each) { return word.bit(each.bit) == each.value; });
}

bool set(std::uint8_t bit, const InstructionWord& word) {
  return bit != kNoBit && word.bit(bit);
}

std::uint8_t zero_of(Kind kind) {
  switch (kind) {
    case Kind::kRegister:
      return 255;
    case Kind::kUniformRegister:
      return 63;
    default:
      return 7;
  }
}

}  // namespace

Decoder::Decoder(std::uint32_t architecture) : architecture_(architecture), table_(EncodingTable::of(architecture)) {
  if (table_ == nullptr) {
    throw UnknownInstruction("machine code for sm_" + std::to_string(architecture) +
                             " cannot be decoded; expected sm_70, sm_75, sm_80, sm_86, sm_89 or sm_90");
  }
}

MachineInstruction Decoder::decode(const InstructionWord& word, std::uint64_t address) const {
  const auto candidates = table_->with(word.opcode());
  if (candidates.empty()) {
    unknown(architecture_, word, address, "no operation has opcode 0x" + hex(word.opcode(), 4));
  }
  for (const std::uint16_t index : candidates) {
    const Encoding& encoding = table_->encodings()[index];
    const bool fits = std::all_of(encoding.fixed.begin(), encoding.fixed.end(),
                                  [&](const Encoding::Fixed& each) { return each.bits.extract(word) == each.value; });
    if (fits) {
      return decode_as(encoding, word, address);
    }
  }
  const Encoding& last = table_->encodings()[candidates.back()];
  unknown(architecture_, word, address, "bits that have one value in every known " + last.mnemonic + " have another");
}

MachineInstruction Decoder::decode_as(const Encoding& encoding, const InstructionWord& word,
                                      std::uint64_t address) const {
  std::uint64_t high = word.high & ~kControlBits & ~encoding.known.high;
  if (architecture_ >= 80 && architecture_ < 90) {
    high &= ~(std::uint64_t{1} << (kPolicyBit - 64));
  }
  const std::uint64_t low = word.low & ~encoding.known.low;
  if (low != 0 || high != 0) {
    std::string bits;
    for (std::uint32_t bit = 0; bit < 128; ++bit) {
      if (((bit < 64 ? low : high) >> (bit % 64) & 1U) != 0) {
        bits += (bits.empty() ? "" : ", ") + std::to_string(bit);
      }
    }
    unknown(architecture_, word, address, "bits " + bits + " have no known meaning in " + encoding.mnemonic);
  }
  MachineInstruction out;
  out.address = address;
  out.word = word;
  out.encoding = &encoding;
  out.mnemonic = encoding.mnemonic;
  out.guard = static_cast<std::uint8_t>(word.bits(12, 14));
  out.guard_negated = word.bit(15);
  out.guard_uniform = encoding.uniform_guard;
  bool has_x = false;
  out.modifiers.reserve(encoding.modifiers.size());
  for (const ModifierCode& code : encoding.modifiers) {
    Modifier modifier;
    if (!code.literal.empty()) {
      modifier.field = modifier.text = std::string_view(code.literal).substr(1);
      modifier.value = 1;
      out.modifiers.push_back(modifier);
      continue;
    }
    modifier.field = code.name;
    modifier.value = static_cast<std::uint32_t>(code.bits.extract(word));
    if (code.table == nullptr) {
      modifier.value ^= code.inverted ? 1U : 0U;
      modifier.text = modifier.value != 0 ? std::string_view(code.name) : std::string_view();
      has_x = has_x || (code.name == "X" && modifier.value != 0);
    } else {
      const auto& names = code.table->names;
      if (modifier.value >= names.size() || names[modifier.value] == kInvalidName) {
        unknown(architecture_, word, address,
                "the modifier '" + code.name + "' of " + encoding.mnemonic + " has the unknown value " +
                    std::to_string(modifier.value));
      }
      modifier.text = names[modifier.value];
    }
    out.modifiers.push_back(modifier);
  }
  out.operands.reserve(encoding.operands.size() + 1);
  for (const OperandCode& code : encoding.operands) {
    if (!holds(code, word)) {
      out.operands.emplace_back();
      out.operands.back().hidden = true;
      continue;
    }
    if (code.table != nullptr) {
      const std::uint64_t value = code.bits.extract(word);
      if (value >= code.table->names.size() || code.table->names[value] == kInvalidName) {
        unknown(architecture_, word, address,
                "the operand '" + code.table->field + "' of " + encoding.mnemonic + " has the unknown value " +
                    std::to_string(value));
      }
    }
    out.operands.push_back(decode_operand(code, word, address, has_x));
    if (code.core == Core::kWithTarget) {
      MachineOperand target;
      target.kind = code.displacement || set(code.absolute_target, word) ? Kind::kDisplacement : Kind::kTarget;
      target.value = code.target.extract_signed(word) * 4;
      if (target.kind == Kind::kTarget) {
        target.value += static_cast<std::int64_t>(address) + kInstructionBytes;
      }
      target.joined = true;
      out.operands.push_back(target);
    }
  }
  return out;
}

// Signs, selected parts and whether the operand is printed.
void Decoder::modify(const OperandCode& code, const InstructionWord& word, std::uint64_t field, bool has_x,
                     MachineOperand& out) {
  out.negative = set(code.negative, word);
  if (out.negative && code.complement_with_x && has_x) {
    out.negative = false;
    out.complement = true;
  }
  out.absolute = set(code.absolute, word);
  out.complement = out.complement || set(code.complement, word);
  if (code.halves != kNoBit) {
    out.half = static_cast<std::uint8_t>(word.bits(code.halves, code.halves + 1U));
  }
  if (code.byte != kNoBit) {
    static constexpr const char* kBytes[] = {nullptr, "B1", "B2", "B3"};
    static constexpr const char* kWords[] = {nullptr, "H1", "H1", "H1"};
    const bool of_16_bits = word.bits(84, 85) == 1;
    out.suffix = (of_16_bits ? kWords : kBytes)[word.bits(code.byte, code.byte + 1U)];
  }
  if (set(code.negates_upper, word) && out.half == 0) {
    out.suffix = "H0_NH1";
  }
  if (set(code.half_word, word)) {
    out.suffix = "H1";
  }
  if (code.suffix != nullptr) {
    out.suffix = code.suffix->names[code.suffix_bits.extract(word)].c_str();
  }
  const std::uint32_t matrices = (set(code.transposed_a, word) ? 1U : 0) | (set(code.transposed_b, word) ? 2U : 0) |
                                 (set(code.negated_a, word) ? 4U : 0) | (set(code.negated_b, word) ? 8U : 0);
  if (matrices != 0) {
    out.suffix = kMatrixSuffixes[matrices];
  }
  if (code.hidden_value >= 0) {
    std::uint64_t value = field;
    // A predicate together with its negation.
    if (code.negative != kNoBit && (code.kind == Kind::kPredicate || code.kind == Kind::kUniformPredicate)) {
      value |= out.negative ? std::uint64_t{1} << code.bits.width() : 0;
    }
    out.hidden = value == static_cast<std::uint64_t>(code.hidden_value);
  } else if (code.hidden_value == -2) {
    out.hidden = code.kind == Kind::kAddress ? !out.has_base && !out.has_uniform && out.value == 0
                                             : out.index == zero_of(code.kind) && !out.negative;
  }
}

MachineOperand Decoder::decode_operand(const OperandCode& code, const InstructionWord& word, std::uint64_t address,
                                       bool has_x) const {
  MachineOperand out;
  out.kind = code.kind;
  out.slot = code.slot;
  const std::uint64_t field = code.bits.count == 0 ? 0 : code.bits.extract(word);
  switch (code.core) {
    case Core::kLiteral:
      out.name = code.text.c_str();
      break;
    case Core::kAddress:
      decode_address(code, word, out);
      break;
    case Core::kUniformAddress:
      out.has_base = false;
      out.has_uniform = true;
      out.uniform = static_cast<std::uint8_t>(field);
      break;
    case Core::kConstant:
      out.kind = Kind::kConstant;
      out.bank = static_cast<std::uint8_t>(word.bits(54, 58));
      out.value = static_cast<std::int16_t>(word.bits(38, 53) & ~std::uint64_t{3});
      break;
    case Core::kBoundConstant: {
      out.kind = Kind::kConstant;
      out.bank = static_cast<std::uint8_t>(word.bits(54, 58));
      const std::uint8_t none = code.base_is_uniform ? 63 : 255;
      const auto base = code.base.count == 0 ? none : static_cast<std::uint8_t>(code.base.extract(word));
      out.bound = !code.base_is_uniform;
      const bool bound = base != none;
      out.value = static_cast<std::int64_t>(word.bits(38, 53));
      if (bound) {
        out.value = static_cast<std::int16_t>(out.value);
        (code.base_is_uniform ? out.has_uniform : out.has_base) = true;
        (code.base_is_uniform ? out.uniform : out.index) = base;
      }
      break;
    }
    case Core::kBindless:
      out.kind = Kind::kBindless;
      out.uniform = static_cast<std::uint8_t>(code.uniform.extract(word));
      out.value = static_cast<std::int64_t>(field);
      break;
    case Core::kWithTarget:
    case Core::kField:
      switch (code.kind) {
        case Kind::kPredicate:
        case Kind::kUniformPredicate:
          out.index = static_cast<std::uint8_t>(code.reversed ? 7 - field : field);
          break;
        case Kind::kTarget:
          out.value = code.bits.extract_signed(word) * code.target_scale + static_cast<std::int64_t>(address) +
                      kInstructionBytes;
          break;
        case Kind::kDisplacement:
          out.value = code.bits.extract_signed(word) * code.target_scale;
          break;
        case Kind::kSigned:
          if (code.signed_if == kNoBit || word.bit(code.signed_if)) {
            out.value = static_cast<std::int32_t>(field);
          } else {
            out.kind = Kind::kInteger;
            out.value = static_cast<std::int64_t>(field);
          }
          break;
        case Kind::kName:
          out.value = static_cast<std::int64_t>(field);
          out.name = code.table != nullptr ? code.table->names[field].c_str() : code.text.c_str();
          break;
        default:
          out.index = static_cast<std::uint8_t>(field);
          out.value = static_cast<std::int64_t>(field);
          break;
      }
      break;
  }
  modify(code, word, field, has_x, out);
  return out;
}

void Decoder::decode_address(const OperandCode& code, const InstructionWord& word, MachineOperand& out) const {
  const auto base = static_cast<std::uint8_t>(code.base.extract(word));
  out.value = code.offset.count == 0 ? 0 : code.offset.extract_signed(word);
  if (code.scale.count != 0) {
    static constexpr std::uint8_t kScales[] = {0, 2, 3, 4};
    out.scale = kScales[code.scale.extract(word)];
  }
  if (code.base_is_uniform) {
    out.has_uniform = true;
    out.uniform = base;
    return;
  }
  out.index = base;
  out.has_base = base != 255;
  if (code.uniform.count == 0) {
    return;
  }
  const auto uniform = static_cast<std::uint8_t>(code.uniform.extract(word) + code.uniform_step);
  if (code.wide != kNoBit) {
    out.base_bits = word.bit(code.wide) ? 64 : 32;
  }
  if (set(code.descriptor, word)) {
    out.has_descriptor = true;
    out.descriptor = uniform;
    out.shows_descriptor = architecture_ >= 90 || word.bit(kPolicyBit);
    return;
  }
  if (code.uniform_step != 0) {
    return;  // its uniform register belongs to another address
  }
  out.has_base = out.has_base || (out.base_bits == 32 && code.shows_zero_base && word.bit(72));
  out.has_uniform = uniform != 63 || code.shows_zero || !out.has_base;
  out.uniform = uniform;
}

}  // namespace warpsim::sass
