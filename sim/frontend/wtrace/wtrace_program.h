// The static program of a function, to and from its message in the native trace format. The file holds the content of a
// trace: the disassembly or, without one, opcode and operands; and the control bits. Their meaning (class, unit,
// timing, operand widths) is looked up when the file is read, so that files benefit from improved tables.
#pragma once

#include "isa/static_instruction.h"
#include "wtrace.pb.h"

namespace warpsim::wtrace {

trace::Function to_message(const StaticProgram& program);

// Throws StreamError if a field is outside its range.
StaticProgram from_message(const trace::Function& function);

}  // namespace warpsim::wtrace
