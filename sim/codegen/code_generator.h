// Generates machine code from PTX, for timing.
#pragma once

#include <cstdint>

#include "codegen/compile_target.h"
#include "codegen/machine_code.h"
#include "ptx/module.h"

namespace warpsim {

// Transformations of a compiler before instruction selection, in place and once, before the module is executed: short
// branches become guards, instructions are put in the order in which they would issue. Results stay the same.
void optimise_for_machine(ptx::Module& module, const codegen::CompileTarget& target = {});

// Machine code of the kernel `entry` (number of the function in the module) and of every function that it can reach,
// for SASS architecture `architecture` (90 for 9.0). Architectures before 75 get code for 75, to be lowered by
// frontend/lowering/lowered_kernel.h; the program states its architecture.
MachineCode generate_code(const ptx::Module& module, std::uint32_t entry, std::uint32_t architecture);

}  // namespace warpsim
