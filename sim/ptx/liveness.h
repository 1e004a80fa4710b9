// How many registers a thread needs at once.
#pragma once

#include <cstdint>

#include "ptx/module.h"

namespace warpsim::ptx {

// The most 32-bit values that are live between two instructions of the function, as a register allocator finds them;
// predicates have registers of their own. Calls are not followed.
std::uint32_t most_live_words(const Function& function);

}  // namespace warpsim::ptx
