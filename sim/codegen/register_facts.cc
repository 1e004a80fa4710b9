#include "codegen/register_facts.h"

#include <algorithm>

#include "ptx/liveness.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

bool is_register(const Operand& operand) {
  return operand.kind == Operand::Kind::kRegister && operand.component < 0 && !operand.negated && !operand.minus;
}

bool is_number(const Operand& operand) {
  return operand.kind == Operand::Kind::kInteger || operand.kind == Operand::Kind::kFloat;
}

bool is_wide_integer(const Instruction& instruction) {
  return has_word(instruction, "s64") || has_word(instruction, "u64") || has_word(instruction, "b64");
}

bool is_word_integer(const Instruction& instruction) {
  return has_word(instruction, "s32") || has_word(instruction, "u32") || has_word(instruction, "b32");
}

bool is_logic(const Instruction& instruction) {
  return (instruction.opcode == "and" || instruction.opcode == "or" || instruction.opcode == "xor" ||
          instruction.opcode == "not") &&
         has_word(instruction, "b32");
}

// Compilers contract products and sums of these, which state no rounding.
bool is_contractible(const Instruction& instruction) {
  return instruction.modifiers.size() == 1 && (has_word(instruction, "f32") || has_word(instruction, "f64")) &&
         instruction.operands.size() == 3;
}

// A move between registers that needs no machine instruction if both are written once.
bool only_renames(const Instruction& instruction) {
  if (instruction.opcode == "mov" || instruction.opcode == "cvta") {
    return !has_word(instruction, "pred") || instruction.opcode == "mov";
  }
  if (instruction.opcode != "cvt" || instruction.modifiers.size() != 2) {
    return false;
  }
  const auto to = ptx::data_type_of(instruction.modifiers[0]);
  const auto from = ptx::data_type_of(instruction.modifiers[1]);
  const auto is_integer = [](std::string_view name) { return name[0] == 'u' || name[0] == 's' || name[0] == 'b'; };
  return to && from && is_integer(instruction.modifiers[0]) && is_integer(instruction.modifiers[1]) &&
         ptx::bytes_of(*to) >= 4 && ptx::bytes_of(*to) <= ptx::bytes_of(*from);
}

// Instructions of which one source can be a constant.
bool reads_constant(const Instruction& instruction) {
  constexpr std::string_view kAble[] = {"abs", "add", "and", "cvt",  "fma", "lop3", "mad", "max", "min", "mov", "mul",
                                        "neg", "not", "or",  "selp", "set", "setp", "shl", "shr", "sub", "xor"};
  return std::ranges::find(kAble, instruction.opcode) != std::end(kAble);
}

}  // namespace

bool has_word(const Instruction& instruction, std::string_view word) {
  return std::ranges::find(instruction.modifiers, word) != instruction.modifiers.end();
}

bool reads_own_parameter(const Instruction& instruction) {
  if (instruction.opcode != "ld" || instruction.operands.size() != 2 || instruction.operands[1].elements.empty()) {
    return false;
  }
  const Operand& base = instruction.operands[1].elements[0];
  return base.kind == Operand::Kind::kSymbol && base.scope == Operand::Scope::kParameters &&
         std::ranges::any_of(instruction.modifiers, [](std::string_view word) { return word.starts_with("param"); });
}

bool reads_launch_size(const Instruction& instruction) {
  return instruction.opcode == "mov" && instruction.operands.size() == 2 &&
         instruction.operands[1].kind == Operand::Kind::kSpecial &&
         (instruction.operands[1].name == "ntid" || instruction.operands[1].name == "nctaid");
}

RegisterFacts::RegisterFacts(const ptx::Function& function, const ptx::FlowGraph& graph, bool reads_constants)
    : function_(function),
      only_write_(function.registers.size(), kNowhere),
      writes_(function.registers.size(), 0),
      reads_(function.registers.size(), 0),
      constants_(function.registers.size(), nullptr),
      folded_(function.body.size(), false),
      block_of_(graph.block_of) {
  depth_ = ptx::loop_depths(graph, ptx::immediate_dominators(graph));
  count();
  find_names();
  find_folded();
  find_kept(reads_constants);
}

void RegisterFacts::count() {
  const std::vector<bool> of_one_guard = ptx::registers_of_one_guard(function_);
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    const Instruction& instruction = function_.body[i];
    ptx::visit_read_registers(instruction, [&](std::uint32_t reg) { ++reads_[reg]; });
    ptx::visit_written_registers(instruction, [&](std::uint32_t reg) {
      only_write_[reg] = writes_[reg]++ == 0 && (!instruction.guard || of_one_guard[reg]) ? i : kNowhere;
    });
  }
  const auto is_given = [&](const ptx::Variable& variable) {
    for (std::uint32_t reg = 0; reg < function_.registers.size(); ++reg) {
      if (variable.space == ptx::StateSpace::kRegister && function_.registers[reg].name == variable.name) {
        only_write_[reg] = kNowhere;
      }
    }
  };
  std::ranges::for_each(function_.parameters, is_given);
  std::ranges::for_each(function_.returns, is_given);
}

