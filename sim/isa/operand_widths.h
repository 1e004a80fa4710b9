// How many consecutive general registers each operand of an instruction covers. A listing names only the first one.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/opcode_rows.h"
#include "isa/static_instruction.h"

namespace warpsim {

// Widths in operand order. `instruction` must have been classified from the same opcode. Memory instructions: source 0
// is the address (its width depends on the address operand: see address_registers), the others are data.
OperandWidths operand_widths(std::string_view opcode, const StaticInstruction& instruction);

// Registers that a memory instruction's address covers if the listing does not state it (a trace, sm_50 to sm_62).
std::uint8_t address_registers(std::string_view opcode, const StaticInstruction& instruction);

// Shape of the listing line, for the listing parser.
Results operand_results(std::string_view opcode);
SourceSlots operand_slots(std::string_view opcode);

}  // namespace warpsim
