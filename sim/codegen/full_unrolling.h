// Loops of one block that always run the same few rounds are replaced by these rounds, in which the counter and what
// follows from it are numbers.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// New registers are named by `module`.
void unroll_completely(ptx::Module& module, ptx::Function& function);

}  // namespace warpsim::codegen
