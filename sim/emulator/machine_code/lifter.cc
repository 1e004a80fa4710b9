#include "emulator/machine_code/lifter.h"

#include <fmt/format.h>

#include <algorithm>

#include "sass/printer.h"

namespace warpsim {

namespace {

using sass::MachineOperand;
using Kind = MachineOperand::Kind;

constexpr std::uint32_t kZeroRegister = 255;
constexpr std::uint32_t kZeroUniform = 63;
constexpr std::uint32_t kTrue = 7;

const LiftedOpcode* find(std::string_view mnemonic) {
  for (const auto& family :
       {lifted_integer_opcodes(), lifted_extreme_opcodes(), lifted_logic_opcodes(), lifted_float_opcodes(),
        lifted_float_extreme_opcodes(), lifted_half_opcodes(), lifted_conversion_opcodes(), lifted_memory_opcodes(),
        lifted_atomic_opcodes(), lifted_control_opcodes(), lifted_call_opcodes(), lifted_warp_opcodes(),
        lifted_matrix_opcodes(), lifted_texture_opcodes(), lifted_surface_opcodes(), lifted_asynchronous_opcodes(),
        lifted_warpgroup_opcodes()}) {
    const auto found = std::ranges::find(family, mnemonic, &LiftedOpcode::mnemonic);
    if (found != family.end()) {
      return &*found;
    }
  }
  return nullptr;
}

std::string predicate_name(const MachineOperand& operand) {
  if (operand.index == kTrue) {
    return "%pt";
  }
  return fmt::format("%{}{}", operand.kind == Kind::kUniformPredicate ? "v" : "p", operand.index);
}

}  // namespace

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& letter : out) {
    letter = static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter);
  }
  return out;
}

std::string Lifter::constant_name(std::uint32_t bank, std::int64_t offset) {
  return fmt::format("%c{}_{}", bank, offset);
}

std::string Lifter::label(std::uint64_t offset) {
  return fmt::format("L{}", offset);
}

std::string Lifter::lift(const sass::MachineInstruction& instruction, const std::string& immediate) {
  instruction_ = &instruction;
  immediate_ = immediate;
  line_.clear();
  words_ = wides_ = predicates_ = halves_ = 0;
  guard_.clear();
  never_ = instruction.guard == kTrue && instruction.guard_negated;
  if (instruction.guard != kTrue) {
    guard_ = fmt::format("@{}%{}{} ", instruction.guard_negated ? "!" : "", instruction.guard_uniform ? "v" : "p",
                         instruction.guard);
  }
  const LiftedOpcode* const opcode = find(instruction.mnemonic);
  if (opcode == nullptr) {
    fail("the instruction is not supported");
  }
  opcode->lift(*this);
  if (std::max({words_, wides_, predicates_, halves_}) > kLineRegisters) {
    fail("its translation needs too many registers");
  }
  if (line_.empty()) {
    line_ = "sass.nop;";
  }
  return line_;
}

void Lifter::add(const std::string& statement) {
  if (never_) {
    return;
  }
  line_ += (line_.empty() ? "" : " ") + guard_ + statement + ";";
}

void Lifter::add_under(const std::string& predicate, const std::string& statement) {
  if (never_) {
    return;
  }
  std::string condition = predicate;
  if (!guard_.empty()) {
    condition = predicate_scratch();
    const std::string own = guard_.substr(1, guard_.size() - 2);
    line_ += fmt::format("{}and.pred {}, {}, {};", line_.empty() ? "" : " ", condition, own, predicate);
  }
  line_ += fmt::format("{}@{} {};", line_.empty() ? "" : " ", condition, statement);
}

std::string Lifter::guard() const {
  if (never_) {
    return "!%pt";
  }
  return guard_.empty() ? "%pt" : guard_.substr(1, guard_.size() - 2);
}

void Lifter::fail(const std::string& why) const {
  throw UntranslatedInstruction(fmt::format("machine instruction at {:#06x}, {}: {}", instruction_->address,
                                            sass::instruction_text(*instruction_), why));
}

std::string_view Lifter::modifier_text(std::string_view field) const {
  for (const sass::Modifier& each : instruction_->modifiers) {
    if (each.field == field) {
      return each.text;
    }
  }
  return {};
}

