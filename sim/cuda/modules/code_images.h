// Code that programs pass to CUDA: embedded fat binaries, images in memory, files.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "cuda/context.h"

namespace warpsim::cuda {

// The wrapper that compilers pass to __cudaRegisterFatBinary. Errors in it are reported when its code is needed.
std::unique_ptr<Module> embedded_module(const abi::FatBinaryWrapper* wrapper);

// The fat binary at this address. Throws InvalidFatBinary.
std::span<const std::byte> container_at(const std::byte* container);
// The fat binary of a module that has one. Throws InvalidFatBinary.
std::span<const std::byte> container_of(const Module& module);

// The linked code of several texts, as one image for module_of_image() and module_of_file().
std::string linked_image(const std::vector<std::string>& texts);

// PTX text that ends with a zero, a fat binary or its wrapper. Fails with kInvalidImage, and with kNoBinaryForGpu for
// machine code.
std::unique_ptr<Module> module_of_image(const void* image);
// Fails with kFileNotFound.
std::unique_ptr<Module> module_of_file(const char* path);

// Loads a module at once, so that the call that passes it reports errors; one that fails is removed.
Module& load_module(Context& context, std::unique_ptr<Module> module);
// The module of a handle. Fails with kInvalidHandle.
Module& known_module(Context& context, ModuleHandle module);

}  // namespace warpsim::cuda
