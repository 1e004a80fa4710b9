// Operands of machine instructions: registers, constants, parameters, addresses of variables.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "codegen/constant_places.h"
#include "codegen/function_selector.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::DataType;
using ptx::Instruction;
using ptx::Operand;
using ptx::StateSpace;

// `digits` identify the value: of a double, its words are read again.
std::string float_text(double value, int digits) {
  if (std::isnan(value)) {
    return "+QNAN";
  }
  if (std::isinf(value)) {
    return value < 0 ? "-INF" : "+INF";
  }
  return fmt::format("{:.{}g}", value, digits);
}

std::string integer_text(std::uint32_t bits) {
  const auto value = static_cast<std::int32_t>(bits);
  return value < 0 && value > INT32_MIN ? fmt::format("-0x{:x}", -value) : fmt::format("0x{:x}", bits);
}

struct SpecialName {
  std::string_view ptx;
  std::string_view machine;
};
constexpr auto kSpecials = std::to_array<SpecialName>({
    {"tid.x", "SR_TID.X"},
    {"tid.y", "SR_TID.Y"},
    {"tid.z", "SR_TID.Z"},
    {"ctaid.x", "SR_CTAID.X"},
    {"ctaid.y", "SR_CTAID.Y"},
    {"ctaid.z", "SR_CTAID.Z"},
    {"laneid", "SR_LANEID"},
    {"warpid", "SR_VIRTID"},
    {"smid", "SR_VIRTUALSMID"},
    {"lanemask_eq", "SR_EQMASK"},
    {"lanemask_lt", "SR_LTMASK"},
    {"lanemask_le", "SR_LEMASK"},
    {"lanemask_gt", "SR_GTMASK"},
    {"lanemask_ge", "SR_GEMASK"},
    {"clock", "SR_CLOCKLO"},
    {"clock_hi", "SR_CLOCKHI"},
    {"clock64", "SR_CLOCKLO"},
    {"globaltimer", "SR_GLOBALTIMERLO"},
    {"globaltimer_lo", "SR_GLOBALTIMERLO"},
    {"globaltimer_hi", "SR_GLOBALTIMERHI"},
});

}  // namespace

std::uint32_t FunctionSelector::words_of(std::uint32_t reg) const {
  const ptx::Register& known = function_.registers[reg];
  if (uniform_.is_offset(reg)) {
    return 1;
  }
  return std::max(1U, ptx::bytes_of(known.type) / 4) * known.vector;
}

void FunctionSelector::make_values() {
  for (std::uint32_t reg = 0; reg < function_.registers.size(); ++reg) {
    const bool is_predicate = function_.registers[reg].type == DataType::kPredicate;
    const bool is_uniform = facts_.is_kept_constant(reg) || uniform_.is_uniform(reg);
    const Value::File file = is_predicate ? Value::File::kPredicate
                             : is_uniform ? Value::File::kUniform
                                          : Value::File::kGeneral;
    emitter_.values.push_back({file, static_cast<std::uint8_t>(std::min(words_of(reg), 8U)), kNone, 0});
  }
  for (std::uint32_t reg = 0; reg < function_.registers.size(); ++reg) {
    value_of_.push_back(facts_.name_for(reg).reg);
  }
  for (const Instruction& instruction : function_.body) {
    const bool packs = instruction.opcode == "mov" || instruction.opcode == "call";
    for (std::size_t i = 0; i < instruction.operands.size() && !packs; ++i) {
      const Operand& operand = instruction.operands[i];
      if (operand.kind == Operand::Kind::kVector) {
        group(operand);
      }
    }
  }
}

MachineOperand FunctionSelector::number(const Operand& operand, std::uint8_t word) const {
  std::string text;
  if (operand.kind == Operand::Kind::kFloat) {
    const double value = operand.single
                             ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits)))
                             : std::bit_cast<double>(operand.bits);
    constexpr int kSingleDigits = 9;
    constexpr int kDoubleDigits = 17;
    text = float_text(value, operand.single ? kSingleDigits : kDoubleDigits);
    if (std::bit_cast<std::uint64_t>(value) == 0) {
      text = "RZ";
    }
  } else {
    const auto bits = static_cast<std::uint32_t>(operand.bits >> (word * 32U));
    text = bits == 0 ? "RZ" : integer_text(bits);
  }
  return text_operand(text);
}

const ptx::Variable* FunctionSelector::variable_of(const Operand& operand) const {
  if (operand.kind != Operand::Kind::kSymbol) {
    return nullptr;
  }
  switch (operand.scope) {
    case Operand::Scope::kVariables:
      return &function_.variables[operand.number];
    case Operand::Scope::kParameters:
      return &function_.parameters[operand.number];
    case Operand::Scope::kReturns:
      return &function_.returns[operand.number];
    case Operand::Scope::kModule:
      break;
  }
  const ptx::Symbol& symbol = module_.symbols[operand.number];
  return symbol.kind == ptx::Symbol::Kind::kVariable ? &module_.variables[symbol.number] : nullptr;
}

