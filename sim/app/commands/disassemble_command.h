// `warpsim disassemble`: the machine code of a cubin, a fat binary or a program, as text.
#pragma once

#include <iosfwd>

#include "app/options/disassemble_options.h"

namespace warpsim {

// Returns the exit code. Throws UserError: no such code, damaged, an instruction that is not known.
int disassemble_command(const DisassembleOptions& options, std::ostream& out);

}  // namespace warpsim
