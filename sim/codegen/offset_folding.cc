#include "codegen/offset_folding.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "codegen/body_editor.h"
#include "codegen/register_facts.h"
#include "ptx/flow_graph.h"
#include "ptx/liveness.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

// A register at one point: its number and how often it has been written.
struct Version {
  std::uint32_t reg = 0;
  std::uint32_t writes = 0;
  bool operator==(const Version&) const = default;
  bool operator<(const Version& other) const { return std::tie(reg, writes) < std::tie(other.reg, other.writes); }
};

// A value as another one plus a constant.
struct Sum {
  Version base;
  std::int64_t constant = 0;
};

class Folder {
 public:
  explicit Folder(ptx::Function& function)
      : function_(function), writes_(function.registers.size(), 0), sums_(function.registers.size()) {}

  void run() {
    const ptx::FlowGraph graph = ptx::make_flow_graph(function_);
    for (const ptx::FlowGraph::Block& block : graph.blocks) {
      std::ranges::fill(sums_, std::nullopt);
      known_.clear();
      for (std::uint32_t i = block.begin; i < block.end; ++i) {
        visit(function_.body[i]);
      }
    }
  }

 private:
  Version now(std::uint32_t reg) const { return {reg, writes_[reg]}; }
  bool is_current(const Version& version) const { return writes_[version.reg] == version.writes; }

  Sum sum_of(std::uint32_t reg) const {
    const std::optional<Sum>& known = sums_[reg];
    return known && is_current(known->base) ? *known : Sum{now(reg), 0};
  }

  static bool is_plain_register(const Operand& operand) {
    return operand.kind == Operand::Kind::kRegister && operand.component < 0 && !operand.minus && !operand.negated &&
           operand.offset == 0;
  }

  void fold_address(Operand& operand) {
    constexpr std::int64_t kFurthest = 1 << 22;  // offsets in machine instructions have 24 bits
    if (operand.kind != Operand::Kind::kAddress || operand.elements.size() != 1 ||
        operand.elements[0].kind != Operand::Kind::kRegister) {
      return;
    }
    Operand& base = operand.elements[0];
    const Sum sum = sum_of(base.number);
    if (sum.constant != 0 && sum.constant < kFurthest && sum.constant > -kFurthest) {
      base.number = sum.base.reg;
      operand.offset += sum.constant;
    }
  }

  bool is_sum(const Instruction& instruction) const {
    return instruction.opcode == "add" && !instruction.guard && instruction.modifiers.size() == 1 &&
           (has_word(instruction, "s32") || has_word(instruction, "u32") || has_word(instruction, "s64") ||
            has_word(instruction, "u64")) &&
           is_plain_register(instruction.operands[0]) && is_plain_register(instruction.operands[1]);
  }

  void visit(Instruction& instruction) {
    for (Operand& operand : instruction.operands) {
      fold_address(operand);
    }
    std::optional<Sum> sum;
    if (is_sum(instruction)) {
      sum = fold_sum(instruction);
    }
    ptx::visit_written_registers(instruction, [&](std::uint32_t reg) {
      ++writes_[reg];
      sums_[reg] = std::nullopt;
    });
    if (sum && is_current(sum->base)) {
      sums_[instruction.operands[0].number] = sum;
    }
  }

  // The sum, with sources that may be sums themselves; the instruction is rewritten to fit.
  std::optional<Sum> fold_sum(Instruction& instruction) {
    const bool wide = has_word(instruction, "s64") || has_word(instruction, "u64");
    const auto wrapped = [&](std::int64_t value) { return wide ? value : static_cast<std::int32_t>(value); };
    const Sum a = sum_of(instruction.operands[1].number);
    Operand& second = instruction.operands[2];
    if (second.kind == Operand::Kind::kInteger) {
      const std::int64_t constant = wrapped(a.constant + static_cast<std::int64_t>(second.bits));
      instruction.operands[1].number = a.base.reg;
      second.bits = static_cast<std::uint64_t>(constant);
      return Sum{a.base, constant};
    }
    if (!is_plain_register(second)) {
      return std::nullopt;
    }
    const Sum b = sum_of(second.number);
    const auto key = std::minmax(a.base, b.base);
    const std::int64_t constant = a.constant + b.constant;
    if (const auto found = known_.find(key); found != known_.end() && is_current(found->second.base)) {
      const Sum result{found->second.base, wrapped(constant - found->second.constant)};
      instruction.operands[1].number = result.base.reg;
      second = Operand();
      second.kind = Operand::Kind::kInteger;
      second.bits = static_cast<std::uint64_t>(result.constant);
      return result;
    }
    const std::uint32_t to = instruction.operands[0].number;
    const bool overwrites = to == a.base.reg || to == b.base.reg;
    if (!overwrites) {
      known_[key] = Sum{{to, writes_[to] + 1}, constant};
    }
    return std::nullopt;
  }

