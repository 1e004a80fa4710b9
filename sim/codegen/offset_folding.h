// Nested additions of constants become one; addresses include constants; results that are no longer read are
// removed.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

void fold_offsets(ptx::Function& function);

// Removes computations whose results are not read.
void remove_unread(ptx::Function& function);

}  // namespace warpsim::codegen
