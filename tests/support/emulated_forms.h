// Executes the forms of instruction_forms.h on the emulator.
#pragma once

#include <cstdint>
#include <vector>

#include "support/instruction_forms.h"

namespace warpsim::test {

// The results of the rows of each of the group's forms. Throws PtxError and KernelFault.
std::vector<std::vector<std::uint64_t>> execute_forms(const FormGroup& group);

}  // namespace warpsim::test
