#include "codegen/constant_chains.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "codegen/constant_places.h"
#include "codegen/instruction_words.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

using ptx::Instruction;
using ptx::Operand;

namespace {

// Whole integers of one or two words; floats of that size have other types in well-formed PTX.
bool is_integer(const ptx::Register& reg) {
  const std::uint32_t bytes = ptx::bytes_of(reg.type);
  return reg.vector == 1 && (bytes == kConstantWord || bytes == 2 * kConstantWord) && reg.type != ptx::DataType::kF32 &&
         reg.type != ptx::DataType::kF64;
}

bool is_plain(const Operand& operand) {
  return (operand.component < 0 || operand.kind == Operand::Kind::kSpecial) && !operand.minus && !operand.negated &&
         operand.second == nullptr;
}

// Arithmetic of which the low word of the result depends on the low words of the sources only.
bool is_step(const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (instruction.guard || instruction.operands.size() < 2 || has_word(instruction, "cc") ||
      !std::ranges::all_of(instruction.operands, is_plain)) {
    return false;
  }
  const auto has_any = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return has_word(instruction, word); });
  };
  const bool is_whole = has_any({"s32", "u32", "b32", "s64", "u64", "b64"});
  if (opcode == "cvt") {
    return instruction.modifiers.size() == 2 && (has_word(instruction, "u64") || has_word(instruction, "s64")) &&
           has_any({"s32", "u32"});
  }
  if (opcode == "shl") {
    return is_whole && instruction.operands[2].kind == Operand::Kind::kInteger;
  }
  if (opcode == "mul" || opcode == "mad") {
    return is_whole && has_any({"lo", "wide"}) && !has_any({"s16", "u16"});
  }
  return is_whole && (opcode == "mov" || opcode == "add" || opcode == "sub" || opcode == "and");
}

// A sum or a product of one word.
bool is_word_step(const Instruction& instruction) {
  return is_step(instruction) &&
         (instruction.opcode == "add" || instruction.opcode == "mul" || instruction.opcode == "mad") &&
         !has_word(instruction, "wide") && (has_word(instruction, "s32") || has_word(instruction, "u32"));
}

}  // namespace

ConstantChains::ConstantChains(const ptx::Function& function, const ptx::FlowGraph& graph, const RegisterFacts& facts,
                               std::uint32_t architecture)
    : function_(function), graph_(graph), facts_(facts), architecture_(architecture) {
  if (!function.is_entry) {
    return;
  }
  find_reads();
  if (reads_.empty()) {
    return;
  }
  loops_ = ptx::natural_loops(graph, ptx::immediate_dominators(graph));
  find_users();
  find_offsets();
  find_uniform();
}

void ConstantChains::find_reads() {
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    const Instruction& load = function_.body[i];
    const ptx::StateSpace space = space_of(load);
    const bool reads = load.opcode == "ld" && load.operands.size() == 2 && !load.operands[1].elements.empty() &&
                       (space == ptx::StateSpace::kConstant || space == ptx::StateSpace::kParameter);
    if (!reads || load.operands[1].elements[0].kind != Operand::Kind::kRegister) {
      continue;
    }
    ConstantRead read{i, name(load.operands[1].elements[0].number), {}, false};
    ptx::visit_written_registers(load, [&](std::uint32_t reg) { read.results.push_back(reg); });
    read.is_pair = elements_of(load) == 2 && ptx::bytes_of(type_of(load)) == kConstantWord;
    reads_.push_back(std::move(read));
  }
}

const ConstantRead* ConstantChains::read_at(std::uint32_t instruction) const {
  const auto found = std::ranges::lower_bound(reads_, instruction, {}, &ConstantRead::instruction);
  return found == reads_.end() || found->instruction != instruction ? nullptr : &*found;
}

// A move between two names of one value.
bool ConstantChains::is_alias(const Instruction& instruction) const {
  return instruction.operands.size() == 2 && instruction.operands[0].kind == Operand::Kind::kRegister &&
         name(instruction.operands[0].number) != instruction.operands[0].number;
}

void ConstantChains::find_users() {
  users_.resize(function_.registers.size());
  writers_.resize(function_.registers.size());
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    const Instruction& instruction = function_.body[i];
    if (is_alias(instruction)) {
      continue;
    }
    ptx::visit_read_registers(instruction, [&](std::uint32_t reg) {
      std::vector<std::uint32_t>& users = users_[name(reg)];
      if (users.empty() || users.back() != i) {
        users.push_back(i);
      }
    });
    ptx::visit_written_registers(instruction, [&](std::uint32_t reg) { writers_[reg].push_back(i); });
  }
}

