// Atomics in shared memory that hardware does not have become loops of a load and a compare-and-swap.
//
// A round of the loop changes each address for one of the threads that wait for it; the others go round again, like
// those whose address another warp has changed since the load. So the emulator executes the rounds that contention
// needs, and each costs its instructions. Native are 32-bit integers, exchanges, and compare-and-swap. Source: code of
// ptxas 13.0 for 7.5 to 9.0. Not modelled: half precision of single halves, whose loop works on the word; generic
// addresses that are in shared memory.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// `module` has the function's names.
void make_swap_loops(ptx::Module& module, ptx::Function& function);

}  // namespace warpsim::codegen