// The upper half only where nothing else reads it; several words have lower and upper halves in turn.
void RegisterFacts::find_half_names(std::uint32_t unpacking, const std::vector<HalfReads>& reads) {
  const Operand& to = function_.body[unpacking].operands[0];
  const Name from = names_[function_.body[unpacking].operands[1].number];
  if (from.part != Part::kWhole || constants_[from.reg] != nullptr) {
    return;
  }
  for (std::uint32_t i = 0; i < to.elements.size(); ++i) {
    const bool is_upper = i % 2 == 1;
    if (is_register(to.elements[i]) && only_write_[to.elements[i].number] == unpacking &&
        reads[to.elements[i].number] >= (is_upper ? HalfReads::kEither : HalfReads::kLower)) {
      names_[to.elements[i].number] = {from.reg, static_cast<std::uint8_t>(from.word + i / 2),
                                       is_upper ? Part::kUpper : Part::kLower};
    }
  }
}

// The halves of a word together again.
void RegisterFacts::find_packed_name(const Operand& to, const Operand& from) {
  if (from.elements.size() != 2 || !std::ranges::all_of(from.elements, is_register)) {
    return;
  }
  const Name lower = names_[from.elements[0].number];
  const Name upper = names_[from.elements[1].number];
  if (lower.part == Part::kLower && upper.part == Part::kUpper && lower.reg == upper.reg && lower.word == upper.word) {
    names_[to.number] = {lower.reg, lower.word};
  }
}

void RegisterFacts::find_names() {
  const std::vector<HalfReads> reads = half_reads(function_);
  for (std::uint32_t reg = 0; reg < function_.registers.size(); ++reg) {
    names_.push_back({reg});
  }
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    const Instruction& instruction = function_.body[i];
    if (instruction.operands.size() != 2) {
      continue;
    }
    const Operand& to = instruction.operands[0];
    const Operand& from = instruction.operands[1];
    if (instruction.opcode == "mov" && to.kind == Operand::Kind::kVector && is_register(from) &&
        only_write_[from.number] != kNowhere) {  // unpacks a value
      if (unpacks_halves(function_, instruction)) {
        find_half_names(i, reads);
        continue;
      }
      const bool halves = ptx::bytes_of(function_.registers[from.number].type) != 4 * to.elements.size();
      for (std::size_t word = 0; word < to.elements.size() && !halves; ++word) {
        if (is_register(to.elements[word]) && only_write_[to.elements[word].number] == i) {
          names_[to.elements[word].number] = {names_[from.number].reg,
                                              static_cast<std::uint8_t>(names_[from.number].word + word)};
        }
      }
      continue;
    }
    if (is_register(to) && only_write_[to.number] == i && packs_halves(function_, instruction)) {
      find_packed_name(to, from);
      continue;
    }
    if (!is_register(to) || only_write_[to.number] != i || !only_renames(instruction)) {
      continue;
    }
    if (is_register(from) && from.offset == 0 && only_write_[from.number] != kNowhere) {
      names_[to.number] = names_[from.number];
    } else if (is_number(from) && instruction.opcode == "mov" &&
               function_.registers[to.number].type != ptx::DataType::kPredicate) {
      constants_[to.number] = &from;
    }
  }
}

const Instruction* RegisterFacts::maker(const Operand& operand) const {
  if (!is_register(operand)) {
    return nullptr;
  }
  const std::uint32_t at = only_write_[names_[operand.number].reg];
  const Name& name = names_[operand.number];
  return at == kNowhere || name.word != 0 || name.part != Part::kWhole ? nullptr : &function_.body[at];
}

const Instruction* RegisterFacts::folded(const Operand& operand) const {
  const Instruction* const made = maker(operand);
  return made != nullptr && folded_[static_cast<std::size_t>(made - function_.body.data())] ? made : nullptr;
}

bool RegisterFacts::is_constant_load(std::uint32_t reg, std::uint32_t bytes) const {
  constexpr std::uint32_t kWordBytes = 4;
  const ptx::Register& known = function_.registers[reg];
  if (!function_.is_entry || only_write_[reg] == kNowhere || names_[reg].reg != reg || known.vector != 1 ||
      ptx::bytes_of(known.type) > bytes) {
    return false;
  }
  const Instruction& made = function_.body[only_write_[reg]];
  if (made.operands.size() != 2 || made.guard) {
    return false;
  }
  if (made.opcode == "mov") {
    return reads_launch_size(made);
  }
  const bool is_constant =
      made.opcode == "ld" && has_word(made, "const") && made.operands[1].elements[0].kind == Operand::Kind::kSymbol;
  const auto type = made.modifiers.empty() ? std::nullopt : ptx::data_type_of(made.modifiers.back());
  return (is_constant || reads_own_parameter(made)) && type && ptx::bytes_of(*type) >= kWordBytes;
}