  ptx::Function& function_;
  std::vector<std::uint32_t> writes_;
  std::vector<std::optional<Sum>> sums_;
  std::map<std::pair<Version, Version>, Sum> known_;  // sums of two values: holding register, and its constant
};

bool only_computes(const Instruction& instruction) {
  constexpr std::string_view kComputing[] = {"abs", "add", "and", "cvt", "cvta", "fma",  "mad", "max", "min", "mov",
                                             "mul", "neg", "not", "or",  "selp", "setp", "shl", "shr", "sub", "xor"};
  const bool reads_special = std::ranges::any_of(instruction.operands, [](const Operand& operand) {
    return operand.kind == Operand::Kind::kSpecial && operand.name.find("clock") != std::string_view::npos;
  });
  const bool loads = instruction.opcode == "ld" && (has_word(instruction, "param") || has_word(instruction, "const"));
  return !reads_special && !has_word(instruction, "cc") &&
         (loads || std::ranges::find(kComputing, instruction.opcode) != std::end(kComputing));
}

// Reads of a function's results in registers by its caller.
bool is_result(const ptx::Function& function, std::uint32_t reg) {
  return std::ranges::find(function.returns, function.registers[reg].name, &ptx::Variable::name) !=
         function.returns.end();
}

// Of a variable in constant memory or a parameter.
bool is_constant_place(const ptx::Module& module, const Operand& operand) {
  if (operand.kind != Operand::Kind::kSymbol || operand.scope == Operand::Scope::kParameters) {
    return operand.kind == Operand::Kind::kSymbol;
  }
  return operand.scope == Operand::Scope::kModule &&
         module.symbols[operand.number].kind == ptx::Symbol::Kind::kVariable &&
         module.variables[module.symbols[operand.number].number].space == ptx::StateSpace::kConstant;
}

}  // namespace

void copy_places(const ptx::Module& module, ptx::Function& function) {
  const ptx::FlowGraph graph = ptx::make_flow_graph(function);
  for (const ptx::FlowGraph::Block& block : graph.blocks) {
    std::map<std::uint32_t, Operand> places;  // by register that holds one
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      Instruction& instruction = function.body[i];
      const bool moves = instruction.opcode == "mov" && !instruction.guard && instruction.operands.size() == 2 &&
                         instruction.operands[0].kind == Operand::Kind::kRegister;
      if (moves && instruction.operands[1].kind == Operand::Kind::kRegister) {
        if (const auto held = places.find(instruction.operands[1].number); held != places.end()) {
          instruction.operands[1] = copy_of(held->second);
        }
      }
      ptx::visit_written_registers(instruction, [&](std::uint32_t reg) { places.erase(reg); });
      if (moves && is_constant_place(module, instruction.operands[1])) {
        places[instruction.operands[0].number] = copy_of(instruction.operands[1]);
      }
    }
  }
}

void fold_offsets(ptx::Function& function) {
  Folder(function).run();
}

void remove_unread(ptx::Function& function) {
  for (bool changed = true; changed;) {
    changed = false;
    const ptx::FlowGraph graph = ptx::make_flow_graph(function);
    const std::vector<ptx::RegisterSet> live_in = ptx::live_at_blocks(function, graph);
    BodyEditor editor(function);
    for (const ptx::FlowGraph::Block& block : graph.blocks) {
      ptx::RegisterSet live(function.registers.size());
      for (const std::uint32_t next : block.successors) {
        live.merge(live_in[next]);
      }
      for (std::uint32_t i = block.end; i-- > block.begin;) {
        const Instruction& instruction = function.body[i];
        bool is_read = !only_computes(instruction);
        ptx::visit_written_registers(instruction, [&](std::uint32_t reg) {
          is_read = is_read || live.contains(reg) || is_result(function, reg);
        });
        if (!is_read) {
          editor.remove(i);
          changed = true;
          continue;
        }
        if (!instruction.guard) {
          ptx::visit_written_registers(instruction, [&](std::uint32_t reg) { live.remove(reg); });
        }
        ptx::visit_read_registers(instruction, [&](std::uint32_t reg) { live.add(reg); });
      }
    }
    editor.apply();
  }
}

}  // namespace warpsim::codegen
