// The effect of an instruction on the order of observable accesses: fences, strong accesses and their scopes,
// arrivals and waits, copies by other units. Derived from the words of the instruction.
#pragma once

#include "emulator/operations/operation.h"
#include "ptx/module.h"

namespace warpsim {

// Sets memory_role, order and scope; for waits for groups also the offset.
void set_memory_order(const ptx::Instruction& instruction, Operation& operation);

}  // namespace warpsim
