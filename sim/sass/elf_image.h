// An ELF file of 64 bits, little endian: sections, symbols and relocations, with every offset checked.
//
// Read as cubins and host programs use it: tables of sections of any length (extended numbering), one symbol table,
// relocations with and without addends. Segments are not read: cubins name everything by sections. The image refers
// to the bytes, which must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace warpsim::sass {

// A damaged or unsupported ELF file or cubin; names the file, the section or symbol, and the offset.
class InvalidCubin : public UserError {
 public:
  using UserError::UserError;
};

struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;  // in the file
  std::uint64_t size = 0;    // bytes in memory
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t alignment = 0;
  std::span<const std::byte> bytes;  // empty if the file does not store them

  bool is_loaded() const { return (flags & 2U) != 0; }  // SHF_ALLOC
};

struct ElfSymbol {
  std::string_view name;
  std::uint8_t type = 0;     // STT_..
  std::uint8_t binding = 0;  // STB_..
  std::uint8_t other = 0;
  std::uint32_t section = 0;  // 0: not defined here
  std::uint64_t value = 0;    // offset in its section
  std::uint64_t size = 0;
};

struct ElfRelocation {
  std::uint64_t offset = 0;  // in the section that is changed
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;
  std::int64_t addend = 0;
  bool has_addend = false;  // otherwise it is in the place itself
};

class ElfImage {
 public:
  // `name` is for messages. Throws InvalidCubin: not such a file, truncated, an offset out of bounds.
  ElfImage(std::span<const std::byte> bytes, std::string name);

  const std::string& name() const { return name_; }
  std::uint16_t machine() const { return machine_; }
  std::uint16_t type() const { return type_; }  // ET_..
  std::uint8_t os_abi() const { return os_abi_; }
  std::uint8_t abi_version() const { return abi_version_; }
  std::uint32_t flags() const { return flags_; }
  const std::vector<ElfSection>& sections() const { return sections_; }

  // Of the only symbol table; empty without one. Throws InvalidCubin.
  std::vector<ElfSymbol> symbols() const;
  // Of a section of type SHT_RELA or SHT_REL. Throws InvalidCubin.
  std::vector<ElfRelocation> relocations(const ElfSection& section) const;

  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail(const ElfSection& section, std::uint64_t offset, const std::string& what) const;

 private:
  void read_sections(std::uint64_t table, std::uint64_t count, std::uint64_t names);
  ElfSection read_section(std::uint64_t at) const;
  std::string_view text_at(const ElfSection& table, std::uint64_t offset, const std::string& of) const;
  std::vector<std::uint32_t> extended_sections(std::size_t symbol_table, std::size_t count) const;

  std::span<const std::byte> bytes_;
  std::string name_;
  std::uint16_t machine_ = 0;
  std::uint16_t type_ = 0;
  std::uint8_t os_abi_ = 0;
  std::uint8_t abi_version_ = 0;
  std::uint32_t flags_ = 0;
  std::vector<ElfSection> sections_;
};

// Whether the bytes begin as an ELF file of 64 bits, little endian.
bool is_elf_image(std::span<const std::byte> bytes);

}  // namespace warpsim::sass
