// Where an operation stands in the PTX, and in the source that it was compiled from if the PTX says so (.loc).
#pragma once

#include <cstdint>
#include <string>

#include "emulator/function_code.h"
#include "ptx/module.h"

namespace warpsim {

// "kernel.ptx:31 (kernel.cu:12)".
std::string place_text(const ptx::Module& module, const FunctionCode& code, std::uint32_t operation);

}  // namespace warpsim