// From 9.0 on shared memory begins at an address that depends on the block's place in its cluster.
MachineOperand FunctionSelector::shared_base(std::uint32_t offset_index) {
  while (shared_bases_.size() <= offset_index) {
    const MachineOperand offset = emitter_.uniform();
    if (shared_bases_.empty()) {
      shared_bases_.push_back(emitter_.uniform());
      emitter_.emit("S2UR", {shared_bases_[0], text_operand("SR_CgaCtaId")});
      emitter_.emit("UMOV", {offset, text_operand("0x400")});
    } else {
      emitter_.emit("UIADD3", {offset, shared_bases_.back(), text_operand("0x400"), text_operand("URZ")});
    }
    const MachineOperand base = emitter_.uniform();
    emitter_.emit("ULEA", {base, shared_bases_[0], offset, text_operand("0x18")});
    shared_bases_.push_back(base);
  }
  return shared_bases_[offset_index];
}

MachineOperand FunctionSelector::shared_base_of(std::string_view variable) {
  auto found = std::ranges::find(shared_names_, variable);
  if (found == shared_names_.end()) {
    shared_names_.push_back(variable);
    found = shared_names_.end() - 1;
  }
  return shared_base(static_cast<std::uint32_t>(found - shared_names_.begin()) + 1);
}

// A base that only loops or several paths use is computed before all of them.
void FunctionSelector::find_early_bases() {
  constexpr std::uint32_t kNowhere = ptx::kNoBlock;
  const std::vector<std::uint32_t> above = ptx::immediate_dominators(graph_);
  const std::vector<std::uint32_t> depth = ptx::loop_depths(graph_, above);
  struct Use {
    std::string_view name;
    std::uint32_t first = 0;  // block
    std::uint32_t place = 0;
  };
  std::vector<Use> uses;  // in the order of the text
  const auto see = [&](const Operand& operand, std::uint32_t block) {
    const ptx::Variable* const variable = variable_of(operand);
    if (variable == nullptr || variable->space != StateSpace::kShared) {
      return;
    }
    const auto known = std::ranges::find(uses, variable->name, &Use::name);
    if (known == uses.end()) {
      uses.push_back({variable->name, block, block});
    } else if (known->place != kNowhere) {
      known->place = ptx::common_dominator(above, known->place, block);
    }
  };
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    for (const Operand& operand : function_.body[i].operands) {
      see(operand, graph_.block_of[i]);
      std::ranges::for_each(operand.elements, [&](const Operand& one) { see(one, graph_.block_of[i]); });
    }
  }
  for (Use& use : uses) {
    while (use.place != kNowhere && depth[use.place] != 0 && above[use.place] != kNowhere) {
      use.place = above[use.place];
    }
    if (use.place != kNowhere && use.place != use.first) {
      early_bases_[graph_.blocks[use.place].end - 1].push_back(use.name);
    }
  }
}

MachineOperand FunctionSelector::symbol_source(const Operand& operand, std::uint8_t word) {
  const ptx::Variable* const variable = variable_of(operand);
  if (variable == nullptr) {  // a function
    return text_operand("0x0");
  }
  switch (variable->space) {
    case StateSpace::kShared: {
      constexpr std::uint32_t kClusters = 90;
      if (architecture_ < kClusters) {
        return text_operand("0x400");
      }
      return word == 0 ? shared_base_of(variable->name) : text_operand("RZ");
    }
    case StateSpace::kLocal:
      return text_operand("R1");
    case StateSpace::kParameter:
      return text_operand(parameters_place(architecture_));
    default: {
      MachineOperand at = emitter_.temporary(2);
      emitter_.emit("LDC.64", {at, text_operand("c[0x4][0x0]")});
      at.word = word;
      return at;
    }
  }
}

MachineOperand FunctionSelector::special_source(const Operand& operand) {
  std::string name(operand.name);
  constexpr std::string_view kComponents = "xyzw";
  if (operand.component >= 0) {
    name += '.';
    name += kComponents[static_cast<std::size_t>(operand.component)];
  }
  if (const std::string place = launch_size_place(operand); !place.empty()) {
    if (reads_constants_) {
      return text_operand(place);
    }
    MachineOperand value = emitter_.uniform();
    emitter_.emit("ULDC", {value, text_operand(place)});
    return value;
  }
  const auto known = std::ranges::find(kSpecials, name, &SpecialName::ptx);
  const std::string machine(known == kSpecials.end() ? "SR_CTAID.X" : known->machine);
  const bool is_clock = name.starts_with("clock") || name.starts_with("globaltimer");
  const bool is_wide = name == "clock64" || name == "globaltimer";
  MachineOperand value = emitter_.temporary(is_wide ? 2 : 1);
  if (is_clock) {
    mark_effect();
  }
  emitter_.emit(is_clock ? (is_wide ? "CS2R" : "CS2R.32") : "S2R", {value, text_operand(machine)});
  return value;
}

