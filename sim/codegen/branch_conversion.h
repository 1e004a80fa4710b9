// Short branches become guards, as in compilers if the branch costs more than the skipped code.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// A kernel's branch to its end becomes a guarded exit. Code that a forward branch skips is guarded if it is short,
// has neither control flow nor stores to global memory, and nothing else leads there; so are two short alternatives. A
// branch around another branch takes its place.
void convert_branches(ptx::Function& function);

}  // namespace warpsim::codegen
