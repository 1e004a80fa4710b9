// The place of an operation in the PTX, and in the source from which it was compiled if the PTX states it (.loc).
#pragma once

#include <cstdint>
#include <string>

#include "emulator/code/function_code.h"
#include "ptx/module.h"

namespace warpsim {

// "kernel.ptx:31 (kernel.cu:12)".
std::string place_text(const ptx::Module& module, const FunctionCode& code, std::uint32_t operation);

}  // namespace warpsim
