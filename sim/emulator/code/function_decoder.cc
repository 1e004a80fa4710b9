#include "emulator/code/function_decoder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/round_up.h"
#include "emulator/code/control_flow.h"
#include "emulator/code/time_loops.h"
#include "emulator/host_code/host_translation.h"
#include "emulator/operations/operation_table.h"
#include "emulator/races/memory_order.h"
#include "ptx/liveness.h"
#include "ptx/operand_roles.h"
#include "ptx/waiting_loops.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kLaneBlock = 64;  // arrays of lanes begin at multiples, for vector instructions

std::uint32_t register_bytes(const ptx::Register& reg) {
  if (reg.type == ptx::DataType::kPredicate) {
    return sizeof(LaneMask);
  }
  return std::max(4U, bytes_of(reg.type)) * kWarpSize * reg.vector;
}

}  // namespace

namespace {

bool writes_common(const Operation& operation) {
  return (operation.reach == EffectReach::kStore || operation.reach == EffectReach::kUpdate) &&
         (operation.space == ptx::StateSpace::kShared || operation.space == ptx::StateSpace::kGlobal ||
          operation.space == ptx::StateSpace::kGeneric);
}

// Reads of the memory that is written: a copy from one to the other waits for nobody.
void find_writes_after_reads(std::vector<Operation>& operations) {
  struct Reads {
    bool shared = false;
    bool global = false;
  };
  const auto may_be = [](const Operation& operation, ptx::StateSpace space) {
    return operation.space == space || operation.space == ptx::StateSpace::kGeneric;
  };
  Reads reads;
  for (Operation& operation : operations) {
    const bool shared = may_be(operation, ptx::StateSpace::kShared);
    const bool global = may_be(operation, ptx::StateSpace::kGlobal);
    operation.writes_after_read = operation.writes_common && ((shared && reads.shared) || (global && reads.global));
    if (operation.writes_after_read || operation.control != Control::kNone) {
      reads = {};
    } else if (operation.reach == EffectReach::kLoad) {
      reads = {reads.shared || shared, reads.global || global};
    }
  }
}

}  // namespace

FunctionDecoder::FunctionDecoder(const SymbolPlaces& symbols, std::uint32_t function, std::string kernel)
    : symbols_(symbols), number_(function), kernel_(std::move(kernel)), code_(std::make_unique<FunctionCode>()) {
  code_->source = &symbols.module->module().functions[function];
}

std::unique_ptr<FunctionCode> FunctionDecoder::decode() {
  place_registers();
  place_variables();
  const auto count = static_cast<std::uint32_t>(source().body.size());
  code_->operations.reserve(count + 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    decode_instruction(i);
  }
  Operation end;
  end.control = Control::kReturn;
  code_->operations.push_back(end);
  finish_constants();
  if (symbols_.module->module().is_machine_code) {
    code_->has_convergence_barriers = true;
  } else {
    warpsim::find_reconvergence(*code_);
  }
  find_time_loops(*code_);
  const std::vector<bool> waits = ptx::branches_of_waiting_loops(symbols_.module->module(), source());
  std::uint32_t straight = 0;
  for (std::uint32_t i = count; i-- > 0;) {
    Operation& operation = code_->operations[i];
    operation.waits = waits[i];
    operation.plain = operation.guard == kNoPlace && !operation.uniform && !operation.once;
    operation.writes_common = writes_common(operation);
    straight = operation.control == Control::kNone && !operation.writes_common ? straight + 1 : 0;
    operation.straight = straight;
  }
  find_writes_after_reads(code_->operations);
  if (is_entry()) {
    find_restored();
  }
  code_->register_places = std::move(places_);
  code_->translation = std::make_shared<HostTranslation>(*code_);
  return std::move(code_);
}

void FunctionDecoder::place_registers() {
  for (const ptx::Register& reg : source().registers) {
    places_.push_back(scratch(register_bytes(reg) / kWarpSize));
  }
  code_->constant_operations = source().constant_instructions;
}

OperandPlace FunctionDecoder::scratch(std::uint32_t bytes) {
  const auto place = static_cast<OperandPlace>(code_->register_bytes);
  code_->register_bytes += round_up(std::max(1U, bytes) * kWarpSize, kLaneBlock);
  return place;
}

