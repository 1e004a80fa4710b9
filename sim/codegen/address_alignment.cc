#include "codegen/address_alignment.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "codegen/constant_places.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

using ptx::Instruction;
using ptx::Operand;

namespace {

constexpr std::uint32_t kDeepest = 12;  // maximum of definitions that are followed

std::uint32_t alignment_of_number(std::uint64_t bits) {
  constexpr std::uint32_t kMost = AddressAlignment::kMost;
  return bits == 0 ? kMost : std::min<std::uint32_t>(kMost, std::uint32_t{1} << std::min(std::countr_zero(bits), 8));
}

// Bytes of an access to global memory; 0: it is none, or not executed by all threads.
std::uint32_t bytes_of_access(const Instruction& access) {
  if ((access.opcode != "ld" && access.opcode != "st") || access.guard || !has_word(access, "global")) {
    return 0;
  }
  const auto type = ptx::data_type_of(access.modifiers.back());
  const std::uint32_t elements = has_word(access, "v4") ? 4 : has_word(access, "v2") ? 2 : 1;
  return type ? ptx::bytes_of(*type) * elements : 0;
}

}  // namespace

const ptx::Variable* near_variable(const ptx::Module& module, const ptx::Function& function, const Operand& operand) {
  if (operand.kind != Operand::Kind::kSymbol) {
    return nullptr;
  }
  const ptx::Variable* variable = nullptr;
  if (operand.scope == Operand::Scope::kVariables) {
    variable = &function.variables[operand.number];
  } else if (operand.scope == Operand::Scope::kModule &&
             module.symbols[operand.number].kind == ptx::Symbol::Kind::kVariable) {
    variable = &module.variables[module.symbols[operand.number].number];
  }
  const bool is_near = variable != nullptr &&
                       (variable->space == ptx::StateSpace::kShared || variable->space == ptx::StateSpace::kConstant);
  return is_near ? variable : nullptr;
}

AddressAlignment::AddressAlignment(const ptx::Module& module, const ptx::Function& function,
                                   const ptx::FlowGraph& graph, const RegisterFacts& facts)
    : module_(module),
      function_(function),
      graph_(graph),
      facts_(facts),
      dominators_(ptx::immediate_dominators(graph)),
      writers_(function.registers.size()) {
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    ptx::visit_written_registers(function_.body[i], [&](std::uint32_t reg) { writers_[reg].push_back(i); });
  }
  find_demands();
}

void AddressAlignment::find_demands() {
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    const std::uint32_t bytes = std::min(kMost, bytes_of_access(function_.body[i]));
    if (bytes == 0) {
      continue;
    }
    const Operand& place = function_.body[i].operands[function_.body[i].opcode == "ld" ? 1 : 0];
    const Operand& base = place.elements[0];
    const bool is_multiple = static_cast<std::uint64_t>(place.offset + base.offset) % bytes == 0;
    if (base.kind == Operand::Kind::kRegister && is_multiple && facts_.only_write(base.number) < i) {
      demands_[base.number].push_back({bytes, i});
    }
  }
}

// `is_address`: of an access in the same block, which may also come before the one that demands.
std::uint32_t AddressAlignment::demanded(std::uint32_t reg, std::uint32_t at, bool is_address) const {
  const auto known = demands_.find(reg);
  if (known == demands_.end()) {
    return 1;
  }
  std::uint32_t most = 1;
  for (const Demand& demand : known->second) {
    const std::uint32_t block = graph_.block_of[demand.instruction];
    const bool holds = block == graph_.block_of[at] ? is_address || demand.instruction < at
                                                    : ptx::dominates(dominators_, block, graph_.block_of[at]);
    most = holds ? std::max(most, demand.bytes) : most;
  }
  return most;
}

void AddressAlignment::learn_loop_base(std::uint32_t reg, std::uint32_t most) {
  if (loop_bases_.contains(reg)) {
    return;
  }
  std::uint32_t least = writers_[reg].empty() ? 1 : most;
  loop_bases_[reg] = least;  // until a step is known to have less
  for (const std::uint32_t writer : writers_[reg]) {
    const Instruction& step = function_.body[writer];
    const bool is_whole = step.operands[0].kind == Operand::Kind::kRegister;
    least = std::min(least, is_whole ? of_result(step, writer, 0) : 1);
  }
  loop_bases_[reg] = least;
}

std::uint32_t AddressAlignment::of(const Operand& operand, std::uint32_t at, std::uint32_t depth) const {
  if (operand.kind == Operand::Kind::kInteger) {
    return alignment_of_number(operand.bits);
  }
  if (const ptx::Variable* const variable = near_variable(module_, function_, operand)) {
    return std::min(std::min(variable->alignment, kMost),
                    alignment_of_number(static_cast<std::uint64_t>(operand.offset)));
  }
  if (operand.kind == Operand::Kind::kSymbol && operand.scope == Operand::Scope::kParameters) {
    return std::min(alignment_of_number(parameter_offset(function_, operand.number)),
                    alignment_of_number(static_cast<std::uint64_t>(operand.offset)));
  }
  if (operand.kind != Operand::Kind::kRegister || depth == kDeepest) {
    return 1;
  }
  if (const auto known = loop_bases_.find(operand.number); known != loop_bases_.end()) {
    return known->second;
  }
  const std::uint32_t made_at = facts_.only_write(operand.number);
  if (made_at == RegisterFacts::kNowhere) {
    return 1;
  }
  return std::max(demanded(operand.number, at, depth == 0), of_result(function_.body[made_at], made_at, depth + 1));
}

std::uint32_t AddressAlignment::of_result(const Instruction& made, std::uint32_t at, std::uint32_t depth) const {
  const auto source = [&](std::size_t i) { return of(made.operands[i], at, std::max(1U, depth)); };
  const std::string_view opcode = made.opcode;
  if (opcode == "mov" || opcode == "cvta" || opcode == "cvt") {
    return made.operands[1].kind == Operand::Kind::kVector ? 1 : source(1);
  }
  if (opcode == "add" || opcode == "sub" || opcode == "or" || opcode == "xor") {
    return std::min(source(1), source(2));
  }
  if (opcode == "and") {
    return std::max(source(1), source(2));
  }
  if (opcode == "shl" && made.operands[2].kind == Operand::Kind::kInteger) {
    return std::min(kMost, source(1) << std::min<std::uint64_t>(made.operands[2].bits, 8));
  }
  if (opcode == "mul" && (has_word(made, "lo") || has_word(made, "wide"))) {
    return std::min(kMost, source(1) * source(2));
  }
  if (opcode == "mad" && (has_word(made, "lo") || has_word(made, "wide"))) {
    return std::min(std::min(kMost, source(1) * source(2)), source(3));
  }
  return 1;
}

}  // namespace warpsim::codegen
