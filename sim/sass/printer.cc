#include "sass/printer.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

#include "sass/encoding.h"

namespace warpsim::sass {

namespace {

using Kind = MachineOperand::Kind;

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string signed_hex(std::int64_t value) {
  return value < 0 ? "-" + hex(static_cast<std::uint64_t>(-value)) : hex(static_cast<std::uint64_t>(value));
}

std::string number_text(double value, bool negative, bool not_a_number, bool quiet) {
  const std::string sign = negative ? "-" : "+";
  if (not_a_number) {
    return sign + (quiet ? "QNAN" : "SNAN");
  }
  if (std::isinf(value)) {
    return sign + "INF";
  }
  // Large integers have an exponent.
  const bool large = std::abs(value) >= 1e9;
  char text[64];
  std::snprintf(text, sizeof text, large ? "%.20e" : "%.20g", value);
  return text;
}

std::string half_value(std::uint32_t bits, std::uint32_t exponent_bits) {
  const std::uint32_t mantissa_bits = 15 - exponent_bits;
  const bool negative = (bits & 0x8000U) != 0;
  const std::uint32_t mantissa = bits & ((1U << mantissa_bits) - 1);
  const std::uint32_t exponent = bits >> mantissa_bits & ((1U << exponent_bits) - 1);
  const std::uint32_t highest = (1U << exponent_bits) - 1;
  const int bias = static_cast<int>(highest >> 1U);
  double value = 0;
  if (exponent == highest) {
    value = mantissa == 0 ? HUGE_VAL : 0;
  } else if (exponent == 0) {
    value = std::ldexp(mantissa, 1 - bias - static_cast<int>(mantissa_bits));
  } else {
    value =
        std::ldexp(mantissa | 1U << mantissa_bits, static_cast<int>(exponent) - bias - static_cast<int>(mantissa_bits));
  }
  const bool not_a_number = exponent == highest && mantissa != 0;
  const bool quiet = (mantissa >> (mantissa_bits - 1)) != 0;
  return number_text(negative ? -value : value, negative, not_a_number, quiet);
}

std::string register_name(const char* prefix, std::uint32_t index, std::uint32_t zero) {
  return index == zero ? std::string(prefix) + "Z" : prefix + std::to_string(index);
}
std::string general(std::uint32_t index) {
  return register_name("R", index, 255);
}
std::string uniform(std::uint32_t index) {
  return register_name("UR", index, 63);
}
std::string predicate(std::uint32_t index, bool is_uniform) {
  const std::string prefix = is_uniform ? "UP" : "P";
  return index == 7 ? prefix + "T" : prefix + std::to_string(index);
}

std::string offset_text(std::int64_t offset) {
  return offset == 0 ? "" : "+" + signed_hex(offset);
}

std::string address_text(const MachineOperand& operand) {
  std::string inside;
  if (operand.has_base || (!operand.has_uniform && operand.value == 0)) {
    inside = general(operand.has_base ? operand.index : 255);
    static constexpr const char* kScales[] = {"", "", ".X4", ".X8", ".X16"};
    inside += kScales[operand.scale];
    if (operand.base_bits != 0 && operand.has_base) {
      inside += operand.base_bits == 64 ? ".64" : ".U32";
    }
  }
  if (operand.has_uniform) {
    inside += (inside.empty() ? "" : "+") + uniform(operand.uniform);
  }
  const std::string offset = offset_text(operand.value);
  inside += inside.empty() && !offset.empty() ? offset.substr(1) : offset;
  const std::string text = "[" + inside + "]";
  return operand.shows_descriptor ? "desc[" + uniform(operand.descriptor) + "]" + text : text;
}

std::string constant_text(const MachineOperand& operand) {
  std::string inside;
  if (operand.has_base) {
    inside = general(operand.index) + offset_text(operand.value);
  } else if (operand.has_uniform) {
    inside = uniform(operand.uniform) + offset_text(operand.value);
  } else {
    inside = operand.value == 0 && operand.bound ? "RZ" : signed_hex(operand.value);
  }
  if (operand.kind == Kind::kBindless) {
    return "cx[" + uniform(operand.uniform) + "][" + hex(static_cast<std::uint64_t>(operand.value)) + "]";
  }
  return "c[" + hex(operand.bank) + "][" + inside + "]";
}

// The lanes' operations of FSWZADD: two bits each, the highest ones first.
std::string swizzle_text(std::uint64_t value) {
  std::string text;
  static constexpr std::array<const char*, 4> kNames = {"PP", "PN", "NP", "ZP"};
  for (std::uint32_t i = 0; i < 4; ++i) {
    text += kNames[value >> (6 - 2 * i) & 3U];
  }
  return text;
}

class Printer {
 public:
  Printer(const MachineInstruction& instruction, const PrintOptions& options)
      : instruction_(instruction), options_(options) {}