void FunctionDecoder::place_variables() {
  const auto in_area = [this](const ptx::Variable& variable) {
    code_->parameter_bytes = round_up(code_->parameter_bytes, std::max(1U, variable.alignment));
    const std::uint32_t offset = code_->parameter_bytes;
    code_->parameter_bytes += static_cast<std::uint32_t>(variable.bytes());
    return offset;
  };
  const auto add = [&](const std::vector<ptx::Variable>& variables, std::vector<CallSite::Argument>& arguments) {
    for (const ptx::Variable& variable : variables) {
      CallSite::Argument argument;
      argument.bytes = static_cast<std::uint32_t>(variable.bytes());
      argument.in_memory = variable.space != ptx::StateSpace::kRegister;
      const std::size_t number = arguments.size();
      if (argument.in_memory && &arguments == &code_->parameters && number < source().parameter_offsets.size()) {
        argument.here = source().parameter_offsets[number];
        code_->parameter_bytes = std::max(code_->parameter_bytes, argument.here + argument.bytes);
      } else if (argument.in_memory) {
        argument.here = in_area(variable);
      } else {
        const auto reg = std::ranges::find(source().registers, variable.name, &ptx::Register::name);
        SIM_CHECK(reg != source().registers.end(), "a parameter in an unknown register");
        argument.place = places_[static_cast<std::size_t>(reg - source().registers.begin())];
      }
      parameter_offsets_.push_back(argument.here);
      arguments.push_back(argument);
    }
  };
  add(source().parameters, code_->parameters);
  add(source().returns, code_->results);
  if (is_entry()) {
    code_->parameter_bytes = 0;  // those of a kernel are in the launch's buffer
  }
  for (const ptx::Variable& variable : source().variables) {
    std::uint32_t offset = 0;
    if (variable.space == ptx::StateSpace::kLocal) {
      code_->local_bytes = round_up(code_->local_bytes, std::max(1U, variable.alignment));
      offset = code_->local_bytes;
      code_->local_bytes += static_cast<std::uint32_t>(variable.bytes());
    } else if (variable.space == ptx::StateSpace::kParameter) {
      offset = in_area(variable);
    }
    variable_offsets_.push_back(offset);
  }
  constexpr std::uint32_t kStackAlignment = 16;
  code_->local_bytes = round_up(code_->local_bytes, kStackAlignment);
}

void FunctionDecoder::decode_instruction(std::uint32_t number) {
  const ptx::Instruction& instruction = source().body[number];
  OperationBuilder builder(*this, instruction);
  builder.operation.line = instruction.place.line;
  builder.operation.uniform = instruction.uniform;
  builder.operation.once = instruction.once;
  const Binder bind = find_binder(instruction.opcode);
  if (bind == nullptr) {
    builder.fail("there is no such instruction");
  }
  if (instruction.guard) {
    builder.operation.guard = places_[instruction.guard->predicate];
    builder.operation.guard_negated = instruction.guard->negated;
  }
  bind(builder);
  builder.finish();
  set_memory_order(instruction, builder.operation);
  code_->operations.push_back(builder.operation);
}

OperandPlace FunctionDecoder::constant(std::uint64_t bits, std::uint32_t bytes) {
  const auto [found, added] = constants_.try_emplace({bits, bytes}, 0);
  if (added) {
    constant_bytes_ += round_up(std::max(4U, bytes) * kWarpSize, kLaneBlock);
    found->second = constant_bytes_;
    constant_values_.emplace_back(bits, bytes);
  }
  return -static_cast<OperandPlace>(found->second);
}

void FunctionDecoder::finish_constants() {
  code_->constants.resize(constant_bytes_);
  for (const auto& [bits, bytes] : constant_values_) {
    const std::uint32_t lane_bytes = std::max(4U, bytes);
    std::byte* const begin = code_->constants.data() + (constant_bytes_ - constants_.at({bits, bytes}));
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      std::memcpy(begin + std::size_t{lane} * lane_bytes, &bits, std::min(8U, lane_bytes));
    }
  }
}

