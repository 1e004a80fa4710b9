#include "codegen/code_generator.h"

#include <algorithm>

#include "codegen/access_merging.h"
#include "codegen/branch_conversion.h"
#include "codegen/constant_places.h"
#include "codegen/full_unrolling.h"
#include "codegen/function_selector.h"
#include "codegen/loop_unrolling.h"
#include "codegen/machine_order.h"
#include "codegen/offset_folding.h"
#include "codegen/parameter_sinking.h"
#include "codegen/predicate_folding.h"
#include "codegen/program_writer.h"
#include "codegen/register_assignment.h"
#include "codegen/register_budget.h"
#include "codegen/slow_paths.h"
#include "codegen/swap_loops.h"

namespace warpsim {

namespace {

using ptx::Operand;

// The kernel, and every function whose name one of these contains.
std::vector<std::uint32_t> reachable(const ptx::Module& module, std::uint32_t entry) {
  std::vector<std::uint32_t> found{entry};
  const auto see_symbol = [&](std::uint32_t number) {
    const ptx::Symbol& symbol = module.symbols[number];
    if (symbol.kind != ptx::Symbol::Kind::kFunction) {
      return;
    }
    const ptx::Function& function = module.functions[symbol.number];
    // Other kernels are launched, not called.
    if (function.has_body && !function.is_entry && std::ranges::find(found, symbol.number) == found.end()) {
      found.push_back(symbol.number);
    }
  };
  const auto see = [&](const Operand& operand, auto&& self) -> void {
    if (operand.kind == Operand::Kind::kSymbol && operand.scope == Operand::Scope::kModule) {
      see_symbol(operand.number);
    }
    std::ranges::for_each(operand.elements, [&](const Operand& element) { self(element, self); });
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    const ptx::Function& function = module.functions[found[i]];
    for (const ptx::Instruction& instruction : function.body) {
      std::ranges::for_each(instruction.operands, [&](const Operand& operand) { see(operand, see); });
    }
    for (const ptx::TargetTable& table : function.call_targets) {
      std::ranges::for_each(table.targets, see_symbol);
    }
  }
  // Variables may also contain pointers to functions.
  for (const ptx::Variable& variable : module.variables) {
    for (const ptx::InitialValue& value : variable.initial) {
      if (value.symbol >= 0) {
        see_symbol(static_cast<std::uint32_t>(value.symbol));
      }
    }
  }
  return found;
}

// Older architectures get code for this one, to be lowered.
std::uint32_t native_architecture(std::uint32_t architecture) {
  constexpr std::uint32_t kOldest = 75;
  return std::max(architecture, kOldest);
}

}  // namespace

void prepare_for_machine(ptx::Module& module) {
  codegen::align_near_variables(module);
}

void optimise_for_machine(ptx::Module& module, std::uint32_t entry, const codegen::CompileTarget& target) {
  codegen::CompileTarget native = target;
  native.architecture = native_architecture(target.architecture);
  for (const std::uint32_t number : reachable(module, entry)) {
    ptx::Function& function = module.functions[number];
    if (!function.has_body || function.is_optimised) {
      continue;
    }
    function.is_optimised = true;
    codegen::fold_predicates(function);
    codegen::convert_branches(function);
    codegen::unroll_completely(module, function);
    codegen::unroll_loops(module, function);
    codegen::make_swap_loops(module, function);
    codegen::copy_places(module, function);
    codegen::fold_offsets(function);
    codegen::remove_unread(function);
    codegen::split_slow_paths(module, function);
    codegen::merge_accesses(module, function, codegen::reads_constants_by_address(native.architecture));
    codegen::sink_parameters(module, function);
    codegen::order_for_registers(module, function, native);
  }
}

MachineCode generate_code(const ptx::Module& module, std::uint32_t entry, const codegen::CompileTarget& target) {
  constexpr std::uint32_t kLeastRegisters = 16;
  const std::uint32_t native = native_architecture(target.architecture);
  codegen::ProgramWriter writer(std::string(module.functions[entry].name), native);
  MachineCode result;
  result.places.resize(module.functions.size());
  result.registers_per_thread = kLeastRegisters;
  for (const std::uint32_t number : reachable(module, entry)) {
    const ptx::Function& function = module.functions[number];
    const ptx::FlowGraph graph = ptx::make_flow_graph(function);
    codegen::SelectedFunction selected = codegen::FunctionSelector(module, function, native).select();
    codegen::order_machine_instructions(function, graph, native, selected);
    const codegen::AssignedRegisters registers = codegen::assign_registers(graph, selected, target.register_steps);
    result.places[number] = writer.write(selected, registers);
    writer.add_sources(module, function, selected);
    result.for_all.insert(result.for_all.end(), selected.for_all.begin(), selected.for_all.end());
    const std::uint32_t needed =
        function.allotted_registers == 0 ? registers.general : std::min(registers.general, function.allotted_registers);
    result.registers_per_thread = std::max(result.registers_per_thread, needed);
  }
  result.program = writer.finish();
  return result;
}

}  // namespace warpsim
