// Turns the text of one disassembled instruction into a StaticInstruction: "@!P0 IADD3 R1, P1, R2, c[0x0][0x8], RZ".
//
// Modelled: all register, predicate, uniform and constant operands, results distinguished from sources by opcode rules,
// operand slots, branch targets, barrier numbers, dependence barriers. Not modelled: the carry flag of sm_50 to sm_62
// and convergence barriers (B registers), which only branches read. Invariant: RZ, PT, URZ and UPT never appear as
// operands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/static_instruction.h"

namespace warpsim {

// Index of `opcode` in `opcodes`, added if new.
std::uint16_t intern_opcode(std::vector<std::string>& opcodes, std::string_view opcode);

// Fills `out` (pc and control stay) from `text`, without the semicolon; adds the opcode to `opcodes`. Throws
// std::invalid_argument that states the error.
void decode_sass(std::string_view text, std::uint32_t architecture, std::vector<std::string>& opcodes,
                 StaticInstruction& out);

}  // namespace warpsim
