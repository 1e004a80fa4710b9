#include "codegen/run_graph.h"

#include <algorithm>
#include <optional>

#include "codegen/register_facts.h"
#include "codegen/result_latency.h"
#include "ptx/flow_graph.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

using ptx::Instruction;

namespace {

constexpr std::uint32_t kToGuard = 13;  // from a comparison to the instruction that it guards

}  // namespace

RunGraph::RunGraph(const ptx::Function& function, const RegisterPressure& pressure, std::uint32_t begin,
                   std::uint32_t end)
    : function_(function), pressure_(pressure), begin_(begin), nodes_(end - begin) {
  for (std::uint32_t i = 0; i < count(); ++i) {
    memory_uses_.push_back(memory_use(at(i)));
  }
  find_places();
  find_dependences();
  find_depths();
}

void RunGraph::find_places() {
  std::vector<std::uint32_t> changes(function_.registers.size(), 0);
  for (std::uint32_t i = 0; i < count(); ++i) {
    places_.push_back(place_of(at(i), changes));
    ptx::visit_written_registers(at(i), [&](std::uint32_t reg) { ++changes[reg]; });
  }
}

// Of loads and stores whose base is a register or a symbol.
RunGraph::AccessedPlace RunGraph::place_of(const Instruction& instruction, const std::vector<std::uint32_t>& changes) {
  using Kind = ptx::Operand::Kind;
  const bool plain = instruction.opcode == "ld" || instruction.opcode == "st";
  const std::optional<ptx::DataType> type =
      plain && !instruction.modifiers.empty() ? ptx::data_type_of(instruction.modifiers.back()) : std::nullopt;
  const auto address = std::ranges::find(instruction.operands, Kind::kAddress, &ptx::Operand::kind);
  if (!type || address == instruction.operands.end()) {
    return {};
  }
  const ptx::Operand& base = address->elements[0];
  if (base.kind != Kind::kRegister && base.kind != Kind::kSymbol) {
    return {};
  }
  AccessedPlace place;
  place.kind = base.kind;
  place.scope = base.scope;
  place.base = base.number;
  place.changes = base.kind == Kind::kRegister ? changes[base.number] : 0;
  place.offset = address->offset + base.offset;
  place.bytes = std::int64_t{ptx::bytes_of(*type)} * (has_word(instruction, "v4")   ? 4
                                                      : has_word(instruction, "v2") ? 2
                                                                                    : 1);
  return place;
}

bool RunGraph::AccessedPlace::is_apart_from(const AccessedPlace& other) const {
  const bool same_base = bytes != 0 && other.bytes != 0 && kind == other.kind && scope == other.scope &&
                         base == other.base && changes == other.changes;
  return same_base && (offset + bytes <= other.offset || other.offset + other.bytes <= offset);
}

void RunGraph::depend(std::uint32_t later, std::uint32_t earlier, std::uint32_t cycles) {
  nodes_[later].before.emplace_back(earlier, cycles);
  ++nodes_[earlier].missing;
}

// Of registers and carries.
void RunGraph::find_dependences() {
  constexpr std::uint32_t kNobody = 0xffffffffU;
  std::vector<std::uint32_t> writer(function_.registers.size(), kNobody);
  std::vector<std::vector<std::uint32_t>> readers(function_.registers.size());
  std::uint32_t last_carry = kNobody;
  for (std::uint32_t i = 0; i < count(); ++i) {
    const Instruction& instruction = at(i);
    ptx::visit_read_registers(instruction, [&](std::uint32_t reg) {
      if (writer[reg] != kNobody && writer[reg] != i) {
        const bool guards = instruction.guard && instruction.guard->predicate == reg;
        depend(i, writer[reg], guards ? kToGuard : latency_of(at(writer[reg])));
      }
      readers[reg].push_back(i);
    });
    for (const std::uint32_t value : pressure_.reads(begin_ + i)) {  // also sources of what is folded into it
      readers[value].push_back(i);
    }
    ptx::visit_written_registers(instruction, [&](std::uint32_t reg) {
      for (const std::uint32_t reader : readers[reg]) {
        if (reader != i) {
          depend(i, reader, 0);
        }
      }
      readers[reg].clear();
      if (writer[reg] != kNobody && writer[reg] != i) {
        depend(i, writer[reg], 1);
      }
      writer[reg] = i;
      if (instruction.guard) {  // keeps the old value for others
        readers[reg].push_back(i);
      }
    });
    if (uses_carry(instruction)) {
      if (last_carry != kNobody) {
        depend(i, last_carry, 4);
      }
      last_carry = i;
    }
  }
  find_effect_dependences();
  find_uniform_dependences(readers);
}

// A uniform value is read just before it is needed, and after the readers of the one before it: ptxas 13.0 uses one
// or two uniform registers in turn where there are many of them.
void RunGraph::find_uniform_dependences(const std::vector<std::vector<std::uint32_t>>& readers) {
  std::vector<std::uint32_t> before;  // values of the last read
  for (std::uint32_t i = 0; i < count(); ++i) {
    std::vector<std::uint32_t> values;
    ptx::visit_written_registers(at(i), [&](std::uint32_t reg) {
      if (pressure_.is_uniform_value(reg)) {
        values.push_back(reg);
      }
    });
    if (values.empty()) {
      continue;
    }
    for (const std::uint32_t value : before) {
      for (const std::uint32_t reader : readers[value]) {
        if (reader < i) {
          depend(i, reader, 0);
        }
      }
    }
    before = std::move(values);
  }
}

// Of effects that others observe: memory, barriers, clocks, the end of the block.
void RunGraph::find_effect_dependences() {
  constexpr std::uint32_t kNobody = 0xffffffffU;
  std::vector<std::uint32_t> loads;  // since the last fence, in order
  std::vector<std::uint32_t> others;
  std::uint32_t last_fence = kNobody;
  for (std::uint32_t i = 0; i < count(); ++i) {
    const bool ends = ptx::ends_block(at(i)) || reads_clock(at(i));
    const MemoryUse use = memory_uses_[i];
    if (ends || use.effect == Effect::kFence) {  // after everything before it
      for (std::uint32_t j = ends || last_fence == kNobody ? 0 : last_fence; j < i; ++j) {
        if (ends || memory_uses_[j].effect != Effect::kNone || j == last_fence) {
          depend(i, j, 0);
        }
      }
      loads.clear();
      others.clear();
      last_fence = i;
      continue;
    }
    const bool held = last_fence != kNobody && (use.effect != Effect::kNone || reads_clock(at(last_fence)));
    if (held) {
      depend(i, last_fence, 1);
    }
    if (use.effect == Effect::kNone) {
      continue;
    }
    const auto follow = [&](const std::vector<std::uint32_t>& earlier) {
      for (const std::uint32_t j : earlier) {
        const MemoryUse other = memory_uses_[j];
        if (use.meets(other) && !places_[i].is_apart_from(places_[j]) &&
            (use.effect == Effect::kStore || other.effect == Effect::kStore)) {
          depend(i, j, 1);
        }
      }
    };
    follow(others);
    if (use.effect == Effect::kLoad) {
      loads.push_back(i);
    } else {
      follow(loads);
      others.push_back(i);
    }
  }
}

void RunGraph::find_depths() {
  for (Node& node : nodes_) {
    for (const auto& [earlier, cycles] : node.before) {
      node.depth = std::max(node.depth, nodes_[earlier].depth + std::max(1U, cycles));
    }
  }
}

}  // namespace warpsim::codegen