  std::string print() const {
    std::string text;
    if (instruction_.guard != 7 || instruction_.guard_negated) {
      text = std::string("@") + (instruction_.guard_negated ? "!" : "") +
             predicate(instruction_.guard, instruction_.guard_uniform) + " ";
    }
    text += name();
    const char* separator = " ";
    for (const MachineOperand& operand : instruction_.operands) {
      if (operand.hidden) {
        continue;
      }
      text += operand.joined ? " " : separator;
      text += operand_text(operand);
      separator = ", ";
    }
    return text;
  }

 private:
  std::string name() const {
    std::string text(instruction_.mnemonic);
    const bool multiply_add = instruction_.encoding->style == NameStyle::kMultiplyAdd;
    const std::string_view renamed = multiply_add ? multiply_add_name() : std::string_view();
    if (!renamed.empty()) {
      text += renamed;
    }
    for (const Modifier& modifier : instruction_.modifiers) {
      if (!modifier.text.empty()) {
        text += "." + std::string(modifier.text);
      }
    }
    return text;
  }

  // IMAD is also printed under the names of the simpler operations that it is used for.
  std::string_view multiply_add_name() const {
    const bool is_signed = instruction_.modifier("unsigned") != 0;
    if (instruction_.modifier("X") != 0) {
      return {};
    }
    const MachineOperand& a = instruction_.operands[1];
    const MachineOperand& b = instruction_.operands[2];
    const MachineOperand& c = instruction_.operands[3];
    const auto is_zero = [](const MachineOperand& operand) {
      return (operand.kind == Kind::kRegister && operand.index == 255) ||
             (operand.kind == Kind::kSigned && operand.value == 0);
    };
    const bool no_product = is_signed ? is_zero(a) && is_zero(b) : is_zero(a) || is_zero(b);
    if (no_product && c.kind != Kind::kUniformRegister) {
      return ".MOV";
    }
    if (b.kind != Kind::kSigned) {
      return {};
    }
    if (b.value == 1) {
      return is_zero(c) && !is_signed ? ".MOV" : ".IADD";
    }
    const auto value = static_cast<std::uint32_t>(b.value);
    return is_zero(c) && std::has_single_bit(value) && value != 0x10000 ? ".SHL" : std::string_view();
  }

  std::string operand_text(const MachineOperand& operand) const {
    std::string text = plain_text(operand);
    constexpr std::uint32_t kMetadataReuse = 50;
    const std::uint32_t reuse = operand.slot == 3 ? kMetadataReuse : 122U + operand.slot;
    if (operand.kind == Kind::kRegister && operand.slot <= 3 && instruction_.word.bit(reuse) && operand.index != 255) {
      text += ".reuse";
    }
    if (operand.kind == Kind::kAddress && operand.slot == 0 && operand.has_base && instruction_.word.bit(122)) {
      text.insert(text.find_first_of("+.]", text.find('R')), ".reuse");
    }
    static constexpr const char* kHalves[] = {"", ".F32", ".H0_H0", ".H1_H1"};
    const bool bars_inside = operand.absolute && operand.kind == Kind::kRegister && operand.half != 0;
    text = bars_inside ? "|" + text + "|" + kHalves[operand.half] : text + kHalves[operand.half];
    if (operand.suffix != nullptr && *operand.suffix != '\0') {
      text += std::string(".") + operand.suffix;
    }
    if (operand.absolute && !bars_inside) {
      text = "|" + text + "|";
    }
    if (operand.complement) {
      text = "~" + text;
    }
    if (operand.negative) {
      const bool is_predicate = operand.kind == Kind::kPredicate || operand.kind == Kind::kUniformPredicate;
      text = (is_predicate ? "!" : "-") + text;
    }
    return text;
  }

