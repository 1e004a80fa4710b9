// Parses PTX (ISA 2.x to 9.0), generated or handwritten.
//
// Accepted: all directives, declarations, initialisers, constant expressions, instruction forms and operand forms of
// the PTX ISA. Opcodes and modifiers are not checked here: an unknown word is an error only if a launched kernel can
// reach it. Checked are: syntax, unique declaration of names, before their use if the ISA requires it, types of
// declarations, ranges of numbers, limits of size and nesting. Time and memory are linear in the text's size for any
// content: `.reg .b32 %r<4000000000>` declares names, and only used ones become registers; nesting is
// bounded.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ptx/module.h"
#include "ptx/ptx_error.h"

namespace warpsim::ptx {

// Throws PtxError. `file` is only for messages.
std::unique_ptr<Module> parse_module(std::string_view text, const std::string& file);

}  // namespace warpsim::ptx
