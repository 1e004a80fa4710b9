// Orders the instructions of a function so that its machine code has as many registers as a compiler allots.
//
// Modelled: a compiler orders for latency as long as the number of resident warps does not fall. The number of
// registers is at most the first step of the target (CompileTarget::register_steps) with which some order needs no
// more. Evidence: of 791 kernels that ptxas 13 compiled for 8.0 a quarter has exactly 32, 40, 48, 56 or 64 registers,
// and of those for 7.5 a sixth has 64.
//
// The order is the one for that step. It may need a few registers more here than are allotted, since compilers also
// keep values in uniform registers and compute some again, which is not modelled: Function::allotted_registers is what
// counts.
#pragma once

#include "codegen/compile_target.h"
#include "ptx/module.h"

namespace warpsim::codegen {

void order_for_registers(const ptx::Module& module, ptx::Function& function, const CompileTarget& target);

}  // namespace warpsim::codegen
