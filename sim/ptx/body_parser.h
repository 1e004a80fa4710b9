// Bodies of functions: blocks, labels, instructions, tables of targets.
#pragma once

#include "ptx/parser_context.h"

namespace warpsim::ptx {

// "{ ... }" of the current function, whose scope is open.
void parse_body(ParserContext& context);
// From after ".pragma" on. Returns whether it contains "nounroll"; other pragmas are ignored.
bool read_pragma(TokenReader& reader);

}  // namespace warpsim::ptx