std::string Lifter::word(const MachineOperand& operand, std::uint32_t part) {
  switch (operand.kind) {
    case Kind::kRegister:
      return operand.index == kZeroRegister ? "0" : fmt::format("%r{}", operand.index + part);
    case Kind::kUniformRegister:
      return operand.index == kZeroUniform ? "0" : fmt::format("%u{}", operand.index + part);
    case Kind::kConstant:
      if (operand.has_base || operand.has_uniform) {
        fail("its constant has an offset in a register");
      }
      return constant(operand.bank, operand.value + std::int64_t{4} * part);
    case Kind::kInteger:
    case Kind::kSigned:
    case Kind::kFloat:
    case Kind::kHalves:
      if (!immediate_.empty()) {
        return part == 0 ? immediate_ : "0";
      }
      return part == 0 ? fmt::format("{:#x}", static_cast<std::uint32_t>(operand.value)) : "0";
    case Kind::kDouble:  // its upper half
      return part == 1 ? fmt::format("{:#x}", static_cast<std::uint32_t>(operand.value)) : "0";
    default:
      fail("an operand of this kind is not supported");
  }
}

std::string Lifter::constant(std::uint32_t bank, std::int64_t offset) {
  constants_.emplace(bank, offset);
  return constant_name(bank, offset);
}

void Lifter::read_bank(std::uint32_t bank, const std::string& base, std::int64_t offset, const std::string& type,
                       const std::string& destination) {
  if (bank == 0) {
    const std::int64_t of_parameters = offset - parameter_base_;
    if (base.empty() && of_parameters < 0) {
      fail("this part of constant bank 0 is not supported");
    }
    add(base.empty() ? fmt::format("ld.param{} {}, [{}]", type, destination, of_parameters)
                     : fmt::format("ld.param{} {}, [{}{:+}]", type, destination, base, of_parameters));
    return;
  }
  indexed_banks_.insert(bank);
  const std::string start = wide_scratch();
  add(fmt::format("mov.u64 {}, {}", start, bank == 2 ? literals_ : fmt::format("bank{}", bank)));
  if (!base.empty()) {
    const std::string index = wide_scratch();
    add(fmt::format("cvt.s64.s32 {}, {}", index, base));
    add(fmt::format("add.u64 {}, {}, {}", start, start, index));
  }
  add(fmt::format("ld.const{} {}, [{}{:+}]", type, destination, start, offset));
}

std::string Lifter::integer(std::size_t number) {
  const MachineOperand& source = operand(number);
  std::string plain = word(source);
  if (!source.negative && !source.complement) {
    return plain;
  }
  std::string result = scratch();
  add(fmt::format("{} {}, {}", source.negative ? "neg.s32" : "not.b32", result, plain));
  return result;
}

std::string Lifter::single(std::size_t number) {
  bool negative = false;
  std::string text = single_without_sign(number, negative);
  if (negative) {
    const std::string result = scratch();
    add(fmt::format("xor.b32 {}, {}, 0x80000000", result, text));
    text = result;
  }
  return text;
}

std::string Lifter::single_without_sign(std::size_t number, bool& negative) {
  bool absolute = false;
  std::string text = single_without_signs(number, negative, absolute);
  if (absolute) {
    const std::string result = scratch();
    add(fmt::format("and.b32 {}, {}, 0x7fffffff", result, text));
    text = result;
  }
  return text;
}

std::string Lifter::float_word(const MachineOperand& operand, std::uint32_t part) {
  const std::string text = word(operand, part);
  return text == "0" ? "0f00000000" : text;
}

std::string Lifter::single_without_signs(std::size_t number, bool& negative, bool& absolute) {
  const MachineOperand& source = operand(number);
  std::string text = word(source);
  negative = absolute = false;
  if (source.kind == Kind::kFloat || text == "0") {
    std::uint32_t bits = source.kind == Kind::kFloat ? static_cast<std::uint32_t>(source.value) : 0;
    bits = source.absolute ? bits & 0x7fffffffU : bits;
    return fmt::format("0f{:08x}", source.negative ? bits ^ 0x80000000U : bits);
  }
  absolute = source.absolute;
  negative = source.negative;
  return text;
}

std::string Lifter::pair(std::size_t number) {
  const MachineOperand& source = operand(number);
  const std::string low = word(source, 0);
  const std::string high = word(source, 1);
  if (low == "0" && high == "0") {
    return "0";
  }
  if (source.kind == Kind::kDouble) {
    return fmt::format("{:#x}", std::uint64_t{static_cast<std::uint32_t>(source.value)} << 32U);
  }
  std::string result = wide_scratch();
  add(fmt::format("mov.b64 {}, {{{}, {}}}", result, low, high));
  return result;
}

std::string Lifter::real(std::size_t number) {
  const MachineOperand& source = operand(number);
  std::string text = pair(number);
  if (source.kind == Kind::kDouble || text == "0") {
    std::uint64_t bits =
        source.kind == Kind::kDouble ? std::uint64_t{static_cast<std::uint32_t>(source.value)} << 32U : 0;
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
    bits = source.absolute ? bits & ~kSign : bits;
    return fmt::format("0d{:016x}", source.negative ? bits ^ kSign : bits);
  }
  // Both leave a NaN as it is, like the instructions.
  if (source.absolute) {
    const std::string result = wide_scratch();
    add(fmt::format("abs.f64 {}, {}", result, text));
    text = result;
  }
  if (source.negative) {
    const std::string result = wide_scratch();
    add(fmt::format("neg.f64 {}, {}", result, text));
    text = result;
  }
  return text;
}

