// Builds a kernel's static program from its trace, in one pass over the file.
#pragma once

#include <memory>
#include <string>

#include "frontend/accelsim/accelsim_header.h"
#include "frontend/accelsim/trace_line.h"

namespace warpsim {

// The fields of the lines of a file with this header.
LineFormat line_format(const AccelsimHeader& header);

// Reads the whole file. Instructions are sorted by PC; two that share a PC (a called function's offsets start at 0 too)
// are adjacent.
std::shared_ptr<const StaticProgram> collect_program(const std::string& path);

}  // namespace warpsim
