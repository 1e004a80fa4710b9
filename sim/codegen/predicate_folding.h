// Negations and copies of predicates disappear in the instructions that read them.
#pragma once

#include "ptx/module.h"

namespace warpsim::codegen {

// A guard, a selection or a comparison that reads the result of not.pred, or of xor.pred with a constant, reads its
// source instead. What nothing reads any more is left for remove_unread().
void fold_predicates(ptx::Function& function);

}  // namespace warpsim::codegen
