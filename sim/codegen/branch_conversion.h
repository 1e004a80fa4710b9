// Short branches become guards, as compilers do where the branch would cost more than what it skips.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// A kernel's branch to its end becomes a guarded exit. What a branch forward skips is guarded instead, if it is short,
// has neither control flow nor stores to global memory, and nothing else leads there.
void convert_branches(ptx::Function& function);

}  // namespace warpsim::codegen
