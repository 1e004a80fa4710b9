// Accesses to neighbouring words become vector accesses, if the address is known to be
// aligned for it.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// `module` for its shared and constant variables, whose alignment the compiler chooses: at least 16 bytes
// afterwards.
void align_near_variables(ptx::Module& module);
// `reads_constants`: arithmetic reads constants of known address itself; these stay single words.
void merge_accesses(const ptx::Module& module, ptx::Function& function, bool reads_constants = false);

}  // namespace warpsim::codegen
