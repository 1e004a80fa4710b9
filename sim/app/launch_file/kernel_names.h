// Finds kernels of a PTX file by mangled or readable names.
#pragma once

#include <string>
#include <vector>

#include "ptx/module.h"

namespace warpsim {

// The PTX name of the kernel with the name `name`: that name itself, or a C++ name with or without parameters and
// template arguments, if only one kernel has it. Throws UserError that lists the existing kernels; `position` is for
// messages.
std::string find_kernel_name(const ptx::Module& module, const std::string& name, const std::string& position);

}  // namespace warpsim
