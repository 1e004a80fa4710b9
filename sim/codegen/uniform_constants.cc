#include "codegen/uniform_constants.h"

#include <algorithm>
#include <string_view>

#include "codegen/constant_places.h"
#include "codegen/instruction_words.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

using ptx::Instruction;
using ptx::Operand;

namespace {

bool is_of(const Instruction& instruction, std::string_view opcodes) {
  for (std::size_t at = opcodes.find(instruction.opcode); at != std::string_view::npos;
       at = opcodes.find(instruction.opcode, at + 1)) {
    const std::size_t end = at + instruction.opcode.size();
    if (opcodes[at - 1] == ' ' && opcodes[end] == ' ') {
      return true;
    }
  }
  return false;
}

bool is_of_floats(const Instruction& instruction) {
  return has_word(instruction, "f32") || has_word(instruction, "f64");
}

bool works_on_integers(const Instruction& instruction) {
  const auto is_word = [&](std::string_view word) { return has_word(instruction, word); };
  return is_word("s32") || is_word("u32") || is_word("b32");
}

// Divisions and the like are sequences that need their operands in general registers.
bool is_arithmetic(const Instruction& instruction) {
  const bool exact = has_word(instruction, "wide") || has_word(instruction, "hi") || has_word(instruction, "cc");
  return (is_of_floats(instruction) && is_of(instruction, " abs add cvt fma max min mul neg setp sub ")) ||
         (works_on_integers(instruction) && !exact &&
          is_of(instruction, " add and cvt mad max min mul or setp shl shr sub xor "));
}

}  // namespace

UniformConstants::UniformConstants(const ptx::Function& function, const ptx::FlowGraph& graph, RegisterFacts& facts,
                                   std::uint32_t architecture)
    : function_(function),
      graph_(graph),
      facts_(facts),
      architecture_(architecture),
      chains_(function, graph, facts, architecture) {
  if (chains_.reads().empty()) {
    return;
  }
  find_pairs();
  std::vector<bool> before;
  do {
    find_values();
    find_displaced();
    while (drop_unfit() || drop_pairs_in_part()) {
    }
    before = chains_.uniform_registers();
    chains_.keep_needed([this](const ConstantRead& read) { return is_needed(read); });
  } while (chains_.uniform_registers() != before);
  displace(facts);
}

void UniformConstants::find_pairs() {
  pairs_.assign(graph_.count(), 0);
  for (const ConstantRead& read : chains_.reads()) {
    pairs_[graph_.block_of[read.instruction]] += read.is_pair ? 1 : 0;
  }
}

bool UniformConstants::moves(const ConstantRead& read) const {
  const Instruction& load = function_.body[read.instruction];
  return chains_.is_uniform(read.base) && !load.guard && read.results.size() == 1 &&
         ptx::bytes_of(type_of(load)) == kConstantWord &&
         facts_.only_write(read.results.front()) == RegisterFacts::kNowhere;
}

bool UniformConstants::reads_and_moves(std::uint32_t instruction) const {
  const ConstantRead* const read = chains_.read_at(instruction);
  return read != nullptr && moves(*read);
}

void UniformConstants::find_values() {
  value_.assign(function_.registers.size(), false);
  read_.assign(function_.registers.size(), nullptr);
  for (const ConstantRead& read : chains_.reads()) {
    const Instruction& load = function_.body[read.instruction];
    const std::uint32_t bytes = ptx::bytes_of(type_of(load));
    const bool is_whole = bytes == kConstantWord || (bytes == 2 * kConstantWord && read.results.size() == 1);
    if (!chains_.is_uniform(read.base) || load.guard || !is_whole || read.results.size() > 2) {
      continue;
    }
    for (const std::uint32_t result : read.results) {
      read_[result] = &read;
      value_[result] = facts_.only_write(result) == read.instruction && name(result) == result;
    }
  }
}

// The constants that the machine instruction of `instruction` reads, also in what is folded into it.
void UniformConstants::collect(const Instruction& instruction, Constants& into, std::uint32_t depth) const {
  constexpr std::uint32_t kDeepest = 2;
  for (std::size_t i = ptx::has_result(instruction.opcode) ? 1 : 0; i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.kind == Operand::Kind::kInteger || operand.kind == Operand::Kind::kFloat) {
      into.has_number = into.has_number || operand.bits != 0;
    }
    if (operand.kind != Operand::Kind::kRegister) {
      continue;
    }
    const std::uint32_t reg = name(operand.number);
    const Instruction* const made = facts_.folded(operand);
    if (const Operand* const known = facts_.constant(reg)) {
      into.has_number = into.has_number || known->bits != 0;
    } else if (made != nullptr && depth < kDeepest) {
      collect(*made, into, depth + 1);
    } else if (value_[reg]) {
      into.values.push_back(reg);
    } else if (facts_.is_kept_constant(reg)) {
      into.of_launch.push_back(reg);
    } else {
      into.varies = into.varies || chains_.varies(reg);
    }
  }
}

