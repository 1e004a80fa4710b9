// Orders the instructions of each basic block as a compiler would: long latencies early, as far as registers allow;
// other results as late as their readers allow.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// Results stay the same: dependents of an instruction stay after it, stores and atomics keep their order among
// themselves and to loads that may read them, no instruction passes barriers, fences, calls or clocks.
void order_instructions(const ptx::Module& module, ptx::Function& function);

}  // namespace warpsim::codegen
