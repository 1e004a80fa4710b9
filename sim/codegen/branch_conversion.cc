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

// Sums and conversions of addresses are folded into other instructions.
std::uint32_t machine_instructions(const ptx::Function& function, const FlowGraph::Block& block) {
  return static_cast<std::uint32_t>(
      std::count_if(function.body.begin() + block.begin, function.body.begin() + block.end, [](const Instruction& one) {
        const bool wide = has_word(one, "s64") || has_word(one, "u64");
        return one.opcode != "cvta" && !(wide && (one.opcode == "add" || one.opcode == "cvt"));
      }));
}

void end_at_once(ptx::Function& function) {
  for (Instruction& instruction : function.body) {
    if (instruction.opcode != "bra" || !instruction.guard) {
      continue;
    }
    const std::uint32_t target = function.labels[instruction.operands[0].number].instruction;
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

// The skipped block after a branch; kNoBlock if the branch must stay.
std::uint32_t skipped_block(const ptx::Function& function, const FlowGraph& graph, std::uint32_t block) {
  const Instruction& branch = function.body[graph.blocks[block].end - 1];
  const std::uint32_t next = block + 1;
  if (branch.opcode != "bra" || !branch.guard || has_word(branch, "uni") || next >= graph.count()) {
    return ptx::kNoBlock;
  }
  const FlowGraph::Block& skipped = graph.blocks[next];
  const std::uint32_t target = function.labels[branch.operands[0].number].instruction;
  if (target != skipped.end || skipped.predecessors.size() != 1 ||
      machine_instructions(function, skipped) > kMostGuarded) {
    return ptx::kNoBlock;
  }
  for (std::uint32_t i = skipped.begin; i < skipped.end; ++i) {
    bool keeps_guard = true;
    ptx::visit_written_registers(
        function.body[i], [&](std::uint32_t reg) { keeps_guard = keeps_guard && reg != branch.guard->predicate; });
    if (!keeps_guard || !can_be_guarded(function.body[i])) {
      return ptx::kNoBlock;
    }
  }
  return next;
}

}  // namespace

void convert_branches(ptx::Function& function) {
  if (function.is_entry) {
    end_at_once(function);
  }
  const FlowGraph graph = ptx::make_flow_graph(function);
  BodyEditor editor(function);
  for (std::uint32_t block = 0; block < graph.count(); ++block) {
    const std::uint32_t skipped = skipped_block(function, graph, block);
    if (skipped == ptx::kNoBlock) {
      continue;
    }
    const std::uint32_t branch = graph.blocks[block].end - 1;
    ptx::Guard guard = *function.body[branch].guard;
    guard.negated = !guard.negated;
    for (std::uint32_t i = graph.blocks[skipped].begin; i < graph.blocks[skipped].end; ++i) {
      function.body[i].guard = guard;
    }
    editor.remove(branch);
  }
  editor.apply();
}

}  // namespace warpsim::codegen
