// Initial values of variables.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"
#include "ptx/parser_context.h"

namespace warpsim::ptx {

// The text after '='. `dimensions` as written, outermost first; the first may be 0 (open) and then follows from the
// values.
void parse_initial_values(ParserContext& context, Variable& variable, std::vector<std::uint64_t> dimensions);

}  // namespace warpsim::ptx
