// The source lines of a cubin's code: its line programs and the code that their relocations name.
#pragma once

#include "sass/cubin.h"
#include "sass/line_table.h"

namespace warpsim::sass {

// `cubin` has the sections and symbols of the file. Empty without debug information. Throws InvalidCubin.
LineTable read_cubin_lines(const ElfImage& image, const Cubin& cubin);

}  // namespace warpsim::sass
