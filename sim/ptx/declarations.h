// Declarations of variables, registers and parameters.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"
#include "ptx/parser_context.h"

namespace warpsim::ptx {

inline constexpr std::uint64_t kMostBanks = 11;  // of constants: [0] to [10]

// Whether the current word names a state space of variables (.global, .shared, ...), registers and parameters included.
bool at_state_space(const TokenReader& reader);

// ".global .align 8 .b8 x[16] = {...}, y;" from the state space on. Variables of the current function, or of the module
// if there is none.
void parse_variables(ParserContext& context, Linkage linkage);
// ".reg .b32 %r<10>, a;" from .reg on; of the current function.
void parse_registers(ParserContext& context);
// "(.param .u32 a, .reg .b32 b)" with the parentheses. Names are not declared, since names in a prototype have no
// meaning.
std::vector<Variable> parse_parameters(ParserContext& context);

}  // namespace warpsim::ptx
