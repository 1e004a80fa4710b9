// Sums with constants, one on top of another, become one; addresses take constants along; what nobody reads any more
// goes.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

void fold_offsets(ptx::Function& function);

// Computations whose results nobody reads.
void remove_unread(ptx::Function& function);

}  // namespace warpsim::codegen
