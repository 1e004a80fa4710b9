// Divisions and roots as compilers generate them: a fast path, a test of the operands, and a branch to a function for
// operands that need it.
//
// The branch ends a basic block, so that no instruction moves across a division; threads take the function if their
// operands need it. Modelled are quotients, reciprocals and roots of single and double precision that are rounded as
// IEEE 754 requires, and quotients of 64-bit integers. Source: code of ptxas 13.0 for 7.5 to 9.0. Instructions under a
// guard stay whole, and so do those that overwrite an operand which the function would read after the fast path.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// `module` has the function's names.
void split_slow_paths(ptx::Module& module, ptx::Function& function);

}  // namespace warpsim::codegen
