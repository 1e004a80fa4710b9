#include "codegen/register_facts.h"

#include <algorithm>
#include <utility>

#include "codegen/constant_places.h"
#include "ptx/liveness.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

constexpr std::uint32_t kFirstWithWideChoices = 90;

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

RegisterFacts::RegisterFacts(const ptx::Function& function, const ptx::FlowGraph& graph, std::uint32_t architecture)
    : function_(function),
      combines_choices_(architecture >= kFirstWithWideChoices),
      only_write_(function.registers.size(), kNowhere),
      writes_(function.registers.size(), 0),
      reads_(function.registers.size(), 0),
      folded_(function.body.size(), false),
      block_of_(graph.block_of) {
  depth_ = ptx::loop_depths(graph, ptx::immediate_dominators(graph));
  count();
  RegisterNames found = find_register_names(function_, only_write_);
  names_ = std::move(found.names);
  constants_ = std::move(found.constants);
  find_folded();
  find_kept(architecture != 0 && reads_constants_by_address(architecture));
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

const Instruction* RegisterFacts::maker(const Operand& operand) const {
  if (!is_whole_register(operand)) {
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
    const bool renames = !instruction.operands.empty() && is_whole_register(instruction.operands[0]) &&
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
    return is_whole_register(operand) && !is_base(operand) && (made == nullptr || made->opcode != "shl");
  };
  return sum.operands.size() == 3 && ((is_base(sum.operands[1]) && is_offset(sum.operands[2])) ||
                                      (is_base(sum.operands[2]) && is_offset(sum.operands[1])));
}

// Whether a minimum or maximum includes a sum or one of the same kind: VIADDMNMX and VIMNMX3, as ptxas of CUDA 13.0
// chooses them for 9.0.
bool RegisterFacts::folds_into_choice(const Instruction& made, const Instruction& by, std::size_t operand) const {
  const auto fits = [&](const Instruction& maker) {
    const bool sums = (maker.opcode == "add" || maker.opcode == "sub") && is_word_integer(maker) &&
                      !has_word(maker, "cc") && !has_word(maker, "sat");
    return reads_[maker.operands[0].number] == 1 &&
           (sums || (maker.opcode == by.opcode && maker.modifiers == by.modifiers));
  };
  const Instruction* const other = operand == 1 ? this->maker(by.operands[2]) : nullptr;
  return fits(made) && (other == nullptr || !fits(*other));
}

// Whether the user includes the maker's operation.
bool RegisterFacts::folds(std::uint32_t maker, std::uint32_t user, std::size_t operand) const {
  const Instruction& made = function_.body[maker];
  const Instruction& by = function_.body[user];
  const bool once = reads_[made.operands[0].number] == 1;
  if (combines_choices_ && (by.opcode == "max" || by.opcode == "min") && is_word_integer(by)) {
    return folds_into_choice(made, by, operand);
  }
  if (by.opcode == "add" && is_wide_integer(by)) {
    // Only one of the two: the second if both are possible.
    const Instruction* const other = operand == 1 ? this->maker(by.operands[2]) : nullptr;
    const bool taken = other != nullptr && (other->opcode == "mul" || other->opcode == "shl");
    return !taken && ((made.opcode == "mul" && has_word(made, "wide") && !has_word(made, "u16")) ||
                      (made.opcode == "shl" && is_literal(made.operands[2])));
  }
  if (by.opcode == "add" && is_word_integer(by) && is_word_integer(made) && (once || made.opcode == "shl")) {
    const bool multiplies = made.opcode == "mul" && has_word(made, "lo");
    const bool shifts = made.opcode == "shl" && is_literal(made.operands[2]);
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
           ((made.opcode == "mul" && has_word(made, "lo")) || (made.opcode == "shl" && is_literal(made.operands[2])));
  }
  if (by.opcode == "setp" && operand == 1 && once && made.opcode == "and" && is_logic(made)) {
    const bool with_zero = is_literal(by.operands[2]) && by.operands[2].bits == 0;
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
