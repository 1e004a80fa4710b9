// What an instruction means to the order of accesses that others see: fences, strong accesses and their scopes,
// arrivals and waits, copies that somebody else makes. Read off the words of the instruction.
#pragma once

#include "emulator/operation.h"
#include "ptx/module.h"

namespace warpsim {

// Sets memory_role, order and scope; of waits for groups also the offset.
void set_memory_order(const ptx::Instruction& instruction, Operation& operation);

}  // namespace warpsim
