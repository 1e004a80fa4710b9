// Generates machine code from PTX, for timing.
#pragma once

#include <cstdint>

#include "codegen/compile_target.h"
#include "codegen/machine_code.h"
#include "ptx/module.h"

namespace warpsim {

// Aligns variables as a compiler would: before the module's variables are placed in memory.
void prepare_for_machine(ptx::Module& module);

// Transformations of a compiler before instruction selection, in place, of the kernel `entry` (number of the function
// in the module) and of every function that it can reach, unless that was done before: before the kernel is decoded.
// Short branches become guards, instructions are put in the order in which they would issue. Results stay the same.
void optimise_for_machine(ptx::Module& module, std::uint32_t entry, const codegen::CompileTarget& target = {});

// Machine code of the kernel `entry` and of every function that it can reach,
// for the target. Architectures before 75 get code for 75, to be lowered by frontend/lowering/lowered_kernel.h; the
// program states its architecture.
MachineCode generate_code(const ptx::Module& module, std::uint32_t entry, const codegen::CompileTarget& target = {});

}  // namespace warpsim
