// Operands of instructions.
#pragma once

#include <vector>

#include "ptx/module.h"
#include "ptx/parser_context.h"

namespace warpsim::ptx {

// All operands of an instruction up to its ';', which is not consumed. A name that must be a label is resolved by the
// caller: of kind kLabel, `name` only.
void parse_operands(ParserContext& context, std::string_view opcode, std::vector<Operand>& operands);

}  // namespace warpsim::ptx
