// Makes one module of several that refer to each other's functions and variables, as nvlink does of relocatable code.
//
// What a module declares as .extern becomes the definition that another one makes visible. Of several definitions those
// that are .weak or .common give way. What stays undefined stays declared: the emulator knows some functions, and
// variables without a place are an error when the module is loaded.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ptx/module.h"
#include "ptx/ptx_error.h"

namespace warpsim::ptx {

// At least one module. Throws PtxError: two definitions of one name, or of another kind than what is declared. `file`
// is for messages.
std::unique_ptr<Module> link_modules(std::vector<std::unique_ptr<Module>> units, const std::string& file);

}  // namespace warpsim::ptx
