#include "support/ptx_invariants.h"

#include <bit>
#include <stdexcept>
#include <string>

namespace warpsim::ptx {
namespace {

using Kind = Operand::Kind;

void need(bool holds, const char* what) {
  if (!holds) {
    throw std::logic_error(what);
  }
}

void check_variable(const Module& module, const Variable& variable) {
  need(!variable.name.empty(), "a variable has a name");
  need(variable.type != DataType::kNone, "a variable has a type");
  need(std::has_single_bit(variable.alignment), "an alignment is a power of two");
  need(variable.elements <= (std::uint64_t{1} << 40), "an array is no larger than the limit");
  need(variable.initial.size() <= variable.elements * variable.vector, "no more initial values than elements");
  for (const InitialValue& value : variable.initial) {
    need(value.symbol < static_cast<std::int64_t>(module.symbols.size()), "an initial value names a symbol");
    need(value.byte_of_mask <= 8, "an address has eight bytes");
  }
}

std::size_t numbers_of(const Module& module, const Function& function, const Operand& operand) {
  switch (operand.kind) {
    case Kind::kRegister:
      return function.registers.size();
    case Kind::kLabel:
      return function.labels.size();
    case Kind::kBranchTargets:
      return function.branch_targets.size();
    case Kind::kCallTargets:
      return function.call_targets.size();
    case Kind::kPrototype:
      return function.prototypes.size();
    case Kind::kSymbol:
      break;
    default:
      return 1;
  }
  switch (operand.scope) {
    case Operand::Scope::kVariables:
      return function.variables.size();
    case Operand::Scope::kParameters:
      return function.parameters.size();
    case Operand::Scope::kReturns:
      return function.returns.size();
    default:
      return module.symbols.size();
  }
}

void check_operand(const Module& module, const Function& function, const Operand& operand) {
  need(operand.number < numbers_of(module, function, operand), "an operand's number is one of what it numbers");
  need(operand.component >= -1 && operand.component < 4, "a component is one of four");
  need(operand.kind != Kind::kAddress || !operand.elements.empty(), "an address has a base");
  need(operand.place.line > 0 && operand.place.column > 0, "an operand has a place");
  for (const Operand& element : operand.elements) {
    check_operand(module, function, element);
  }
  if (operand.second != nullptr) {
    check_operand(module, function, *operand.second);
  }
}

void check_function(const Module& module, const Function& function) {
  need(function.has_body || function.body.empty(), "a declaration has no instructions");
  need(function.alias_of < static_cast<std::int64_t>(module.functions.size()), "an alias stands for a function");
  for (const auto* variables : {&function.returns, &function.parameters, &function.variables}) {
    for (const Variable& variable : *variables) {
      check_variable(module, variable);
    }
  }
  for (const Label& label : function.labels) {
    need(label.instruction <= function.body.size(), "a label stands before an instruction or at the end");
  }
  for (const TargetTable& table : function.branch_targets) {
    for (const std::uint32_t target : table.targets) {
      need(target < function.labels.size(), "a table of branches names labels");
    }
  }
  for (const TargetTable& table : function.call_targets) {
    for (const std::uint32_t target : table.targets) {
      need(target < module.symbols.size(), "a table of calls names symbols");
    }
  }
  for (const Instruction& instruction : function.body) {
    need(!instruction.opcode.empty(), "an instruction has an opcode");
    need(!instruction.guard || instruction.guard->predicate < function.registers.size(), "a guard is a register");
    need(instruction.source_file <= module.files.size(), "a source file is one of the module's");
    for (const Operand& operand : instruction.operands) {
      check_operand(module, function, operand);
    }
  }
}

}  // namespace

void check_invariants(const Module& module) {
  need(module.version >= 10 && module.target >= 10, "a module has a version and a target");
  for (const Variable& variable : module.variables) {
    check_variable(module, variable);
  }
  for (const Symbol& symbol : module.symbols) {
    need(symbol.number < (symbol.kind == Symbol::Kind::kVariable ? module.variables.size() : module.functions.size()),
         "a symbol is a variable or a function");
  }
  for (const Function& function : module.functions) {
    check_function(module, function);
  }
}

}  // namespace warpsim::ptx
