#include "codegen/register_pressure.h"

#include <algorithm>

#include "codegen/constant_places.h"
#include "ptx/liveness.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

using ptx::Instruction;
using ptx::Operand;

RegisterPressure::RegisterPressure(const ptx::Function& function, const ptx::FlowGraph& graph,
                                   std::uint32_t architecture)
    : function_(function),
      graph_(graph),
      facts_(function, graph, architecture),
      uniform_(function, graph, facts_, architecture),
      words_(function.registers.size(), 0),
      is_predicate_(function.registers.size(), false),
      reads_(function.body.size()),
      writes_(function.body.size()) {
  find_words();
  find_uses();
  find_live();
}

void RegisterPressure::find_words() {
  constexpr std::uint32_t kBytes = 4;
  for (std::uint32_t reg = 0; reg < words_.size(); ++reg) {
    const ptx::Register& known = function_.registers[reg];
    const bool is_own = facts_.name_for(reg).reg == reg && facts_.constant(reg) == nullptr;
    if (!is_own) {
      continue;
    }
    const std::uint32_t at = facts_.only_write(reg);
    const bool is_folded = at != RegisterFacts::kNowhere && facts_.is_folded(at);
    if (known.type == ptx::DataType::kPredicate) {
      is_predicate_[reg] = !is_folded;
      continue;
    }
    const bool is_place = at != RegisterFacts::kNowhere && function_.body[at].opcode == "mov" &&
                          function_.body[at].operands.size() == 2 &&
                          function_.body[at].operands[1].kind == Operand::Kind::kSymbol;
    if (!is_folded && !is_place && !facts_.is_kept_constant(reg) && !uniform_.is_uniform(reg)) {
      words_[reg] = uniform_.is_offset(reg) ? 1 : std::max(1U, ptx::bytes_of(known.type) / kBytes) * known.vector;
    }
  }
}

// The values that the machine instruction of `instruction` needs: also those of results that are folded into it.
void RegisterPressure::add_reads(const Instruction& instruction, std::vector<std::uint32_t>& into,
                                 std::uint32_t depth) const {
  constexpr std::uint32_t kDeepest = 2;  // steps in one machine instruction
  ptx::visit_read_registers(instruction, [&](std::uint32_t reg) {
    const std::uint32_t value = facts_.name_for(reg).reg;
    const std::uint32_t at = facts_.only_write(value);
    if (at != RegisterFacts::kNowhere && facts_.is_folded(at) && depth < kDeepest) {
      add_reads(function_.body[at], into, depth + 1);
    } else if (is_counted(value) && std::ranges::find(into, value) == into.end()) {
      into.push_back(value);
    }
  });
}

void RegisterPressure::find_uses() {
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    if (facts_.is_folded(i)) {
      continue;
    }
    add_reads(function_.body[i], reads_[i], 0);
    ptx::visit_written_registers(function_.body[i], [&](std::uint32_t reg) {
      if (is_counted(reg) && std::ranges::find(writes_[i], reg) == writes_[i].end()) {
        writes_[i].push_back(reg);
      }
    });
  }
}

ptx::RegisterSet RegisterPressure::live_out(std::uint32_t block) const {
  ptx::RegisterSet live(words_.size());
  for (const std::uint32_t next : graph_.blocks[block].successors) {
    live.merge(live_in_[next]);
  }
  return live;
}

void RegisterPressure::find_live() {
  live_in_.assign(graph_.count(), ptx::RegisterSet(words_.size()));
  const std::vector<bool> of_one_guard = ptx::registers_of_one_guard(function_);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t block = graph_.count(); block-- > 0;) {
      ptx::RegisterSet live = live_out(block);
      for (std::uint32_t i = graph_.blocks[block].end; i-- > graph_.blocks[block].begin;) {
        for (const std::uint32_t value : writes_[i]) {
          if (!function_.body[i].guard || of_one_guard[value] || facts_.only_write(value) == i) {
            live.remove(value);
          }
        }
        for (const std::uint32_t value : reads_[i]) {
          live.add(value);
        }
      }
      changed = live_in_[block].merge(live) || changed;
    }
  }
}

std::uint32_t RegisterPressure::words_of(const ptx::RegisterSet& values) const {
  std::uint32_t sum = 0;
  values.each([&](std::uint32_t value) { sum += words_[value]; });
  return sum;
}

std::uint32_t RegisterPressure::predicates_of(const ptx::RegisterSet& values) const {
  std::uint32_t sum = 0;
  values.each([&](std::uint32_t value) { sum += is_predicate_[value] ? 1 : 0; });
  return sum;
}

}  // namespace warpsim::codegen
