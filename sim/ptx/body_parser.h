// Bodies of functions: blocks, labels, instructions, tables of targets.
#pragma once

#include "ptx/parser_context.h"

namespace warpsim::ptx {

// "{ ... }" of the function at hand, whose scope is open.
void parse_body(ParserContext& context);
// From behind ".pragma" on.
// Returns whether it says "nounroll"; other pragmas mean nothing here.
bool read_pragma(TokenReader& reader);

}  // namespace warpsim::ptx
