// A kernel's code as its trace shows it, without a listing.
//
// Modelled: opcodes, general registers with the widths that the opcode implies, branch and barrier numbers of version
// 5. Not in such traces: predicates, uniform registers, constants, control bits; a scoreboard tracks dependences.
// Functions that a kernel calls have offsets of their own, so two instructions may share a PC: they are distinguished
// by their opcode and registers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/accelsim/trace_line.h"
#include "isa/static_instruction.h"

namespace warpsim {

StaticInstruction instruction_from_trace(std::uint32_t pc, const InstructionBody& body, std::int64_t immediate,
                                         std::uint32_t architecture, std::vector<std::string>& opcodes);

}  // namespace warpsim
