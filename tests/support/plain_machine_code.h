// Machine code for tests: one machine instruction for each PTX instruction, with PTX's register numbers.
#pragma once

#include "codegen/machine_code.h"
#include "ptx/module.h"

namespace warpsim::test {

// All functions of the module, one after another, for 9.0. Dependences are left to the scoreboard.
MachineCode plain_machine_code(const ptx::Module& module);

}  // namespace warpsim::test
