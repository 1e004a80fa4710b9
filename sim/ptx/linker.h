// Links several modules that refer to each other's functions and variables into one, as nvlink does with relocatable
// code.
// An .extern declaration is resolved by the visible definition of another module. Definitions that are .weak or .common
// are replaced by others. Undefined symbols stay declared: the emulator provides some functions, and variables without
// a definition are an error when the module is loaded.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ptx/module.h"
#include "ptx/ptx_error.h"

namespace warpsim::ptx {

// At least one module. Throws PtxError: two definitions of one name, or a definition of another kind than the
// declaration. `file` is for messages.
std::unique_ptr<Module> link_modules(std::vector<std::unique_ptr<Module>> units, const std::string& file);

}  // namespace warpsim::ptx
