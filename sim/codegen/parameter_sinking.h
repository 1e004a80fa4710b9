// Reads of parameters move to the place where their values are needed, as in compilers.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// Out of the beginning of a kernel, down to the block that all readers lie after, but into no loop.
void sink_parameters(ptx::Function& function);

}  // namespace warpsim::codegen
