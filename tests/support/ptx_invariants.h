// Invariants of every module that the parser of PTX returns, for any text.
#pragma once

#include "ptx/module.h"

namespace warpsim::ptx {

// Throws std::logic_error that names the violated invariant.
void check_invariants(const Module& module);

}  // namespace warpsim::ptx
