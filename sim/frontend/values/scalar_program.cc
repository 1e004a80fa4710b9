#include "frontend/values/scalar_program.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "isa/opcode_text.h"
#include "isa/sass_operand.h"

namespace warpsim {
namespace {

using OperandKind = SassOperand::Kind;

struct OpRow {
  std::string_view name;
  ScalarOp op;
};
constexpr std::array kOps{
    OpRow{"MOV", ScalarOp::kMove},
    OpRow{"MOV32I", ScalarOp::kMove},
    OpRow{"IADD3", ScalarOp::kAdd},
    OpRow{"VIADD", ScalarOp::kAdd},
    OpRow{"IADD", ScalarOp::kAdd},
    OpRow{"IMAD", ScalarOp::kMultiply},
    OpRow{"LEA", ScalarOp::kLea},
    OpRow{"SHF", ScalarOp::kShift},
    OpRow{"LOP3", ScalarOp::kLogic},
    OpRow{"PRMT", ScalarOp::kPermute},
    OpRow{"SEL", ScalarOp::kSelect},
    OpRow{"ISETP", ScalarOp::kCompare},
    OpRow{"PLOP3", ScalarOp::kPredicateLogic},
    OpRow{"R2UR", ScalarOp::kToUniform},
    OpRow{"S2R", ScalarOp::kSpecialRegister},
    OpRow{"S2UR", ScalarOp::kSpecialRegister},
    OpRow{"CS2R", ScalarOp::kSpecialRegister},
    OpRow{"LDC", ScalarOp::kConstantLoad},
    OpRow{"SHFL", ScalarOp::kShuffleIndex},
};

ScalarOp op_of(std::string_view name) {
  for (const bool strip : {false, true}) {
    if (strip && !name.starts_with('U')) {
      break;
    }
    const std::string_view bare = strip ? name.substr(1) : name;
    const auto row = std::ranges::find(kOps, bare, &OpRow::name);
    if (row != kOps.end()) {
      return row->op;
    }
  }
  return ScalarOp::kUnknown;
}

SpecialValue special_of(std::string_view name) {
  using Row = std::pair<std::string_view, SpecialValue>;
  constexpr std::array rows{
      Row{"SR_TID.X", SpecialValue::kThreadX},        Row{"SR_TID.Y", SpecialValue::kThreadY},
      Row{"SR_TID.Z", SpecialValue::kThreadZ},        Row{"SR_LANEID", SpecialValue::kLane},
      Row{"SR_WARPID", SpecialValue::kWarp},          Row{"SR_CTAID.X", SpecialValue::kBlockX},
      Row{"SR_CTAID.Y", SpecialValue::kBlockY},       Row{"SR_CTAID.Z", SpecialValue::kBlockZ},
      Row{"SR_CgaCtaId", SpecialValue::kClusterRank}, Row{"SRZ", SpecialValue::kZero},
  };
  const auto row = std::ranges::find(rows, name, &Row::first);
  return row == rows.end() ? SpecialValue::kUnknown : row->second;
}

// The number after the registers of "[R2+UR4+-0x10]", with its sign.
std::uint32_t signed_offset(std::string_view text) {
  std::uint32_t total = 0;
  for (std::size_t at = text.find("0x"); at != std::string_view::npos; at = text.find("0x", at + 2)) {
    std::uint32_t number = 0;
    std::from_chars(text.data() + at + 2, text.data() + text.size(), number, 16);
    total += at > 0 && text[at - 1] == '-' ? 0U - number : number;
  }
  return total;
}

// The contents of each bracket pair, without descriptors ("desc[UR4]").
std::vector<std::string_view> bracket_texts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t open = text.find('['); open != std::string_view::npos; open = text.find('[', open + 1)) {
    const std::size_t close = std::min(text.find(']', open), text.size());
    if (open < 4 || text.substr(open - 4, 4) != "desc") {
      parts.push_back(text.substr(open, close - open + 1));
    }
  }
  return parts;
}

ScalarAddress address_of(std::string_view text) {
  ScalarAddress address;
  address.present = true;
  address.offset = signed_offset(text);
  const SassOperand operand = parse_operands(text).front();
  for (std::uint8_t i = 0; i < operand.inner_count; ++i) {
    (operand.inner[i].uniform ? address.uniform : address.general) = operand.inner[i].index;
  }
  return address;
}

