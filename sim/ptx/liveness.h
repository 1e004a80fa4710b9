// Live registers, and the number that a thread needs at once.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/flow_graph.h"
#include "ptx/module.h"
#include "ptx/register_set.h"

namespace warpsim::ptx {

// The maximum number of 32-bit values that are live between two instructions of the function, as in a register
// allocator; predicates have separate registers. Calls are not followed.
std::uint32_t most_live_words(const Function& function);

// By register: every instruction that names it is guarded, by the same predicate in the same sense. A guarded write of
// such a register leaves no old value that is read later.
std::vector<bool> registers_of_one_guard(const Function& function);

// The registers that the function may read before it has written them; a guarded write may leave the old value.
RegisterSet read_before_written(const Function& function);

// The registers whose values are needed at the beginning of each block.
std::vector<RegisterSet> live_at_blocks(const Function& function, const FlowGraph& graph);

}  // namespace warpsim::ptx
