// Sections of units as sections of the file that a linker writes.
#pragma once

#include <cstdint>

#include "sass/cubin.h"
#include "sass/elf_writer.h"

namespace warpsim::sass {

inline constexpr std::uint64_t kInfoLink = 0x40;  // flag: the section belongs to another one

// With type, flags and content; an alignment of more than 256 bytes becomes 256.
ElfWriter::Section written_section(const CubinSection& section);

}  // namespace warpsim::sass