MachineOperand FunctionSelector::plain_source(const Operand& operand, std::uint8_t word) {
  switch (operand.kind) {
    case Operand::Kind::kRegister: {
      if (const Operand* const known = facts_.constant(operand.number)) {
        return number(*known, static_cast<std::uint8_t>(word + facts_.name_for(operand.number).word));
      }
      const RegisterFacts::Name name = facts_.name_for(operand.number);
      const std::uint32_t made = facts_.only_write(name.reg);
      if (reads_constants_ && facts_.is_kept_constant(name.reg)) {
        return text_operand(constant_place(module_, function_, function_.body[made],
                                           static_cast<std::uint8_t>(name.word + word), architecture_));
      }
      // The address of a shared or local variable is not a value of its own.
      if (made != RegisterFacts::kNowhere && function_.body[made].opcode == "mov" &&
          function_.body[made].operands[1].kind == Operand::Kind::kSymbol) {
        const Operand& symbol = function_.body[made].operands[1];
        const ptx::Variable* const variable = variable_of(symbol);
        if (variable != nullptr && (variable->space == StateSpace::kShared || variable->space == StateSpace::kLocal)) {
          return symbol_source(symbol, word);
        }
      }
      const std::uint8_t component =
          operand.component > 0 ? static_cast<std::uint8_t>(static_cast<std::uint32_t>(operand.component)) : 0;
      MachineOperand value = emitter_.operand(name.reg, static_cast<std::uint8_t>(name.word + word + component));
      value.behind += is_upper_half(operand) ? ".H1_H1" : "";
      return value;
    }
    case Operand::Kind::kInteger:
    case Operand::Kind::kFloat:
      return number(operand, word);
    case Operand::Kind::kSpecial:
      return special_source(operand);
    case Operand::Kind::kSymbol:
      return symbol_source(operand, word);
    case Operand::Kind::kVector:
      return plain_source(operand.elements[std::min<std::size_t>(word, operand.elements.size() - 1)], 0);
    default:
      return text_operand("RZ");
  }
}

bool FunctionSelector::is_upper_half(const Operand& operand) const {
  return operand.kind == Operand::Kind::kRegister &&
         facts_.name_for(operand.number).part == RegisterFacts::Part::kUpper;
}

MachineOperand FunctionSelector::word_source(const Operand& operand) {
  MachineOperand word = source(operand);
  if (is_upper_half(operand)) {
    word.behind.clear();
  }
  return word;
}

MachineOperand FunctionSelector::source(const Operand& operand, std::uint8_t word) {
  if (const Instruction* const made = facts_.folded(operand);
      made != nullptr && (made->opcode == "neg" || made->opcode == "abs")) {
    MachineOperand inner = plain_source(made->operands[1], word);
    if (made->opcode == "neg") {
      return negated(std::move(inner));
    }
    inner.before.insert(0, "|");
    inner.behind += "|";
    return inner;
  }
  MachineOperand result = plain_source(operand, word);
  return operand.minus ? negated(std::move(result)) : result;
}

MachineOperand FunctionSelector::destination(const Operand& operand, std::uint8_t word) {
  if (operand.kind == Operand::Kind::kVector) {
    return destination(operand.elements[std::min<std::size_t>(word, operand.elements.size() - 1)], 0);
  }
  if (operand.kind != Operand::Kind::kRegister) {
    return text_operand("RZ");
  }
  const std::uint8_t component =
      operand.component > 0 ? static_cast<std::uint8_t>(static_cast<std::uint32_t>(operand.component)) : 0;
  return emitter_.operand(operand.number, static_cast<std::uint8_t>(word + component));
}

MachineOperand FunctionSelector::predicate_source(const Operand& operand) {
  if (operand.kind != Operand::Kind::kRegister) {
    return text_operand(operand.kind == Operand::Kind::kInteger && operand.bits == 0 ? "!PT" : "PT");
  }
  if (const Operand* const known = facts_.constant(operand.number)) {
    return text_operand(known->bits == 0 ? "!PT" : "PT");
  }
  MachineOperand result = emitter_.operand(facts_.name_for(operand.number).reg);
  result.before = operand.negated ? "!" : "";
  return result;
}

Emitter::Letters FunctionSelector::letters_of(const Instruction& instruction) {
  return [this, &instruction](char letter, std::uint8_t word) -> MachineOperand {
    const std::vector<Operand>& operands = instruction.operands;
    const bool has_result = ptx::has_result(instruction.opcode);
    if (letter == 'd') {
      return destination(operands.at(0), word);
    }
    if (letter == 'p') {
      return operands.at(0).second == nullptr ? text_operand("PT") : destination(*operands[0].second);
    }
    constexpr std::string_view kSources = "abce";
    const std::size_t at = kSources.find(letter) + (has_result ? 1 : 0);
    if (at >= operands.size()) {
      return text_operand("RZ");
    }
    const Operand& operand = operands[at];
    const bool is_predicate =
        operand.kind == Operand::Kind::kRegister && function_.registers[operand.number].type == DataType::kPredicate;
    return is_predicate ? predicate_source(operand) : source(operand, word);
  };
}

}  // namespace warpsim::codegen