std::string Lifter::destination(std::size_t number, std::uint32_t part) const {
  const MachineOperand& result = operand(number);
  if (result.kind == Kind::kUniformRegister) {
    return result.index == kZeroUniform ? "_" : fmt::format("%u{}", result.index + part);
  }
  return result.index == kZeroRegister ? "_" : fmt::format("%r{}", result.index + part);
}

void Lifter::set_pair(std::size_t number, const std::string& wide) {
  if (destination(number) != "_") {
    add(fmt::format("mov.b64 {{{}, {}}}, {}", destination(number, 0), destination(number, 1), wide));
  }
}

std::string Lifter::predicate(std::size_t number) const {
  const MachineOperand& source = operand(number);
  return (source.negative ? "!" : "") + predicate_name(source);
}

std::string Lifter::predicate_destination(std::size_t number) const {
  const MachineOperand& result = operand(number);
  return result.kind == Kind::kNothing || result.index == kTrue ? "_" : predicate_name(result);
}

bool Lifter::is_true(std::size_t number) const {
  return operand(number).index == kTrue && !operand(number).negative;
}

bool Lifter::is_false(std::size_t number) const {
  return operand(number).index == kTrue && operand(number).negative;
}

std::string Lifter::global_address(std::size_t number) {
  const MachineOperand& address = operand(number);
  const bool extended = modifier("E") != 0 || instruction_->mnemonic == "LDGSTS.E";
  const bool has_base = address.has_base && address.index != kZeroRegister;
  const bool has_uniform = address.has_uniform && address.uniform != kZeroUniform;
  if (!extended || has_base == has_uniform || (has_base && address.base_bits == 32)) {
    return wide_address(number);
  }
  const char letter = has_base ? 'r' : 'u';
  const std::uint32_t low = has_base ? address.index : address.uniform;
  return fmt::format("[{{%{0}{1}{2:+}, %{0}{3}}}]", letter, low, address.value, low + 1);
}

std::string Lifter::wide_address(std::size_t number) {
  const MachineOperand& address = operand(number);
  const bool extended = modifier("E") != 0 || instruction_->mnemonic == "LDGSTS.E";
  std::string base;
  if (address.has_base && address.index != kZeroRegister) {
    base = wide_scratch();
    const bool narrow = address.base_bits == 32 || !extended;
    add(narrow ? fmt::format("cvt.u64.u32 {}, %r{}", base, address.index)
               : fmt::format("mov.b64 {}, {{%r{}, %r{}}}", base, address.index, address.index + 1));
  }
  if (address.has_uniform && address.uniform != kZeroUniform) {
    const std::string other = wide_scratch();
    add(extended ? fmt::format("mov.b64 {}, {{%u{}, %u{}}}", other, address.uniform, address.uniform + 1)
                 : fmt::format("cvt.u64.u32 {}, %u{}", other, address.uniform));
    if (base.empty()) {
      base = other;
    } else {
      const std::string sum = wide_scratch();
      add(fmt::format("add.u64 {}, {}, {}", sum, base, other));
      base = sum;
    }
  }
  if (base.empty()) {
    return fmt::format("[{}]", address.value);
  }
  return fmt::format("[{}{:+}]", base, address.value);
}

std::string Lifter::narrow_address(std::size_t number) {
  const MachineOperand& address = operand(number);
  std::string base;
  if (address.has_base && address.index != kZeroRegister) {
    base = fmt::format("%r{}", address.index);
    if (address.scale != 0) {
      const std::string scaled = scratch();
      add(fmt::format("shl.b32 {}, {}, {}", scaled, base, address.scale));
      base = scaled;
    }
  }
  if (address.has_uniform && address.uniform != kZeroUniform) {
    const std::string other = fmt::format("%u{}", address.uniform);
    if (base.empty()) {
      base = other;
    } else {
      const std::string sum = scratch();
      add(fmt::format("add.u32 {}, {}, {}", sum, base, other));
      base = sum;
    }
  }
  if (base.empty()) {
    return fmt::format("[{}]", address.value);
  }
  return fmt::format("[{}{:+}]", base, address.value);
}

std::string Lifter::target(std::size_t number) {
  const auto offset = static_cast<std::uint64_t>(operand(number).value);
  targets_.insert(offset);
  return label(offset);
}

}  // namespace warpsim
