// Puts the instructions of each block in the order in which a compiler would have them issue: long latencies early, as
// far as the registers last; results as late as those that need them allow.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// Results stay the same: what depends on another instruction stays after it, stores and atomics keep their order among
// themselves and to loads that may see them, nothing passes barriers, fences, calls or clocks.
void order_instructions(const ptx::Module& module, ptx::Function& function);

}  // namespace warpsim::codegen
