// Nested additions of constants become one; addresses include constants; results that are no longer read are
// removed.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

void fold_offsets(ptx::Function& function);

// Computations whose results nobody reads.
void remove_unread(ptx::Function& function);

}  // namespace warpsim::codegen
