// Which units of a library a link needs: as a linker takes members of an archive, those that define a name that is
// missing so far.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sass/cubin_linker.h"

namespace warpsim::sass {

// Numbers of the members, in their order. Throws InvalidCubin.
std::vector<std::size_t> needed_members(std::span<const LinkInput> units, std::span<const LinkInput> members);

}  // namespace warpsim::sass
