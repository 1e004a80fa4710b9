// A cubin as a module that the emulator executes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "emulator/machine_code/lifted_module.h"
#include "ptx/module.h"
#include "sass/cubin.h"

namespace warpsim {

// What the lifting needs of a linked cubin, without the code of its kernels. Throws InvalidCubin: an address in a
// variable that is unknown.
MachineModule machine_module_of(const sass::Cubin& cubin);

// A relocatable cubin is linked alone. Kernels are translated when they are needed; those that need a function that is
// not defined are refused then. Throws InvalidCubin and sass::UnknownInstruction.
std::unique_ptr<ptx::Module> module_of_cubin(std::span<const std::byte> bytes, const std::string& file);

// The module of a cubin, or of PTX text. Throws PtxError, too.
std::unique_ptr<ptx::Module> module_of_code(std::string_view code, const std::string& file);

}  // namespace warpsim
