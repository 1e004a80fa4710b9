// Counted loops are unrolled: several rounds without tests as long as that many are left, then the loop as it was.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// Loops of one block whose counter goes by a constant to a bound that does not change in the loop. New registers are
// named out of `module`.
void unroll_loops(ptx::Module& module, ptx::Function& function);

}  // namespace warpsim::codegen