ScalarOperand operand_of(const SassOperand& from) {
  ScalarOperand to;
  to.negative = from.text.starts_with('-');
  to.inverted = from.text.starts_with('~');
  switch (from.kind) {
    case OperandKind::kRegister:
      to.kind = ScalarOperand::Kind::kRegister;
      to.index = from.index;
      break;
    case OperandKind::kUniformRegister:
      to.kind = ScalarOperand::Kind::kUniform;
      to.index = from.index;
      break;
    case OperandKind::kImmediate:
      to.kind = ScalarOperand::Kind::kImmediate;
      to.negative = false;  // part of the value
      to.value = static_cast<std::uint32_t>(from.value);
      break;
    case OperandKind::kConstant:
      to.kind = ScalarOperand::Kind::kConstant;
      to.value = std::uint32_t{from.bank} << 24U | (from.offset & 0xffffffU);
      if (from.inner_count != 0) {
        to.index = from.inner[0].index;
        to.index_uniform = from.inner[0].uniform;
      }
      break;
    default:
      break;
  }
  return to;
}

Comparison comparison_of(const OpcodeText& opcode) {
  using Row = std::pair<std::string_view, Comparison>;
  constexpr std::array rows{Row{"LT", Comparison::kLess},      Row{"EQ", Comparison::kEqual},
                            Row{"LE", Comparison::kLessEqual}, Row{"GT", Comparison::kGreater},
                            Row{"NE", Comparison::kNotEqual},  Row{"GE", Comparison::kGreaterEqual},
                            Row{"T", Comparison::kTrue}};
  for (const auto& [name, comparison] : rows) {
    if (opcode.has(name)) {
      return comparison;
    }
  }
  return Comparison::kFalse;
}

// Turns one instruction's text into numbers.
class Compiler {
 public:
  Compiler(std::string_view text, const StaticInstruction& instruction) : instruction_(instruction) {
    out_.guard_negative = text.starts_with("@!");
    if (text.starts_with('@')) {
      text.remove_prefix(std::min(text.find(' '), text.size()));
    }
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::size_t end = std::min(text.find(' '), text.size());
    opcode_ = OpcodeText(text.substr(0, end));
    const std::string_view rest = text.substr(end);
    brackets_ = bracket_texts(rest);
    operands_ = parse_operands(rest.substr(0, rest.find("(*")));
  }

  ScalarInstruction compile() {
    out_.op = op_of(opcode_.base());
    take_addresses();
    take_modifiers();
    std::size_t at = has_results() ? take_results() : 0;
    for (; at < operands_.size(); ++at) {
      take_source(operands_[at]);
    }
    finish();
    return out_;
  }

 private:
  bool has_results() const {
    return instruction_.destinations[0].count != 0 || instruction_.uniform_destinations != 0 ||
           instruction_.predicate_destinations != 0 || instruction_.uniform_predicate_destinations != 0;
  }

  void take_addresses() {
    std::size_t count = 0;
    for (const std::string_view text : brackets_) {
      if (count < out_.addresses.size()) {
        out_.addresses[count++] = address_of(text);
      }
    }
    for (const SassOperand& operand : operands_) {
      if (operand.is_plain_register() && count != 0) {
        out_.data = operand_of(operand);  // the last one: a parity, a size, a mask of blocks
      }
    }
  }

  void take_modifiers() {
    out_.shift_left = opcode_.has("L");
    out_.high_word = opcode_.has("HI");
    out_.shift_wide = opcode_.has("U64") || opcode_.has("S64");
    out_.carry_in = opcode_.has("X");
    out_.whole_pair = opcode_.has("64");
    out_.comparison = comparison_of(opcode_);
    out_.combine = opcode_.has("OR") ? 1 : opcode_.has("XOR") ? 2 : 0;
    const bool is_unsigned = opcode_.has("U32") || opcode_.has("U64");
    out_.is_signed = !is_unsigned;
    out_.constant_bytes = opcode_.has("64")                          ? 8
                          : opcode_.has("U8") || opcode_.has("S8")   ? 1
                          : opcode_.has("U16") || opcode_.has("S16") ? 2
                                                                     : 4;
  }

