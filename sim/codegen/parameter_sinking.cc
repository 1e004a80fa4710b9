#include "codegen/parameter_sinking.h"

#include <algorithm>
#include <vector>

#include "codegen/body_editor.h"
#include "codegen/register_facts.h"
#include "ptx/flow_graph.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;

bool is_movable(const Instruction& instruction) {
  const bool renames = instruction.opcode == "cvta" && !instruction.guard;
  return !instruction.guard && !instruction.operands.empty() &&
         instruction.operands[0].kind == ptx::Operand::Kind::kRegister &&
         (reads_launch_size(instruction) || renames || reads_own_parameter(instruction));
}

}  // namespace

void sink_parameters(ptx::Function& function) {
  if (!function.is_entry) {
    return;
  }
  const ptx::FlowGraph graph = ptx::make_flow_graph(function);
  const std::vector<std::uint32_t> above = ptx::immediate_dominators(graph);
  const std::vector<std::uint32_t> depth = ptx::loop_depths(graph, above);
  const RegisterFacts facts(function, graph);
  std::vector<std::vector<std::uint32_t>> readers(function.registers.size());
  for (std::uint32_t i = 0; i < function.body.size(); ++i) {
    ptx::visit_read_registers(function.body[i], [&](std::uint32_t reg) { readers[reg].push_back(i); });
  }
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b && a != ptx::kNoBlock && b != ptx::kNoBlock) {
      std::uint32_t& later = a > b ? a : b;
      later = above[later];
    }
    return a == b ? a : ptx::kNoBlock;
  };
  BodyEditor editor(function);
  std::vector<std::uint32_t> place(function.body.size());  // destination of each instruction
  for (std::uint32_t i = 0; i < place.size(); ++i) {
    place[i] = i;
  }
  // From the last one up, so that the new place of readers that move is known.
  for (std::uint32_t i = static_cast<std::uint32_t>(function.body.size()); i-- > 0;) {
    const Instruction& instruction = function.body[i];
    if (!is_movable(instruction)) {
      continue;
    }
    const std::uint32_t reg = instruction.operands[0].number;
    if (facts.only_write(reg) != i || readers[reg].empty()) {
      continue;
    }
    const bool stays =
        instruction.opcode == "cvta" && (instruction.operands[1].kind != ptx::Operand::Kind::kRegister ||
                                         facts.only_write(instruction.operands[1].number) == RegisterFacts::kNowhere);
    if (stays) {
      continue;
    }
    std::uint32_t block = graph.block_of[place[readers[reg].front()]];
    for (const std::uint32_t reader : readers[reg]) {
      block = meet(block, graph.block_of[place[reader]]);
    }
    while (block != ptx::kNoBlock && depth[block] > depth[graph.block_of[i]]) {
      block = above[block];
    }
    if (block == ptx::kNoBlock || !ptx::dominates(above, graph.block_of[i], block)) {
      continue;
    }
    std::uint32_t target = graph.blocks[block].end - 1;
    if (!ptx::ends_block(function.body[target])) {
      ++target;
    }
    for (const std::uint32_t reader : readers[reg]) {
      if (graph.block_of[place[reader]] == block) {
        target = std::min(target, place[reader]);
      }
    }
    // Instructions after the end of a block belong to the next one.
    const bool same_block = target < function.body.size() && graph.block_of[target] == block;
    if (target > i && same_block) {
      place[i] = target;
    }
  }
  // The order before one instruction stays.
  for (std::uint32_t i = 0; i < place.size(); ++i) {
    if (place[i] != i) {
      editor.insert(place[i], editor.take(i));
    }
  }
  editor.apply();
}

}  // namespace warpsim::codegen
