#include "codegen/branch_conversion.h"

#include <algorithm>

#include "codegen/body_editor.h"
#include "codegen/register_facts.h"
#include "ptx/flow_graph.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::FlowGraph;
using ptx::Instruction;

// Maximum of machine instructions that compilers were observed to guard (nvcc 13, sm_90).
constexpr std::uint32_t kMostGuarded = 12;
// The same of two alternatives: that of the branch not taken, which comes first, and the other one (ptxas 13.0 for 8.0
// and 9.0, alternatives of 1 to 15 FFMAs and loads).
constexpr std::uint32_t kMostOfFirst = 8;
constexpr std::uint32_t kMostOfSecond = 7;

// Sums and conversions of addresses are folded into other instructions.
std::uint32_t machine_instructions(const ptx::Function& function, std::uint32_t begin, std::uint32_t end) {
  return static_cast<std::uint32_t>(
      std::count_if(function.body.begin() + begin, function.body.begin() + end, [](const Instruction& one) {
        const bool wide = has_word(one, "s64") || has_word(one, "u64");
        return one.opcode != "cvta" && !(wide && (one.opcode == "add" || one.opcode == "cvt"));
      }));
}

std::uint32_t target_of(const ptx::Function& function, const Instruction& branch) {
  return function.labels[branch.operands[0].number].instruction;
}

// A conditional branch around a branch branches there under the opposite condition.
void turn_around(ptx::Function& function) {
  std::vector<bool> is_target(function.body.size() + 1, false);
  for (const ptx::Label& label : function.labels) {
    is_target[label.instruction] = true;
  }
  BodyEditor editor(function);
  for (std::uint32_t i = 0; i + 2 < function.body.size(); ++i) {
    Instruction& branch = function.body[i];
    const Instruction& next = function.body[i + 1];
    if (branch.opcode == "bra" && branch.guard && next.opcode == "bra" && !next.guard && !is_target[i + 1] &&
        target_of(function, branch) == i + 2) {
      branch.guard->negated = !branch.guard->negated;
      branch.operands[0].number = next.operands[0].number;
      editor.remove(i + 1);
    }
  }
  editor.apply();
}

void end_at_once(ptx::Function& function) {
  for (Instruction& instruction : function.body) {
    if (instruction.opcode != "bra" || !instruction.guard) {
      continue;
    }
    const std::uint32_t target = target_of(function, instruction);
    const bool ends = target < function.body.size() && !function.body[target].guard &&
                      (function.body[target].opcode == "ret" || function.body[target].opcode == "exit");
    if (ends) {
      instruction.opcode = "exit";
      instruction.modifiers.clear();
      instruction.operands.clear();
    }
  }
}

bool can_be_guarded(const Instruction& instruction) {
  constexpr std::string_view kNever[] = {"bra",  "brx",    "call",  "ret",  "exit",  "bar",      "barrier",
                                         "shfl", "vote",   "mma",   "wmma", "match", "redux",    "activemask",
                                         "trap", "wgmma",  "cp",    "div",  "rem",   "ldmatrix", "mbarrier",
                                         "sqrt", "membar", "fence", "elect"};
  // With a branch around the path of rare operands.
  const bool branches = (instruction.opcode == "rcp" && !has_word(instruction, "approx")) ||
                        (instruction.opcode == "rsqrt" && has_word(instruction, "f64"));
  const bool stores_far = instruction.opcode == "st" && !has_word(instruction, "shared");
  return !instruction.guard && !stores_far && !branches &&
         std::ranges::find(kNever, instruction.opcode) == std::end(kNever);
}

// Whether all instructions can have the guard.
bool can_have(const ptx::Function& function, std::uint32_t begin, std::uint32_t end, std::uint32_t predicate) {
  return std::all_of(function.body.begin() + begin, function.body.begin() + end, [predicate](const Instruction& one) {
    bool keeps_guard = true;
    ptx::visit_written_registers(one, [&](std::uint32_t reg) { keeps_guard = keeps_guard && reg != predicate; });
    return keeps_guard && can_be_guarded(one);
  });
}

