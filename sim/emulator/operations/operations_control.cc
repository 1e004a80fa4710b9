// Branches, calls, returns and barriers: changes of a warp's control flow (executed by warp.cc).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/barriers.h"
#include "emulator/execution/external_calls.h"
#include "emulator/execution/warp_context.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::Operand;

std::uint32_t target_of(OperationBuilder& b, std::uint32_t label) {
  return b.function().source().labels[label].instruction;
}

void bind_branch(OperationBuilder& b) {
  b.take("uni");
  if (b.operand(0).kind != Operand::Kind::kLabel) {
    b.fail("expected a label");
  }
  b.operation.control = Control::kBranch;
  b.operation.target = target_of(b, b.operand(0).number);
}

void bind_indexed_branch(OperationBuilder& b) {
  b.take("uni");
  if (!b.take("idx")) {
    b.fail("only brx.idx exists");
  }
  b.operation.control = Control::kIndirectBranch;
  b.operation.a = b.source(0, DataType::kU32);
  if (b.operand(1).kind != Operand::Kind::kBranchTargets) {
    b.fail("expected a table of branch targets");
  }
  const ptx::TargetTable& table = b.function().source().branch_targets[b.operand(1).number];
  FunctionCode& code = b.function().code();
  b.operation.target = static_cast<std::uint32_t>(code.branch_tables.size());
  std::vector<std::uint32_t>& targets = code.branch_tables.emplace_back();
  for (const std::uint32_t label : table.targets) {
    targets.push_back(target_of(b, label));
  }
}

// Arguments and results of a call: variables of the parameter area, registers or numbers.
std::vector<CallSite::Argument> arguments_of(OperationBuilder& b, const Operand& list) {
  std::vector<CallSite::Argument> arguments;
  for (const Operand& operand : list.elements) {
    CallSite::Argument argument;
    if (operand.kind == Operand::Kind::kSymbol && operand.scope == Operand::Scope::kVariables) {
      const ptx::Variable& variable = b.function().source().variables[operand.number];
      argument.bytes = static_cast<std::uint32_t>(variable.bytes());
      argument.here = static_cast<std::uint32_t>(b.function().address_of(operand).address);
    } else if (operand.kind == Operand::Kind::kRegister) {
      const ptx::Register& reg = b.function().source().registers[operand.number];
      argument.in_memory = false;
      argument.bytes = bytes_of(reg.type);
      argument.place = b.source(operand, reg.type);
    } else if (operand.kind == Operand::Kind::kInteger) {
      argument.in_memory = false;
      argument.bytes = 8;
      argument.place = b.constant(operand.bits, 8);
    } else {
      b.fail("expected a parameter variable or a register as argument");
    }
    arguments.push_back(argument);
  }
  return arguments;
}

bool is_function(OperationBuilder& b, const Operand& operand) {
  return operand.kind == Operand::Kind::kSymbol && operand.scope == Operand::Scope::kModule &&
         b.function().symbols().module->module().symbols[operand.number].kind == ptx::Symbol::Kind::kFunction;
}

void bind_call(OperationBuilder& b) {
  b.take("uni");
  CallSite site;
  std::size_t next = 0;
  if (b.operand(0).kind == Operand::Kind::kList) {
    site.results = arguments_of(b, b.operand(0));
    next = 1;
  }
  const Operand& callee = b.operand(next);
  if (next + 1 < b.operands() && b.operand(next + 1).kind == Operand::Kind::kList) {
    site.arguments = arguments_of(b, b.operand(next + 1));
  }
  if (is_function(b, callee)) {
    const ptx::Module& module = b.function().symbols().module->module();
    const std::uint32_t number = module.symbols[callee.number].number;
    if (!module.functions[number].has_body) {
      bind_external_call(b, module.functions[number].name, site);
      return;
    }
    site.function = static_cast<std::int32_t>(number);
    b.operation.control = Control::kCall;
  } else {
    site.callee = b.source(callee, DataType::kU64);
    b.operation.control = Control::kIndirectCall;
  }
  FunctionCode& code = b.function().code();
  b.operation.target = static_cast<std::uint32_t>(code.calls.size());
  code.calls.push_back(std::move(site));
}

void bind_return(OperationBuilder& b) {
  b.take("uni");
  b.operation.control = Control::kReturn;
}

void bind_exit(OperationBuilder& b) {
  b.operation.control = Control::kExit;
}

void trap(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  warp.fault(FaultKind::kTrap, operation, static_cast<std::uint32_t>(std::countr_zero(lanes)), "trap");
}