  // Destinations: predicates before or after one register.
  std::size_t take_results() {
    std::size_t at = 0;
    std::size_t predicates = 0;
    const bool only_predicates = out_.op == ScalarOp::kCompare || out_.op == ScalarOp::kPredicateLogic;
    const auto take_predicates = [&](std::size_t limit) {
      while (at < operands_.size() && predicates < limit && operands_[at].is_predicate() &&
             !operands_[at].text.starts_with('!')) {
        out_.uniform_predicates = out_.uniform_predicates || operands_[at].kind == OperandKind::kUniformPredicate;
        out_.predicates[predicates++] = operands_[at++].index;
      }
    };
    take_predicates(only_predicates ? 2 : 1);
    if (!only_predicates && at < operands_.size() && operands_[at].is_plain_register()) {
      out_.uniform_results = operands_[at].kind == OperandKind::kUniformRegister;
      const std::uint8_t zero = out_.uniform_results ? 63 : kZeroRegister;
      out_.destination = operands_[at].index == zero ? std::uint8_t{255} : operands_[at].index;
      ++at;
      if (out_.op == ScalarOp::kAdd || out_.op == ScalarOp::kLea) {
        take_predicates(2);
      }
    }
    return at;
  }

  void take_source(const SassOperand& operand) {
    if (operand.is_predicate()) {
      if (out_.predicate_source_count < out_.predicate_sources.size()) {
        out_.predicate_sources[out_.predicate_source_count++] = {
            operand.index, operand.kind == OperandKind::kUniformPredicate, operand.text.starts_with('!')};
      }
      return;
    }
    if (operand.kind == OperandKind::kOther && out_.op == ScalarOp::kSpecialRegister) {
      out_.special = special_of(operand.text);
      return;
    }
    if (sources_ < out_.sources.size()) {
      out_.sources[sources_++] = operand_of(operand);
    }
  }

  void finish() {
    const bool wide_multiply = out_.op == ScalarOp::kMultiply && opcode_.has("WIDE");
    if (wide_multiply) {
      out_.op = ScalarOp::kMultiplyWide;
    }
    out_.wide = wide_multiply || out_.whole_pair ||
                (out_.op == ScalarOp::kSpecialRegister && opcode_.base() == "CS2R" && !opcode_.has("32"));
    const bool pair_sources = out_.whole_pair && out_.op == ScalarOp::kAdd;
    for (ScalarOperand& source : out_.sources) {
      source.wide = pair_sources;
    }
    if (wide_multiply) {
      out_.sources[2].wide = true;
    }
    if (out_.op == ScalarOp::kLogic || out_.op == ScalarOp::kPredicateLogic) {
      take_lut();
    }
    const bool unsupported = (out_.op == ScalarOp::kMultiply && (out_.high_word || out_.carry_in)) ||
                             (out_.op == ScalarOp::kCompare && opcode_.has("EX")) ||
                             (out_.op == ScalarOp::kShuffleIndex && !opcode_.has("IDX")) ||
                             (out_.op == ScalarOp::kLea && out_.carry_in);
    if (unsupported) {
      out_.op = ScalarOp::kUnknown;
    }
    if (!has_results()) {
      out_.op = ScalarOp::kNone;
    }
  }

  // LOP3: the fourth number; PLOP3: the last two numbers.
  void take_lut() {
    std::array<std::uint8_t, 2> last{};
    for (const SassOperand& operand : operands_) {
      if (operand.kind == OperandKind::kImmediate) {
        last = {last[1], static_cast<std::uint8_t>(operand.value)};
      }
    }
    if (out_.op == ScalarOp::kLogic) {
      out_.lut[0] = static_cast<std::uint8_t>(out_.sources[3].value);
    } else {
      out_.lut = last;
    }
  }

  const StaticInstruction& instruction_;
  OpcodeText opcode_{std::string_view{}};
  std::vector<std::string_view> brackets_;
  std::vector<SassOperand> operands_;
  std::size_t sources_ = 0;
  ScalarInstruction out_;
};

}  // namespace

bool has_text(const StaticProgram& program) {
  return program.text.size() == program.instructions.size();
}

ScalarProgram make_scalar_program(const StaticProgram& program) {
  ScalarProgram result;
  result.instructions.reserve(program.instructions.size());
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    result.instructions.push_back(
        program.text[i].empty() ? ScalarInstruction{} : Compiler(program.text[i], program.instructions[i]).compile());
  }
  return result;
}

}  // namespace warpsim
