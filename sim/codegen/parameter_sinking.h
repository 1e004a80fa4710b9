// Reads of parameters move to the place where their values are needed, as in compilers.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// From the beginning of a kernel to the last block before all readers, but not into loops.
void sink_parameters(ptx::Function& function);

}  // namespace warpsim::codegen