// Alternatives with atomics keep their branch, so that the order of their threads does not change.
bool has_atomics(const ptx::Function& function, const FlowGraph::Block& block) {
  return std::any_of(function.body.begin() + block.begin, function.body.begin() + block.end,
                     [](const Instruction& one) { return one.opcode == "atom" || one.opcode == "red"; });
}

// Replaces branches of a function by guards.
class Guards {
 public:
  explicit Guards(ptx::Function& function)
      : function_(function), graph_(ptx::make_flow_graph(function)), editor_(function) {}

  void convert() {
    for (std::uint32_t block = 0; block + 1 < graph_.count(); ++block) {
      const Instruction& branch = function_.body[graph_.blocks[block].end - 1];
      if (branch.opcode == "bra" && branch.guard && !has_word(branch, "uni") && !guard_skipped(block)) {
        guard_alternatives(block);
      }
    }
    editor_.apply();
  }

 private:
  std::uint32_t target_after(std::uint32_t block) const {
    return target_of(function_, function_.body[graph_.blocks[block].end - 1]);
  }
  void guard(std::uint32_t begin, std::uint32_t end, const ptx::Guard& guard) {
    for (std::uint32_t i = begin; i < end; ++i) {
      function_.body[i].guard = guard;
    }
  }

  // Code that the branch skips, if nothing else leads there.
  bool guard_skipped(std::uint32_t block) {
    const std::uint32_t branch = graph_.blocks[block].end - 1;
    const FlowGraph::Block& skipped = graph_.blocks[block + 1];
    ptx::Guard condition = *function_.body[branch].guard;
    if (target_after(block) != skipped.end || skipped.predecessors.size() != 1 ||
        machine_instructions(function_, skipped.begin, skipped.end) > kMostGuarded ||
        !can_have(function_, skipped.begin, skipped.end, condition.predicate)) {
      return false;
    }
    condition.negated = !condition.negated;
    guard(skipped.begin, skipped.end, condition);
    editor_.remove(branch);
    return true;
  }

  // Two alternatives, one after the other, that meet behind the second one.
  void guard_alternatives(std::uint32_t block) {
    if (block + 2 >= graph_.count()) {
      return;
    }
    const std::uint32_t branch = graph_.blocks[block].end - 1;
    const FlowGraph::Block& first = graph_.blocks[block + 1];
    const FlowGraph::Block& second = graph_.blocks[block + 2];
    const Instruction& last = function_.body[first.end - 1];
    ptx::Guard condition = *function_.body[branch].guard;
    const bool meet = last.opcode == "bra" && !last.guard && target_of(function_, last) == second.end &&
                      target_after(block) == second.begin && first.predecessors.size() == 1 &&
                      second.predecessors.size() == 1;
    if (!meet || has_atomics(function_, first) || has_atomics(function_, second) ||
        machine_instructions(function_, first.begin, first.end - 1) > kMostOfFirst ||
        machine_instructions(function_, second.begin, second.end) > kMostOfSecond ||
        !can_have(function_, first.begin, first.end - 1, condition.predicate) ||
        !can_have(function_, second.begin, second.end, condition.predicate)) {
      return;
    }
    guard(second.begin, second.end, condition);
    condition.negated = !condition.negated;
    guard(first.begin, first.end - 1, condition);
    editor_.remove(branch);
    editor_.remove(first.end - 1);
  }

  ptx::Function& function_;
  FlowGraph graph_;
  BodyEditor editor_;
};

}  // namespace

void convert_branches(ptx::Function& function) {
  turn_around(function);
  if (function.is_entry) {
    end_at_once(function);
  }
  Guards(function).convert();
}

}  // namespace warpsim::codegen
