// Source lines of machine code (nvcc -lineinfo, -G): the line program of .debug_line.
//
// Read are the versions 2 to 5 of DWARF's line programs, with NVIDIA's extended instruction 0x90, which says where
// inlined code is called and is skipped: a row is the innermost place, as .loc of PTX. Addresses are those of sections
// of code, which the relocations of .debug_line name; sequences without a relocation are for no known code.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sass/elf_image.h"

namespace warpsim::sass {

// From this offset in its section of code on, up to that of the next row. Line 0: not known.
struct LineRow {
  std::uint64_t offset = 0;
  std::uint32_t file = 0;  // in LineTable::files
  std::uint32_t line = 0;
  bool operator==(const LineRow&) const = default;
};

struct LineTable {
  std::vector<std::string> files;  // with their folders
  // By section of the cubin; by offset, each offset once.
  std::vector<std::vector<LineRow>> rows;
};

// Where code begins: the section of the cubin and an offset in it.
struct CodePlace {
  std::uint32_t section = 0;
  std::uint64_t offset = 0;
};
// The code that a relocation at this offset of .debug_line names; nothing without one.
using CodeAt = std::function<std::optional<CodePlace>(std::uint64_t offset)>;

// `sections`: how many the cubin has. Throws InvalidCubin: damaged, or of another version.
LineTable read_line_table(const ElfImage& image, const ElfSection& section, const CodeAt& code_at,
                          std::size_t sections);

// The row of an offset; null if there is none.
const LineRow* row_at(const std::vector<LineRow>& rows, std::uint64_t offset);

}  // namespace warpsim::sass
