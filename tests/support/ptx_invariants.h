// What holds of every module that the parser of PTX returns, whatever the text was.
#pragma once

#include "ptx/module.h"

namespace warpsim::ptx {

// Throws std::logic_error that names what does not hold.
void check_invariants(const Module& module);

}  // namespace warpsim::ptx
