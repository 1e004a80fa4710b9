// The inputs of the driver's linker: cubins, PTX, fat binaries, host objects and libraries with device code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "cuda/handles.h"

namespace warpsim::cuda {

// An input that is not what it is said to be, or has no code that can be linked for the GPU; names the input.
class InvalidLinkInput : public UserError {
 public:
  using UserError::UserError;
};

// The device code of a host object (ELF) as nvcc writes it: relocatable machine code for the GPU's capability (90 for
// 9.0), PTX, or both. `name` is for messages. Throws InvalidLinkInput, InvalidFatBinary, sass::InvalidCubin.
LinkUnit unit_of_object(std::span<const std::byte> bytes, const std::string& name, std::uint32_t capability);
// The same of a fat binary.
LinkUnit unit_of_fat_binary(std::span<const std::byte> bytes, const std::string& name, std::uint32_t capability);
LinkUnit unit_of_cubin(std::span<const std::byte> bytes, const std::string& name);
// Of the members of an archive of host objects that have device code.
std::vector<LinkUnit> units_of_library(std::span<const std::byte> bytes, const std::string& name,
                                       std::uint32_t capability);

}  // namespace warpsim::cuda
