// Loops in which threads do nothing but wait for time to pass.
#pragma once

#include "emulator/code/function_code.h"

namespace warpsim {

// Sets Operation::awaits_time of the reads of a clock in loops that neither access memory nor call, wait for others or
// leave their code.
void find_time_loops(FunctionCode& code);

}  // namespace warpsim
