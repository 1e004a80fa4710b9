// Counted loops are unrolled: several iterations without tests while enough are left, then the original loop.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// Loops of one block whose counter advances by a constant to a bound that the loop does not change. New registers are
// named by `module`.
void unroll_loops(ptx::Module& module, ptx::Function& function);

}  // namespace warpsim::codegen