// Constants of the launch that are in general registers because a value wins of them somewhere: others then read it
// there.
void UniformConstants::find_displaced() {
  displaced_.assign(value_.size(), false);
  for (const Instruction& instruction : function_.body) {
    Constants constants;
    collect(instruction, constants, 0);
    for (const std::uint32_t reg : constants.of_launch) {
      displaced_[reg] = displaced_[reg] || std::ranges::any_of(constants.values, [&](std::uint32_t value) {
                          return displaces(value) && accepts(instruction, value);
                        });
    }
  }
}

// Whether it wins of constants of the launch.
bool UniformConstants::displaces(std::uint32_t value) const {
  constexpr std::uint32_t kPairsToWin = 7;
  const ConstantRead& read = *read_[value];
  return !reads_constants_by_address(architecture_) &&
         (!read.is_pair || pairs_[graph_.block_of[read.instruction]] >= kPairsToWin);
}

// Whether the instruction can have it as its operand.
bool UniformConstants::accepts(const Instruction& reader, std::uint32_t value) const {
  if (reader.opcode == "mov") {
    return reader.operands[1].kind == Operand::Kind::kRegister;
  }
  if (!is_arithmetic(reader)) {
    return false;
  }
  const bool shifts = reader.opcode == "shl" || reader.opcode == "shr";
  return !shifts || reader.operands[1].kind != Operand::Kind::kRegister || name(reader.operands[1].number) != value;
}

bool UniformConstants::fits(const Constants& constants, std::uint32_t value) const {
  if (constants.has_number || constants.values.size() > 1) {
    return false;
  }
  // A constant of the launch from which an address is computed stays in its uniform register.
  const auto gives_way = [&](std::uint32_t reg) {
    return std::ranges::none_of(chains_.users(reg), [&](std::uint32_t user) {
      const std::vector<Operand>& operands = function_.body[user].operands;
      return !operands.empty() && operands[0].kind == Operand::Kind::kRegister &&
             chains_.is_uniform(operands[0].number);
    });
  };
  return std::ranges::all_of(
      constants.of_launch, [&](std::uint32_t reg) { return (displaced_[reg] || displaces(value)) && gives_way(reg); });
}

bool UniformConstants::drop_unfit() {
  bool changed = false;
  std::vector<std::uint32_t> unfit;
  for (std::uint32_t value = 0; value < value_.size(); ++value) {
    if (!value_[value]) {
      continue;
    }
    const auto suits = [&](std::uint32_t user) {
      const Instruction& reader = function_.body[user];
      if (!accepts(reader, value)) {
        return false;
      }
      const auto fits_in = [&](const Instruction& instruction) {
        Constants constants;
        collect(instruction, constants, 0);
        const bool is_general = instruction.opcode == "cvt" || instruction.opcode == "mov" || is_of_floats(instruction);
        return fits(constants, value) && (is_general || constants.varies);
      };
      if (!facts_.is_folded(user)) {
        return fits_in(reader);
      }
      return std::ranges::all_of(chains_.users(name(reader.operands[0].number)),
                                 [&](std::uint32_t by) { return fits_in(function_.body[by]); });
    };
    if (!std::ranges::all_of(chains_.users(value), suits)) {
      unfit.push_back(value);
    }
  }
  for (const std::uint32_t value : unfit) {  // of two reads neither
    value_[value] = false;
    changed = true;
  }
  return changed;
}

bool UniformConstants::drop_pairs_in_part() {
  bool changed = false;
  for (const ConstantRead& read : chains_.reads()) {
    const bool all = std::ranges::all_of(read.results, [&](std::uint32_t result) { return value_[result]; });
    for (const std::uint32_t result : read.results) {
      changed = changed || (value_[result] && !all);
      value_[result] = value_[result] && all;
    }
  }
  return changed;
}

// Whether the read has its address in a uniform register.
bool UniformConstants::is_needed(const ConstantRead& read) const {
  const bool is_uniform = !read.results.empty() && value_[read.results.front()];
  // Before 9.0 a parameter that only serves words outside of loops is not moved to a uniform register.
  const bool is_lone = reads_constants_by_address(architecture_) && !chains_.is_in_loop(read.instruction) &&
                       !chains_.comes_from_block(read.base);
  return read.is_pair || ((is_uniform || moves(read)) && !is_lone);
}

// Constants of the launch that are read beside a uniform register go to general ones.
void UniformConstants::displace(RegisterFacts& facts) const {
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    const Instruction& instruction = function_.body[i];
    const bool in_chain = !instruction.operands.empty() && instruction.operands[0].kind == Operand::Kind::kRegister &&
                          chains_.is_uniform(instruction.operands[0].number);
    if (facts.is_folded(i) || in_chain) {
      continue;
    }
    Constants constants;
    collect(instruction, constants, 0);
    bool reads_uniform = !constants.values.empty();
    ptx::visit_read_registers(instruction,
                              [&](std::uint32_t reg) { reads_uniform = reads_uniform || chains_.is_uniform(reg); });
    for (const std::uint32_t reg : constants.of_launch) {
      if (reads_uniform) {
        facts.drop_kept(reg);
      }
    }
  }
}

}  // namespace warpsim::codegen