  std::string plain_text(const MachineOperand& operand) const {
    const auto value = static_cast<std::uint64_t>(operand.value);
    switch (operand.kind) {
      case Kind::kRegister:
        return general(operand.index);
      case Kind::kUniformRegister:
        return uniform(operand.index);
      case Kind::kPredicate:
        return predicate(operand.index, false);
      case Kind::kUniformPredicate:
        return predicate(operand.index, true);
      case Kind::kPredicates:
      case Kind::kUniformPredicates:
        return operand.name;
      case Kind::kInteger:
        return hex(value);
      case Kind::kSigned:
      case Kind::kDisplacement:
        return signed_hex(operand.value);
      case Kind::kFloat:
        // RCP64H and RSQ64H read the upper half of a double.
        return instruction_.mnemonic == "MUFU" && instruction_.modifier("function") / 2 == 3
                   ? double_text(static_cast<std::uint32_t>(value))
                   : float_text(static_cast<std::uint32_t>(value));
      case Kind::kDouble:
        return double_text(static_cast<std::uint32_t>(value));
      case Kind::kHalves: {
        const auto high = static_cast<std::uint16_t>(value >> 16U);
        const auto low = static_cast<std::uint16_t>(value);
        return instruction_.modifier("half_format") != 0 ? brain_float_text(high) + ", " + brain_float_text(low)
                                                         : half_text(high) + ", " + half_text(low);
      }
      case Kind::kConstant:
      case Kind::kBindless:
        return constant_text(operand);
      case Kind::kAddress:
        return address_text(operand);
      case Kind::kDescriptor:
        return "desc[" + uniform(operand.index) + "]";
      case Kind::kMatrixMemory:
        return "gdesc[" + uniform(operand.index) + "]";
      case Kind::kTarget:
        return options_.label ? options_.label(value) : hex(value);
      case Kind::kName:
        return std::string_view(operand.name) == "SR"   ? special_register_name(static_cast<std::uint32_t>(value))
               : std::string_view(operand.name) == "SW" ? swizzle_text(value)
                                                        : operand.name;
      case Kind::kScoreboard:
        return "SB" + std::to_string(value);
      case Kind::kScoreboardSet: {
        std::string text;
        for (int bit = 5; bit >= 0; --bit) {
          if ((value >> static_cast<unsigned>(bit) & 1U) != 0) {
            text += (text.empty() ? "" : ",") + std::to_string(bit);
          }
        }
        return "{" + text + "}";
      }
      case Kind::kBarrier:
        return "B" + std::to_string(value);
      case Kind::kNothing:
        break;
    }
    return {};
  }

