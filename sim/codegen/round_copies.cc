#include "codegen/round_copies.h"

#include <algorithm>

#include "codegen/body_editor.h"
#include "codegen/counted_loop.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

using ptx::Instruction;
using ptx::Operand;

Instruction RoundCopies::copy(std::uint32_t index, bool is_last) {
  Instruction copy = copy_of(function_.body[index]);
  rename_reads(copy, [&](std::uint32_t reg) {
    const auto known = std::ranges::find(names_, reg, &std::pair<std::uint32_t, std::uint32_t>::first);
    return known == names_.end() ? reg : known->second;
  });
  bool has_result = false;
  ptx::visit_written_registers(copy, [&](std::uint32_t) { has_result = true; });
  if (has_result) {
    rename_writes(copy.operands[0], index, is_last);
  }
  return copy;
}

// Read by the loop's next round, or after the loop.
bool RoundCopies::is_needed_behind(std::uint32_t block, std::uint32_t reg) const {
  return std::ranges::any_of(graph_.blocks[block].successors,
                             [&](std::uint32_t next) { return is_live_at(next, reg); });
}

void RoundCopies::rename_writes(Operand& operand, std::uint32_t index, bool is_last) {
  if (operand.kind == Operand::Kind::kRegister) {
    const std::uint32_t reg = operand.number;
    forget(reg);
    const bool once =
        writer_in(function_, graph_.blocks[graph_.block_of[index]], reg) == index && operand.component < 0;
    const bool stays = is_last && is_needed_behind(graph_.block_of[index], reg);
    if (once && !stays) {
      operand.number = add_register(module_, function_, "%unrolled", function_.registers[reg].type);
      function_.registers.back().vector = function_.registers[reg].vector;
      names_.emplace_back(reg, operand.number);
    }
  }
  for (Operand& element : operand.elements) {
    rename_writes(element, index, is_last);
  }
  if (operand.second != nullptr) {
    rename_writes(*operand.second, index, is_last);
  }
}

}  // namespace warpsim::codegen
