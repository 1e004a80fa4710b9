// The place of an operation in the PTX or machine code, and in the source from which it was compiled if that is stated
// (.loc, -lineinfo).
#pragma once

#include <cstdint>
#include <string>

#include "emulator/code/function_code.h"
#include "emulator/code/kernel_image.h"
#include "ptx/module.h"

namespace warpsim {

// "kernel.ptx:31 (kernel.cu:12)".
std::string place_text(const ptx::Module& module, const FunctionCode& code, std::uint32_t operation);
// The same of an operation of the kernel.
std::string place_text(const KernelImage& kernel, const Operation& operation);

}  // namespace warpsim
