// The device runtime library (libcudadevrt) among the units of relocatable code. Kernels call its functions; the
// emulator executes these itself, so that the unit's own code is not needed.
#pragma once

#include <span>
#include <string_view>

#include "cuda/code/fat_binary.h"

namespace warpsim::cuda {

// Whether the code, PTX or a relocatable cubin, is the library's: it refers to functions of the driver that only the
// library calls. Evidence: the libraries of CUDA 13.
bool is_device_runtime_code(std::string_view code);
// The same of a unit. Throws InvalidFatBinary.
bool is_device_runtime(std::span<const FatBinaryEntry> unit);

}  // namespace warpsim::cuda
