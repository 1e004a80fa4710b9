// How code reaches other functions: relocations of branches and calls of addresses in registers.
#pragma once

#include <cstddef>
#include <span>

#include "sass/decoder.h"
#include "sass/relocation.h"

namespace warpsim::sass {

// Whether the place is the target of a branch or call.
bool is_branch(const RelocationType& type);
// Whether the code calls or jumps to functions by addresses in registers. Throws UnknownInstruction.
bool calls_addresses(std::span<const std::byte> code, const Decoder& decoder);
// Whether the code of a function calls its own begin, which needs no relocation. Throws UnknownInstruction.
bool calls_itself(std::span<const std::byte> code, const Decoder& decoder);

}  // namespace warpsim::sass
