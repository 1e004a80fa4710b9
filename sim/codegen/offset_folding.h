// Nested additions of constants become one; addresses include constants; results that are no longer read are
// removed.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

void fold_offsets(ptx::Function& function);

// Copies of the address of a variable in constant memory, or of a parameter, state it themselves within a block: what
// one loop makes of it does not matter for another one then.
void copy_places(const ptx::Module& module, ptx::Function& function);

// Removes computations whose results are not read.
void remove_unread(ptx::Function& function);

}  // namespace warpsim::codegen
