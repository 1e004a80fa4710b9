// Which registers an instruction reads and which it writes.
#pragma once

#include <cstdint>
#include <functional>

#include "ptx/module.h"

namespace warpsim::ptx {

using RegisterVisitor = std::function<void(std::uint32_t reg)>;

void visit_written_registers(const Instruction& instruction, const RegisterVisitor& visit);
// The guard included.
void visit_read_registers(const Instruction& instruction, const RegisterVisitor& visit);
// Whether the opcode's first operand is a result.
bool has_result(std::string_view opcode);

}  // namespace warpsim::ptx