// An instruction that needs its operands in general registers.
void RegisterFacts::drop_kept_of(std::uint32_t instruction) {
  ptx::visit_read_registers(function_.body[instruction], [&](std::uint32_t reg) {
    const std::uint32_t value = names_[reg].reg;
    kept_[value] = false;
    if (only_write_[value] != kNowhere && folded_[only_write_[value]]) {
      ptx::visit_read_registers(function_.body[only_write_[value]],
                                [&](std::uint32_t source) { kept_[names_[source].reg] = false; });
    }
  });
}

// A sum with a product of 64 bits: its factor is an immediate, and the other summand in registers.
bool RegisterFacts::adds_wide_product(const Instruction& sum) const {
  return sum.opcode == "add" && is_wide_integer(sum) && std::ranges::any_of(sum.operands, [&](const Operand& operand) {
           const Instruction* const made = folded(operand);
           return made != nullptr && made->opcode == "mul";
         });
}

void RegisterFacts::find_kept(bool reads_constants) {
  constexpr std::uint32_t kLongest = 8;  // bytes
  kept_.assign(function_.registers.size(), false);
  for (std::uint32_t reg = 0; reg < kept_.size(); ++reg) {
    kept_[reg] = is_constant_load(reg, kLongest);
  }
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    const Instruction& instruction = function_.body[i];
    const bool renames = !instruction.operands.empty() && is_register(instruction.operands[0]) &&
                         names_[instruction.operands[0].number].reg != instruction.operands[0].number;
    if (!renames && (!reads_constant(instruction) || (!reads_constants && adds_wide_product(instruction)))) {
      drop_kept_of(i);
    }
  }
}

// Whether the sources of `maker` are unchanged at `user`.
bool RegisterFacts::stays(std::uint32_t maker, std::uint32_t user) const {
  bool same = true;
  const bool one_block = block_of_[maker] == block_of_[user] && maker < user;
  ptx::visit_read_registers(function_.body[maker], [&](std::uint32_t reg) {
    if (only_write_[reg] != kNowhere) {
      return;
    }
    same = same && one_block;
    for (std::uint32_t i = maker + 1; i < user && same; ++i) {
      ptx::visit_written_registers(function_.body[i], [&](std::uint32_t written) { same = same && written != reg; });
    }
  });
  // A product along with a sum is one instruction instead of the sum's two, also in loops.
  const Instruction& made = function_.body[maker];
  const bool saves = made.opcode == "mul" && has_word(made, "wide");
  return same && (saves || depth_[block_of_[user]] <= depth_[block_of_[maker]]);
}

// A sum of the address of a shared variable, which is in a uniform register, and a computed offset.
bool RegisterFacts::is_shared_offset(const Instruction& sum) const {
  const auto is_base = [&](const Operand& operand) {
    const Instruction* const made = maker(operand);
    return made != nullptr && made->opcode == "mov" && made->operands[1].kind == Operand::Kind::kSymbol;
  };
  const auto is_offset = [&](const Operand& operand) {
    const Instruction* const made = maker(operand);
    return is_register(operand) && !is_base(operand) && (made == nullptr || made->opcode != "shl");
  };
  return sum.operands.size() == 3 && ((is_base(sum.operands[1]) && is_offset(sum.operands[2])) ||
                                      (is_base(sum.operands[2]) && is_offset(sum.operands[1])));
}

