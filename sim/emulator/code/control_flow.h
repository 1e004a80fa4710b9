// Reconvergence points of branches: immediate post-dominators of a function's operations.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/code/function_code.h"

namespace warpsim {

// Sets Operation::reconvergence of every branch: the first operation on all paths from it, or the end of the code
// (where returning threads wait for each other).
void find_reconvergence(FunctionCode& code);

}  // namespace warpsim
