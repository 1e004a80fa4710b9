// Finds rows of the opcode table. For the files of this folder only.
#pragma once

#include <string_view>

#include "isa/opcode_rows.h"
#include "isa/opcode_text.h"

namespace warpsim {

// The row of an opcode without modifiers; nullptr if the table has none.
const OpcodeRow* find_opcode_row(std::string_view base);

// Row, architecture and modifiers combined. Unknown opcodes: an integer ALU (or uniform) operation.
struct ResolvedOpcode {
  Behaviour behaviour;
  OperandWidths widths;
  WidthRule rule = WidthRule::kRow;
  SourceSlots slots = SourceSlots::kInOrder;
  bool known = false;
};
inline constexpr std::uint32_t kNewestArchitecture = 90;
ResolvedOpcode resolve_opcode(const OpcodeText& opcode, std::uint32_t architecture);

}  // namespace warpsim
