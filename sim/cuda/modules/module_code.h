// The code of a module that the simulated GPU executes, out of what the program offers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cuda/code/code_choice.h"
#include "cuda/handles.h"

namespace warpsim::cuda {

// The GPU that code is chosen for.
struct CodeTarget {
  std::uint32_t capability = 0;  // 90 for 9.0
  CodeChoice choice = CodeChoice::kAny;
  bool force_target = false;  // also PTX for a newer capability
  bool ptx_first = false;     // with kAny: machine code only if there is no PTX
};

struct ModuleCode {
  std::optional<std::string> machine;  // a cubin
  std::string of_other;                // the target of machine code for another capability, "sm_75"; else empty
  std::vector<std::string> ptx;        // texts; several are linked. Executed if the machine code is not
};

// The code of a module for the GPU, at least one of both. Machine code of other capabilities is taken if there is
// nothing else, or with kMachine. For relocatable code (-rdc=true): the machine code that was
// linked at build time, the PTX of all units but that of the device runtime. Throws InvalidFatBinary, NoUsableCode.
ModuleCode code_for(const Module& module, const CodeTarget& target);

}  // namespace warpsim::cuda
