#include "codegen/warp_uniformity.h"

#include <algorithm>

#include "codegen/instruction_effects.h"
#include "codegen/instruction_words.h"
#include "ptx/liveness.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

using ptx::Instruction;
using ptx::Operand;

namespace {

// All threads of the block read the same number.
bool is_of_block(const Operand& special) {
  return special.name == "ctaid" || special.name == "ntid" || special.name == "nctaid" || special.name == "gridid" ||
         special.name.starts_with("cluster");
}

// Threads that read one place together read one value, unless others change it meanwhile.
bool reads_one_value(const Instruction& load) {
  const ptx::StateSpace space = space_of(load);
  const bool is_shared_by_all = space == ptx::StateSpace::kGlobal || space == ptx::StateSpace::kShared ||
                                space == ptx::StateSpace::kConstant || space == ptx::StateSpace::kParameter;
  return is_shared_by_all && !has_word(load, "volatile") && !has_word(load, "relaxed") && !has_word(load, "acquire");
}

// All threads that execute it together receive one value.
bool is_given_to_all(const Instruction& exchange) {
  return exchange.opcode == "vote" || exchange.opcode == "redux" || exchange.opcode == "activemask";
}

}  // namespace

WarpUniformity::WarpUniformity(const ptx::Function& function, const ptx::FlowGraph& graph)
    : function_(function),
      graph_(graph),
      meets_(ptx::immediate_post_dominators(graph)),
      live_(ptx::live_at_blocks(function, graph)),
      uniform_(function.registers.size(), function.is_entry),
      separates_(graph.count(), !function.is_entry) {
  if (!function.is_entry) {  // its parameters may be anything
    return;
  }
  for (bool changed = true; changed;) {
    changed = follow_data();
    changed = follow_branches() || changed;
  }
}

bool WarpUniformity::is_uniform_source(const Operand& operand) const {
  if (operand.kind == Operand::Kind::kRegister) {
    return uniform_[operand.number];
  }
  if (operand.kind == Operand::Kind::kSpecial) {
    return is_of_block(operand);
  }
  if (operand.second != nullptr && !is_uniform_source(*operand.second)) {
    return false;
  }
  return std::ranges::all_of(operand.elements, [&](const Operand& element) { return is_uniform_source(element); });
}

bool WarpUniformity::computes_uniform(const Instruction& instruction) const {
  if (instruction.guard && !uniform_[instruction.guard->predicate]) {
    return false;
  }
  if (is_given_to_all(instruction)) {
    return true;
  }
  if (instruction.opcode == "shfl" && has_word(instruction, "idx")) {  // from one lane, if that is the same for all
    return is_uniform_source(instruction.operands[2]);
  }
  const bool is_known = is_computation(instruction) && !uses_carry(instruction);
  if (!is_known && !(instruction.opcode == "ld" && reads_one_value(instruction))) {
    return false;
  }
  return std::all_of(instruction.operands.begin() + 1, instruction.operands.end(),
                     [&](const Operand& operand) { return is_uniform_source(operand); });
}

bool WarpUniformity::drop(std::uint32_t reg) {
  const bool was = uniform_[reg];
  uniform_[reg] = false;
  return was;
}

bool WarpUniformity::follow_data() {
  bool any = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& instruction : function_.body) {
      if (!instruction.operands.empty() && !computes_uniform(instruction)) {
        ptx::visit_written_registers(instruction, [&](std::uint32_t reg) { changed = drop(reg) || changed; });
      }
    }
    any = any || changed;
  }
  return any;
}

bool WarpUniformity::may_separate(std::uint32_t block) const {
  const Instruction& last = function_.body[graph_.blocks[block].end - 1];
  if (graph_.blocks[block].successors.size() < 2) {
    return false;
  }
  if (last.opcode == "brx" && !is_uniform_source(last.operands[0])) {
    return true;
  }
  return last.guard && !has_word(last, "uni") && !uniform_[last.guard->predicate];
}

bool WarpUniformity::follow_branches() {
  bool any = false;
  for (std::uint32_t block = 0; block < graph_.count(); ++block) {
    if (!separates_[block] && may_separate(block)) {
      separates_[block] = true;
      drop_written_after(block);
      any = true;
    }
  }
  return any;
}

std::vector<bool> WarpUniformity::reached_from(std::uint32_t first, std::uint32_t meet) const {
  std::vector<bool> reached(graph_.count(), false);
  std::vector<std::uint32_t> open{first};
  while (!open.empty()) {
    const std::uint32_t next = open.back();
    open.pop_back();
    if (next != meet && !reached[next]) {
      reached[next] = true;
      open.insert(open.end(), graph_.blocks[next].successors.begin(), graph_.blocks[next].successors.end());
    }
  }
  return reached;
}

void WarpUniformity::drop_written_after(std::uint32_t block) {
  const std::uint32_t meet = meets_[block];
  std::vector<std::uint32_t> ways(graph_.count(), 0);
  for (const std::uint32_t next : graph_.blocks[block].successors) {
    const std::vector<bool> reached = reached_from(next, meet);
    for (std::uint32_t i = 0; i < ways.size(); ++i) {
      ways[i] += reached[i] ? 1 : 0;
    }
  }
  ptx::RegisterSet needed(uniform_.size());
  if (meet != ptx::kNoBlock) {
    needed.merge(live_[meet]);
  } else {  // some threads end on their way, the others may meet where several ways lead
    for (std::uint32_t i = 0; i < ways.size(); ++i) {
      if (ways[i] > 1) {
        needed.merge(live_[i]);
      }
    }
  }
  for (std::uint32_t i = 0; i < ways.size(); ++i) {
    for (std::uint32_t k = graph_.blocks[i].begin; k < graph_.blocks[i].end && ways[i] != 0; ++k) {
      ptx::visit_written_registers(function_.body[k], [&](std::uint32_t reg) {
        if (needed.contains(reg)) {
          drop(reg);
        }
      });
    }
  }
}

}  // namespace warpsim::codegen