  const MachineInstruction& instruction_;
  const PrintOptions& options_;
};

struct SpecialRegister {
  std::uint8_t number;
  const char* name;
};
constexpr SpecialRegister kSpecialRegisters[] = {
    {0x00, "SR_LANEID"},
    {0x01, "SR_CLOCK"},
    {0x02, "SR_VIRTCFG"},
    {0x03, "SR_VIRTID"},
    {0x0f, "SR_ORDERING_TICKET"},
    {0x10, "SR_PRIM_TYPE"},
    {0x11, "SR_INVOCATION_ID"},
    {0x12, "SR_Y_DIRECTION"},
    {0x13, "SR_THREAD_KILL"},
    {0x20, "SR_TID"},
    {0x21, "SR_TID.X"},
    {0x22, "SR_TID.Y"},
    {0x23, "SR_TID.Z"},
    {0x25, "SR_CTAID.X"},
    {0x26, "SR_CTAID.Y"},
    {0x27, "SR_CTAID.Z"},
    {0x28, "SR_NTID"},
    {0x29, "SR_CirQueueIncrMinusOne"},
    {0x2a, "SR_NLATC"},
    {0x2e, "SR_LWINHI"},
    {0x2f, "SR_SWINHI"},
    {0x30, "SR_SWINLO"},
    {0x31, "SR_SWINSZ"},
    {0x32, "SR_SMEMSZ"},
    {0x33, "SR_SMEMBANKS"},
    {0x34, "SR_LWINLO"},
    {0x35, "SR_LWINSZ"},
    {0x36, "SR_LMEMLOSZ"},
    {0x37, "SR_LMEMHIOFF"},
    {0x38, "SR_EQMASK"},
    {0x39, "SR_LTMASK"},
    {0x3a, "SR_LEMASK"},
    {0x3b, "SR_GTMASK"},
    {0x3c, "SR_GEMASK"},
    {0x3d, "SR_REGALLOC"},
    {0x40, "SR_GLOBALERRORSTATUS"},
    {0x42, "SR_WARPERRORSTATUS"},
    {0x43, "SR_VIRTUALSMID"},
    {0x44, "SR_VIRTUALENGINEID"},
    {0x50, "SR_CLOCKLO"},
    {0x51, "SR_CLOCKHI"},
    {0x52, "SR_GLOBALTIMERLO"},
    {0x53, "SR_GLOBALTIMERHI"},
    {0x64, "SR_PM0"},
    {0x65, "SR_PM_HI0"},
    {0x66, "SR_PM1"},
    {0x67, "SR_PM_HI1"},
    {0x68, "SR_PM2"},
    {0x69, "SR_PM_HI2"},
    {0x6a, "SR_PM3"},
    {0x6b, "SR_PM_HI3"},
    {0x6c, "SR_PM4"},
    {0x6d, "SR_PM_HI4"},
    {0x6e, "SR_PM5"},
    {0x6f, "SR_PM_HI5"},
    {0x70, "SR_PM6"},
    {0x71, "SR_PM_HI6"},
    {0x72, "SR_PM7"},
    {0x73, "SR_PM_HI7"},
    {0x86, "SR_WARPGROUP_INFO"},
    {0x87, "SR_WARPGROUPID"},
    {0x88, "SR_CgaCtaId"},
    {0x89, "SR_GpcLocalCgaId"},
    {0x8a, "SR_CgaLinearMemorySlot"},
    {0x8b, "SR_CTARegPoolSz"},
    {0xff, "SRZ"},
};

}  // namespace

std::string special_register_name(std::uint32_t number) {
  for (const SpecialRegister& each : kSpecialRegisters) {
    if (each.number == number) {
      return each.name;
    }
  }
  return "SR" + std::to_string(number);
}

std::string float_text(std::uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  return number_text(value, bits >> 31U != 0, std::isnan(value), (bits & 0x400000U) != 0);
}

std::string double_text(std::uint32_t upper_bits) {
  const double value = std::bit_cast<double>(std::uint64_t{upper_bits} << 32U);
  return number_text(value, upper_bits >> 31U != 0, std::isnan(value), (upper_bits & 0x80000U) != 0);
}

std::string half_text(std::uint16_t bits) {
  return half_value(bits, 5);
}

std::string brain_float_text(std::uint16_t bits) {
  return half_value(bits, 8);
}

std::string instruction_text(const MachineInstruction& instruction, const PrintOptions& options) {
  return Printer(instruction, options).print();
}

}  // namespace warpsim::sass
