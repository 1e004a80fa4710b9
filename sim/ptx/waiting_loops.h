// Loops that threads may iterate until others let them leave: locks, flags, queues, barriers in memory.
//
// A loop counts as one if a value that others may have changed affects whether it ends: the result of an atomic
// operation, of a load that is volatile, relaxed or acquiring, of a wait for an mbarrier, or of a call of a function
// that does any of these. Values are followed through registers, through memory that only the thread accesses, and
// through the branches that control writes. A loop that only moves such a value, for example a counted loop over a
// histogram, is not such a loop. NVIDIA's compiler for 9.0 and 10.0 puts a YIELD in the same loops.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace warpsim::ptx {

// By instruction of the function, which is one of the module's: whether it is a branch by which threads repeat such a
// loop.
std::vector<bool> branches_of_waiting_loops(const Module& module, const Function& function);

}  // namespace warpsim::ptx
