// The machine code of a cubin's kernel for timing: its own instructions with the compiler's control bits, where PTX
// needs generated ones.
#pragma once

#include "codegen/machine_code.h"
#include "emulator/code/kernel_image.h"

namespace warpsim {

// `kernel` is one of a module that was lifted from machine code (emulator/machine_code/lifted_module.h). Each machine
// instruction is placed at the operation that others can observe, or at its first one; the other operations of the
// instruction have no place. Throws std::invalid_argument if an instruction's text cannot be read.
MachineCode machine_code_of(const KernelImage& kernel);

}  // namespace warpsim
