// Code of measured kernels in a short form: the disassembly of each instruction, its control bits written out,
// and runs of equal instructions folded. The first lines of each file in tests/microbench/code explain the form.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "isa/static_instruction.h"

namespace warpsim::microbench {

using Programs = std::map<std::string, std::shared_ptr<const StaticProgram>>;

// Throws UserError with file and line for malformed code.
Programs parse_programs(const std::string& text, const std::string& path);
// The file tests/microbench/code/<bench>.sass.
Programs load_programs(const std::string& bench);
// Throws UserError if there is none with this name.
std::shared_ptr<const StaticProgram> find_program(const Programs& programs, const std::string& name);

}  // namespace warpsim::microbench