// Whether the user includes the maker's operation.
bool RegisterFacts::folds(std::uint32_t maker, std::uint32_t user, std::size_t operand) const {
  const Instruction& made = function_.body[maker];
  const Instruction& by = function_.body[user];
  const bool once = reads_[made.operands[0].number] == 1;
  if (by.opcode == "add" && is_wide_integer(by)) {
    // Only one of the two: the second if both are possible.
    const Instruction* const other = operand == 1 ? this->maker(by.operands[2]) : nullptr;
    const bool taken = other != nullptr && (other->opcode == "mul" || other->opcode == "shl");
    return !taken && ((made.opcode == "mul" && has_word(made, "wide") && !has_word(made, "u16")) ||
                      (made.opcode == "shl" && is_number(made.operands[2])));
  }
  if (by.opcode == "add" && is_word_integer(by) && is_word_integer(made) && (once || made.opcode == "shl")) {
    const bool multiplies = made.opcode == "mul" && has_word(made, "lo");
    const bool shifts = made.opcode == "shl" && is_number(made.operands[2]);
    const bool adds = made.opcode == "add" && !has_word(made, "cc");
    const Instruction* const other = operand == 1 ? this->maker(by.operands[2]) : nullptr;
    const bool taken = other != nullptr && is_word_integer(*other) &&
                       ((reads_[by.operands[2].number] == 1 && (other->opcode == "mul" || other->opcode == "add")) ||
                        other->opcode == "shl");
    return !taken && (multiplies || shifts || adds);
  }
  if (by.opcode == "sub" && is_word_integer(by) && is_word_integer(made) && once) {
    const Instruction* const other = operand == 1 ? this->maker(by.operands[2]) : nullptr;
    const bool taken =
        other != nullptr && is_word_integer(*other) && (other->opcode == "mul" || other->opcode == "shl");
    return !taken &&
           ((made.opcode == "mul" && has_word(made, "lo")) || (made.opcode == "shl" && is_number(made.operands[2])));
  }
  if (by.opcode == "setp" && operand == 1 && once && made.opcode == "and" && is_logic(made)) {
    const bool with_zero = is_number(by.operands[2]) && by.operands[2].bits == 0;
    return with_zero && is_word_integer(by) && (has_word(by, "eq") || has_word(by, "ne")) && by.operands.size() == 3;
  }
  if (has_word(by, "shared") && (by.opcode == "ld" || by.opcode == "st" || by.opcode == "atom" || by.opcode == "red")) {
    return made.opcode == "add" && is_word_integer(made) && is_shared_offset(made);
  }
  if (is_logic(by) && by.opcode != "not") {
    const Instruction* const other = operand == 1 ? this->maker(by.operands[2]) : nullptr;
    const bool taken = other != nullptr && is_logic(*other) && reads_[by.operands[2].number] == 1;
    return !taken && once && is_logic(made);
  }
  if ((by.opcode == "or" || by.opcode == "and" || by.opcode == "xor") && has_word(by, "pred")) {
    const Instruction* const other = operand == 1 ? this->maker(by.operands[2]) : nullptr;
    const bool taken = other != nullptr && other->opcode == "setp" && reads_[by.operands[2].number] == 1;
    return !taken && once && made.opcode == "setp" && made.operands.size() == 3 && made.operands[0].second == nullptr &&
           !has_word(made, "f16") && !has_word(made, "f16x2");
  }
  if ((by.opcode == "add" || by.opcode == "sub") && made.opcode == "mul" && is_contractible(by)) {
    const Instruction* const other = operand == 1 ? this->maker(by.operands[2]) : nullptr;
    const bool taken = other != nullptr && other->opcode == "mul" && reads_[by.operands[2].number] == 1;
    return once && !taken && made.modifiers == by.modifiers && is_contractible(made);
  }
  const bool single =
      has_word(by, "f32") && (by.opcode == "add" || by.opcode == "mul" || by.opcode == "fma" || by.opcode == "sub" ||
                              by.opcode == "setp" || by.opcode == "min" || by.opcode == "max" || by.opcode == "selp");
  const bool wide = has_word(by, "f64") && (by.opcode == "add" || by.opcode == "mul" || by.opcode == "fma");
  return (made.opcode == "neg" || made.opcode == "abs") &&
         ((single && has_word(made, "f32")) || (wide && has_word(made, "f64")));
}

void RegisterFacts::find_folded() {
  std::vector<std::uint32_t> takers(function_.body.size(), 0);
  for (std::uint32_t user = 0; user < function_.body.size(); ++user) {
    const Instruction& by = function_.body[user];
    for (std::size_t i = 0; i < by.operands.size(); ++i) {
      const bool is_address = by.operands[i].kind == Operand::Kind::kAddress;
      if (i == 0 && !is_address) {
        continue;
      }
      const Operand& operand = is_address ? by.operands[i].elements[0] : by.operands[i];
      const Instruction* const made = maker(operand);
      if (made == nullptr || names_[operand.number].reg != operand.number || made->operands.size() < 2) {
        continue;
      }
      const auto at = static_cast<std::uint32_t>(made - function_.body.data());
      if (folds(at, user, i) && stays(at, user)) {
        ++takers[at];
      }
    }
  }
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    if (takers[i] == 0) {
      continue;
    }
    const std::uint32_t result = function_.body[i].operands[0].number;
    folded_[i] = takers[i] == reads_[result];
  }
  // An operand of a folded instruction is not folded: machine instructions do two steps, not three.
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    for (std::size_t k = 1; folded_[i] && k < function_.body[i].operands.size(); ++k) {
      if (const Instruction* const inner = folded(function_.body[i].operands[k])) {
        folded_[static_cast<std::size_t>(inner - function_.body.data())] = false;
      }
    }
  }
}

}  // namespace warpsim::codegen
