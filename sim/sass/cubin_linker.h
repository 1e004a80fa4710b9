// Links relocatable cubins (nvcc -rdc=true) into one that can be executed, as nvlink does.
//
// Modelled: one definition for each name, weak ones give way; variables and constants of all units one after another;
// what a kernel needs of registers, named barriers and stack with all functions that it can reach; shared variables of
// functions at one place for all kernels that reach them; dynamic shared memory after the static. Relocations that need
// addresses stay in the result, which is a cubin like those of nvlink. All code is kept, also what no kernel reaches.
// Source lines are kept, other debug information is not. Not linked: constants of functions that are not kernels, which
// compilers do not write.
// Evidence: results of nvlink 13 for the same units (registers, stack, shared memory and offsets in the tests).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sass/elf_image.h"

namespace warpsim::sass {

struct LinkInput {
  std::span<const std::byte> bytes;  // of a relocatable cubin
  std::string name;                  // for messages
};

// Units that do not fit together: a name that is not defined or has two definitions, different architectures.
class LinkFailure : public InvalidCubin {
 public:
  using InvalidCubin::InvalidCubin;
};

// Whether a name is a function that the driver defines.
using IsExternal = std::function<bool(std::string_view name)>;

// At least one input. `name` is for messages. Throws LinkFailure with the name of the symbol; InvalidCubin.
std::string link_cubins(std::span<const LinkInput> inputs, const IsExternal& is_external, const std::string& name);

}  // namespace warpsim::sass
