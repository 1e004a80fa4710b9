// Writes an ELF file of 64 bits, little endian: sections and a table of symbols, as cubins have them.
//
// Section 0 is empty; 1 to 3 are the names of sections, the names of symbols and the table of symbols; those that are
// added follow. The file has no segments: the reader (elf_image.h) names everything by sections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sass/elf_image.h"

namespace warpsim::sass {

class ElfWriter {
 public:
  struct Section {
    std::string name;
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    std::uint32_t info = 0;
    std::uint64_t alignment = 1;
    std::uint64_t entry_bytes = 0;  // of tables, which refer to symbols
    std::uint64_t size = 0;         // in memory; the content may be missing
    std::vector<std::byte> content = {};
  };

  // The header of the file is that of `like`, an ELF file, for a file that can be executed.
  explicit ElfWriter(std::span<const std::byte> like);

  // The number of the section.
  std::uint32_t add(Section section);
  Section& section(std::uint32_t number) { return sections_[number]; }
  // The number of the symbol. Local ones are added before all others.
  std::uint32_t add(const ElfSymbol& symbol, const std::string& name);

  // Throws InvalidCubin: more sections than the format has numbers for. `name` is for the message.
  std::string write(const std::string& name);

 private:
  std::string header_;
  std::vector<Section> sections_;
  std::string symbol_names_;
  std::string symbols_;
  std::uint32_t symbol_count_ = 0;
  std::uint32_t local_count_ = 0;
};

}  // namespace warpsim::sass