void bind_trap(OperationBuilder& b) {
  b.operation.control = Control::kTrap;
  b.operation.effect = Effect::kShared;
  b.operation.run = trap;
}

void bind_nothing(OperationBuilder& b) {
  b.operation.run = do_nothing;
}

void bind_sleep(OperationBuilder& b) {
  b.take("u32");
  b.operation.control = Control::kSleep;
  b.operation.a = b.source(0, DataType::kU32);
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kOwn;
  b.operation.run = do_nothing;
}

// The machine holds warps that have to wait for kernels before theirs, and counts the blocks that let others begin.
// Nothing after a wait may be executed before the wait has ended.
void bind_grid_dependence(OperationBuilder& b) {
  if (b.take("wait")) {
    b.operation.effect = Effect::kShared;
    b.operation.reach = EffectReach::kOwn;
  } else if (!b.take("launch_dependents")) {
    b.fail("expected .wait or .launch_dependents");
  }
  b.operation.run = do_nothing;
}

// Redistribution of registers among warps does not change values.
void bind_registers(OperationBuilder& b) {
  if (!b.take("inc") && !b.take("dec")) {
    b.fail("expected .inc or .dec");
  }
  for (const char* const word : {"sync", "aligned", "u32"}) {
    b.take(word);
  }
  b.operation.run = do_nothing;
}

// --- barriers ---

void bind_reduction(OperationBuilder& b, std::size_t barrier) {
  const bool population = b.take("popc");
  BarrierMode mode = BarrierMode::kPopulation;
  if (population) {
    b.take("u32");
    b.operation.d = b.destination(0, DataType::kU32);
  } else {
    mode = b.take("and") ? BarrierMode::kAnd : BarrierMode::kOr;
    if (mode == BarrierMode::kOr && !b.take("or")) {
      b.fail("expected .popc, .and or .or");
    }
    b.take("pred");
    b.operation.d = b.predicate_destination(0);
  }
  b.operation.variant = static_cast<std::uint8_t>(mode);
  b.operation.a = b.source(barrier, DataType::kU32);
  const std::size_t last = b.operands() - 1;
  if (last > barrier + 1) {
    b.operation.b = b.source(barrier + 1, DataType::kU32);
  }
  b.operation.c = b.predicate_source(last);
  b.operation.count = b.negates(last) ? 1 : 0;
}

void bind_cluster_barrier(OperationBuilder& b) {
  b.operation.control = Control::kClusterBarrier;
  b.operation.effect = Effect::kShared;
  const bool arrives = b.take("arrive");
  if (!arrives && !b.take("wait")) {
    b.fail("expected .arrive or .wait");
  }
  b.operation.variant = arrives ? kClusterArrive : kClusterWait;
  for (const char* const word : {"release", "relaxed", "acquire", "aligned"}) {
    b.take(word);
  }
}

void bind_barrier(OperationBuilder& b) {
  b.take("cta");
  if (b.take("cluster")) {
    bind_cluster_barrier(b);
    return;
  }
  if (b.take("warp")) {
    b.take("sync");
    b.operation.control = Control::kWarpSync;
    b.operation.run = do_nothing;
    b.operation.e = b.source(0, DataType::kU32);
    return;
  }
  b.take("aligned");
  b.operation.control = Control::kBlockBarrier;
  b.operation.effect = Effect::kShared;
  if (b.take("red")) {
    bind_reduction(b, 1);
    return;
  }
  const bool arrives = b.take("arrive");
  if (!arrives && !b.take("sync")) {
    b.fail("expected .sync, .arrive or .red");
  }
  b.operation.variant = static_cast<std::uint8_t>(arrives ? BarrierMode::kArrive : BarrierMode::kSync);
  b.operation.a = b.source(0, DataType::kU32);
  if (b.operands() > 1) {
    b.operation.b = b.source(1, DataType::kU32);
  }
}

constexpr auto kControlOperations = std::to_array<OpcodeBinder>({
    {"bar", bind_barrier},
    {"barrier", bind_barrier},
    {"bra", bind_branch},
    {"brkpt", bind_nothing},
    {"brx", bind_indexed_branch},
    {"call", bind_call},
    {"exit", bind_exit},
    {"griddepcontrol", bind_grid_dependence},
    {"nanosleep", bind_sleep},
    {"pmevent", bind_nothing},
    {"ret", bind_return},
    {"setmaxnreg", bind_registers},
    {"trap", bind_trap},
});

}  // namespace

std::span<const OpcodeBinder> control_operations() {
  return kControlOperations;
}

}  // namespace warpsim