bool ConstantChains::keeps_offset(std::uint32_t reg) const {
  const bool from_steps =
      std::ranges::all_of(writers_[reg], [&](std::uint32_t writer) { return is_step(function_.body[writer]); });
  return from_steps && !writers_[reg].empty() && std::ranges::all_of(users_[reg], [&](std::uint32_t user) {
           const Instruction& by = function_.body[user];
           if (const ConstantRead* const read = read_at(user)) {
             return read->base == reg;
           }
           return is_step(by) && offset_[by.operands[0].number];
         });
}

void ConstantChains::find_offsets() {
  offset_.assign(function_.registers.size(), false);
  for (std::uint32_t reg = 0; reg < offset_.size(); ++reg) {
    const ptx::Register& known = function_.registers[reg];
    offset_[reg] = name(reg) == reg && is_integer(known) && ptx::bytes_of(known.type) == 2 * kConstantWord;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t reg = 0; reg < offset_.size(); ++reg) {
      if (offset_[reg] && !keeps_offset(reg)) {
        offset_[reg] = false;
        changed = true;
      }
    }
  }
}

// Every loop around the block is left by all threads together.
bool ConstantChains::has_steady_loops(std::uint32_t block, const WarpUniformity& uniformity) const {
  return std::ranges::all_of(loops_, [&](const ptx::Loop& loop) {
    if (!loop.holds[block]) {
      return true;
    }
    std::uint32_t exits = 0;
    bool together = true;
    for (std::uint32_t i = 0; i < graph_.count(); ++i) {
      const bool leaves = loop.holds[i] && std::ranges::any_of(graph_.blocks[i].successors,
                                                               [&](std::uint32_t next) { return !loop.holds[next]; });
      exits += leaves ? 1 : 0;
      together = together && !(leaves && uniformity.separates(i));
    }
    return together && (exits <= 1 || !reads_constants_by_address(architecture_));
  });
}

// Arithmetic of the uniform datapath, or what it begins with.
bool ConstantChains::is_uniform_step(const Instruction& instruction) const {
  if (instruction.guard) {
    return false;
  }
  if (reads_own_parameter(instruction)) {
    return elements_of(instruction) == 1 && ptx::bytes_of(type_of(instruction)) >= kConstantWord;
  }
  if (!is_step(instruction)) {
    return false;
  }
  return std::all_of(instruction.operands.begin() + 1, instruction.operands.end(), [&](const Operand& operand) {
    switch (operand.kind) {
      case Operand::Kind::kRegister:
        return facts_.constant(operand.number) != nullptr || uniform_[name(operand.number)] ||
               (facts_.is_kept_constant(name(operand.number)) && !is_compared(name(operand.number)));
      case Operand::Kind::kSpecial:
        return operand.name == "ctaid" || operand.name == "nctaid" || operand.name == "ntid";
      default:
        return operand.kind == Operand::Kind::kInteger || operand.kind == Operand::Kind::kSymbol;
    }
  });
}

bool ConstantChains::is_parameter(std::uint32_t reg) const {
  return std::ranges::any_of(writers_[reg],
                             [&](std::uint32_t writer) { return reads_own_parameter(function_.body[writer]); });
}

bool ConstantChains::is_compared(std::uint32_t reg) const {
  return std::ranges::any_of(users_[reg], [&](std::uint32_t user) { return function_.body[user].opcode == "setp"; });
}

// From 9.0 on general arithmetic reads the block's place from the uniform register of an address.
bool ConstantChains::is_place_of_block(std::uint32_t reg) const {
  return !reads_constants_by_address(architecture_) && !writers_[reg].empty() &&
         std::ranges::all_of(writers_[reg], [&](std::uint32_t writer) {
           const Instruction& instruction = function_.body[writer];
           return instruction.opcode == "mov" && instruction.operands[1].kind == Operand::Kind::kSpecial;
         });
}