void FunctionDecoder::find_restored() {
  std::vector<FunctionCode::Area>& areas = code_->restored;
  const auto restore = [&areas](OperandPlace begin, std::uint32_t bytes) {
    if (!areas.empty()) {
      const std::uint32_t distance = static_cast<std::uint32_t>(begin - areas.back().begin) - areas.back().bytes;
      if (distance < kLaneBlock) {
        areas.back().bytes += distance + bytes;
        return;
      }
    }
    areas.push_back({begin, bytes});
  };
  const std::vector<ptx::Instruction>& body = source().body;
  // Returns of machine code may lead anywhere, so that little is known about its registers.
  if (symbols_.module->module().is_machine_code &&
      std::ranges::find(body, "brx", &ptx::Instruction::opcode) != body.end()) {
    restore(0, static_cast<std::uint32_t>(code_->frame_bytes()));
    return;
  }
  const std::size_t count = source().registers.size();
  ptx::RegisterSet constant(count);
  ptx::RegisterSet changed(count);
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    ptx::visit_written_registers(
        body[i], [&](std::uint32_t reg) { (i < source().constant_instructions ? constant : changed).add(reg); });
  }
  const ptx::RegisterSet needed = ptx::read_before_written(source());
  for (std::uint32_t i = 0; i < count; ++i) {
    const ptx::Register& reg = source().registers[i];
    // Vectors may be written in parts. Predicates are also the state of convergence barriers, and are small.
    const bool is_needed = needed.contains(i) || constant.contains(i) || reg.vector > 1;
    if ((is_needed && changed.contains(i)) || reg.type == ptx::DataType::kPredicate) {
      restore(places_[i], register_bytes(reg));
    }
  }
  if (condition_code_ != kNoPlace) {
    restore(condition_code_, sizeof(LaneMask));
  }
  if (code_->parameter_bytes != 0) {
    restore(static_cast<OperandPlace>(code_->register_bytes), code_->parameter_bytes * std::uint32_t{kWarpSize});
  }
}

OperandPlace FunctionDecoder::condition_code() {
  if (condition_code_ == kNoPlace) {
    condition_code_ = scratch(sizeof(LaneMask));
  }
  return condition_code_;
}

OperandPlace FunctionDecoder::special(SpecialRegister which, std::uint8_t component, bool wide) {
  for (const FunctionCode::Special& special : code_->specials) {
    if (special.which == which && special.component == component && special.wide == wide) {
      return special.place;
    }
  }
  const OperandPlace place = scratch(wide ? 8 : 4);
  code_->specials.push_back({which, component, place, wide});
  return place;
}

FunctionDecoder::SymbolAddress FunctionDecoder::address_of(const ptx::Operand& symbol) const {
  using Scope = ptx::Operand::Scope;
  using ptx::StateSpace;
  const ModuleImage& module = *symbols_.module;
  const auto offset = static_cast<std::uint64_t>(symbol.offset);
  switch (symbol.scope) {
    case Scope::kParameters:
      return {StateSpace::kParameter, parameter_offsets_[symbol.number] + offset, !is_entry()};
    case Scope::kReturns:
      return {StateSpace::kParameter, parameter_offsets_[source().parameters.size() + symbol.number] + offset, true};
    case Scope::kVariables: {
      const ptx::Variable& variable = source().variables[symbol.number];
      if (variable.space == StateSpace::kShared) {
        return {variable.space, symbols_.own_shared[number_][symbol.number] + offset, false};
      }
      if (variable.space == StateSpace::kLocal || variable.space == StateSpace::kParameter) {
        return {variable.space, variable_offsets_[symbol.number] + offset, true};
      }
      return {variable.space, module.address_of(number_, symbol.number) + offset, false};
    }
    case Scope::kModule:
      break;
  }
  const ptx::Symbol& global = module.module().symbols[symbol.number];
  if (global.kind == ptx::Symbol::Kind::kFunction) {
    return {StateSpace::kGeneric, module.function_address(global.number) + offset, false};
  }
  const ptx::Variable& variable = module.module().variables[global.number];
  if (variable.space == StateSpace::kShared) {
    return {variable.space, symbols_.shared[global.number] + offset, false};
  }
  return {variable.space, module.address_of(global.number) + offset, false};
}

}  // namespace warpsim
