#include "sass/link_sections.h"

#include <elf.h>

#include <algorithm>

namespace warpsim::sass {

namespace {

std::uint64_t flags_of(CubinSection::Kind kind) {
  switch (kind) {
    case CubinSection::Kind::kCode:
      return SHF_ALLOC | SHF_EXECINSTR;
    case CubinSection::Kind::kConstant:
      return SHF_ALLOC;
    default:
      return SHF_ALLOC | SHF_WRITE;
  }
}

}  // namespace

ElfWriter::Section written_section(const CubinSection& section) {
  constexpr std::uint64_t kLargestAlignment = 256;
  return {.name = section.name,
          .type = section.content.empty() ? std::uint32_t{SHT_NOBITS} : std::uint32_t{SHT_PROGBITS},
          .flags = flags_of(section.kind),
          .alignment = std::clamp<std::uint64_t>(section.alignment, 1, kLargestAlignment),
          .size = section.bytes,
          .content = section.content};
}

}  // namespace warpsim::sass
