// Kernels and device functions: everything before their bodies.
#pragma once

#include "ptx/module.h"
#include "ptx/parser_context.h"

namespace warpsim::ptx {

// From .entry or .func on, to the end of the body or the ';' of a declaration.
void parse_function(ParserContext& context, Linkage linkage);
// ".callprototype (...) _ (...);" from after the directive on, the ';' included.
Prototype parse_prototype(ParserContext& context, std::string_view name);

}  // namespace warpsim::ptx