bool ConstantChains::may_use(std::uint32_t user, std::uint32_t reg) const {
  const Instruction& by = function_.body[user];
  if (const ConstantRead* const read = read_at(user)) {
    return read->base == reg;
  }
  if (by.operands.empty() || by.operands[0].kind != Operand::Kind::kRegister) {
    return false;
  }
  if (is_step(by) && uniform_[name(by.operands[0].number)]) {
    return true;
  }
  if (by.opcode == "cvt") {
    return has_word(by, "f32") || has_word(by, "f64");
  }
  if (is_place_of_block(reg) && is_word_step(by)) {
    return std::all_of(by.operands.begin() + 1, by.operands.end(), [&](const Operand& operand) {
      return operand.kind == Operand::Kind::kRegister && facts_.constant(operand.number) == nullptr &&
             (name(operand.number) == reg || !is_place_of_block(name(operand.number)));
    });
  }
  // The other operand is in a general register.
  if (by.opcode != "setp" || is_parameter(reg) || reads_constants_by_address(architecture_)) {
    return false;
  }
  return std::all_of(by.operands.begin() + 1, by.operands.end(), [&](const Operand& operand) {
    if (operand.kind != Operand::Kind::kRegister) {
      return false;
    }
    const std::uint32_t other = name(operand.number);
    return other == reg || (facts_.constant(other) == nullptr && (!uniform_[other] || is_parameter(other)));
  });
}

bool ConstantChains::keeps_uniform(std::uint32_t reg) const {
  return std::ranges::all_of(writers_[reg],
                             [&](std::uint32_t writer) { return is_uniform_step(function_.body[writer]); }) &&
         std::ranges::all_of(users_[reg], [&](std::uint32_t user) { return may_use(user, reg); });
}

void ConstantChains::find_uniform() {
  const WarpUniformity uniformity(function_, graph_);
  std::vector<bool> is_steady(graph_.count());
  for (std::uint32_t block = 0; block < graph_.count(); ++block) {
    is_steady[block] = has_steady_loops(block, uniformity);
  }
  uniform_.assign(function_.registers.size(), false);
  for (std::uint32_t reg = 0; reg < uniform_.size(); ++reg) {
    varies_.push_back(!uniformity.is_uniform(reg));
    const ptx::Register& known = function_.registers[reg];
    const bool is_word = is_integer(known) && (offset_[reg] || ptx::bytes_of(known.type) == kConstantWord);
    uniform_[reg] =
        name(reg) == reg && is_word && facts_.constant(reg) == nullptr && !varies_[reg] &&
        !facts_.is_kept_constant(reg) && !writers_[reg].empty() && !users_[reg].empty() &&
        std::ranges::all_of(writers_[reg], [&](std::uint32_t writer) { return is_steady[graph_.block_of[writer]]; });
  }
  settle();
}

void ConstantChains::settle() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t reg = 0; reg < uniform_.size(); ++reg) {
      if (uniform_[reg] && !keeps_uniform(reg)) {
        uniform_[reg] = false;
        changed = true;
      }
    }
  }
}

// Also what they are computed from, and other sums of a counter that is among that.
void ConstantChains::keep(std::vector<bool> kept) {
  bool changed = true;
  const auto add = [&](std::uint32_t reg) {
    changed = changed || (uniform_[reg] && !kept[reg]);
    kept[reg] = uniform_[reg];
  };
  while (changed) {
    changed = false;
    for (std::uint32_t reg = 0; reg < kept.size(); ++reg) {
      if (!kept[reg]) {
        continue;
      }
      for (const std::uint32_t writer : writers_[reg]) {
        ptx::visit_read_registers(function_.body[writer], [&](std::uint32_t source) { add(name(source)); });
      }
      for (const std::uint32_t user : users_[reg]) {
        ptx::visit_written_registers(function_.body[user], [&](std::uint32_t result) {
          if (!offset_[name(result)]) {
            add(name(result));
          }
        });
      }
    }
  }
  uniform_ = std::move(kept);
  settle();
}

bool ConstantChains::comes_from_block(std::uint32_t reg) const {
  std::vector<bool> seen(writers_.size(), false);
  std::vector<std::uint32_t> open{reg};
  while (!open.empty()) {
    const std::uint32_t next = open.back();
    open.pop_back();
    if (seen[next]) {
      continue;
    }
    seen[next] = true;
    for (const std::uint32_t writer : writers_[next]) {
      for (const Operand& operand : function_.body[writer].operands) {
        if (operand.kind == Operand::Kind::kSpecial && operand.name == "ctaid") {
          return true;
        }
        if (operand.kind == Operand::Kind::kRegister) {
          open.push_back(name(operand.number));
        }
      }
    }
  }
  return false;
}

bool ConstantChains::is_in_loop(std::uint32_t instruction) const {
  return std::ranges::any_of(loops_, [&](const ptx::Loop& loop) { return loop.holds[graph_.block_of[instruction]]; });
}

}  // namespace warpsim::codegen
