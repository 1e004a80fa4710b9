// The supported opcodes: one table per family, each in its own file (operations_*.cc).
#pragma once

#include <span>
#include <string_view>

#include "emulator/operations/operation_builder.h"

namespace warpsim {

struct OpcodeBinder {
  std::string_view opcode;
  Binder bind;
};

std::span<const OpcodeBinder> arithmetic_operations();
std::span<const OpcodeBinder> asynchronous_operations();
std::span<const OpcodeBinder> atomic_operations();
std::span<const OpcodeBinder> control_operations();
std::span<const OpcodeBinder> data_operations();
std::span<const OpcodeBinder> machine_operations();
std::span<const OpcodeBinder> matrix_move_operations();
std::span<const OpcodeBinder> matrix_operations();
std::span<const OpcodeBinder> memory_operations();
std::span<const OpcodeBinder> policy_operations();
std::span<const OpcodeBinder> stack_operations();
std::span<const OpcodeBinder> surface_operations();
std::span<const OpcodeBinder> texture_operations();
std::span<const OpcodeBinder> warp_operations();
std::span<const OpcodeBinder> warpgroup_operations();

// The rest of machine_operations(), by name; the first two return false for another name.
bool bind_machine_predicates(OperationBuilder& builder, std::string_view name);
bool bind_machine_async_operation(OperationBuilder& builder, std::string_view name);
bool bind_machine_float(OperationBuilder& builder, std::string_view name);
void bind_machine_warp_operation(OperationBuilder& builder, std::string_view name);
void bind_shift_pair(OperationBuilder& builder);
void bind_slow_path_test(OperationBuilder& builder);

// Null if there is no such opcode.
Binder find_binder(std::string_view opcode);

}  // namespace warpsim
