#include "sass/elf_image.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace warpsim::sass {

namespace {

// Sections of memory that the file does not store: SHT_NOBITS and, in relocatable cubins, NVIDIA's types for global,
// local and shared variables without initial values.
bool is_stored(std::uint32_t type) {
  constexpr std::uint32_t kGlobal = 0x70000007;
  constexpr std::uint32_t kLocal = 0x70000009;
  constexpr std::uint32_t kShared = 0x7000000a;
  return type != SHT_NOBITS && type != SHT_NULL && type != kGlobal && type != kLocal && type != kShared;
}

template <class T>
T value_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

bool is_elf_image(std::span<const std::byte> bytes) {
  return bytes.size() >= EI_NIDENT && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0 &&
         std::to_integer<int>(bytes[EI_CLASS]) == ELFCLASS64 && std::to_integer<int>(bytes[EI_DATA]) == ELFDATA2LSB;
}

void ElfImage::fail(const std::string& what) const {
  throw InvalidCubin(name_ + ": " + what);
}

void ElfImage::fail(const ElfSection& section, std::uint64_t offset, const std::string& what) const {
  throw InvalidCubin(fmt::format("{}: section {}, offset {:#x}: {}", name_, section.name, offset, what));
}

ElfImage::ElfImage(std::span<const std::byte> bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  if (!is_elf_image(bytes)) {
    fail("offset 0: the header of an ELF file of 64 bits, little endian, expected");
  }
  if (bytes.size() < sizeof(Elf64_Ehdr)) {
    fail(
        fmt::format("offset 0: an ELF header of {} bytes expected, the file has {}", sizeof(Elf64_Ehdr), bytes.size()));
  }
  const auto header = value_at<Elf64_Ehdr>(bytes, 0);
  machine_ = header.e_machine;
  type_ = header.e_type;
  os_abi_ = header.e_ident[EI_OSABI];
  abi_version_ = header.e_ident[EI_ABIVERSION];
  flags_ = header.e_flags;
  // Segments are not used, but at the end of a cubin their table shows that the file is complete.
  const std::uint64_t segments = std::uint64_t{header.e_phnum} * header.e_phentsize;
  if (header.e_phoff > bytes.size() || segments > bytes.size() - header.e_phoff) {
    fail(fmt::format("offset 0x20: the table of segments at {:#x} is outside of the file of {} bytes", header.e_phoff,
                     bytes.size()));
  }
  if (header.e_shoff == 0) {
    return;
  }
  if (header.e_shentsize != sizeof(Elf64_Shdr)) {
    fail(fmt::format("offset 0x3a: entries of {} bytes in the table of sections expected, found {}", sizeof(Elf64_Shdr),
                     header.e_shentsize));
  }
  if (header.e_shoff > bytes.size() || bytes.size() - header.e_shoff < sizeof(Elf64_Shdr)) {
    fail(fmt::format("offset 0x28: the table of sections at {:#x} is outside of the file of {} bytes", header.e_shoff,
                     bytes.size()));
  }
  // A table that is too long for the header has its length, and the section of the names, in its first entry.
  const auto first = value_at<Elf64_Shdr>(bytes, header.e_shoff);
  read_sections(header.e_shoff, header.e_shnum == 0 ? first.sh_size : header.e_shnum,
                header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx);
}

void ElfImage::read_sections(std::uint64_t table, std::uint64_t count, std::uint64_t names) {
  if (count > (bytes_.size() - table) / sizeof(Elf64_Shdr)) {
    fail(fmt::format("offset {:#x}: a table of {} sections does not fit into the file of {} bytes", table, count,
                     bytes_.size()));
  }
  if (names >= count) {
    fail(fmt::format("offset 0x3e: the names of sections are in section {}, expected one of {}", names, count));
  }
  sections_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    sections_.push_back(read_section(table + i * sizeof(Elf64_Shdr)));
  }
  std::uint64_t stored = 0;
  for (const ElfSection& section : sections_) {
    stored += section.bytes.size();
  }
  // Sections do not overlap, so that work on all of them is limited by the size of the file.
  if (stored > bytes_.size()) {
    fail(
        fmt::format("offset {:#x}: sections of together {} bytes in a file of {} bytes", table, stored, bytes_.size()));
  }
  const ElfSection table_of_names = sections_[names];
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto header = value_at<Elf64_Shdr>(bytes_, table + i * sizeof(Elf64_Shdr));
    sections_[i].name = text_at(table_of_names, header.sh_name, fmt::format("section {}", i));
  }
}

ElfSection ElfImage::read_section(std::uint64_t at) const {
  const auto header = value_at<Elf64_Shdr>(bytes_, at);
  ElfSection section;
  section.type = header.sh_type;
  section.flags = header.sh_flags;
  section.offset = header.sh_offset;
  section.size = header.sh_type == SHT_NULL ? 0 : header.sh_size;
  section.link = header.sh_link;
  section.info = header.sh_info;
  section.alignment = header.sh_addralign;
  if (is_stored(header.sh_type)) {
    if (header.sh_offset > bytes_.size() || header.sh_size > bytes_.size() - header.sh_offset) {
      fail(fmt::format("offset {:#x}: a section of {} bytes at {:#x} is outside of the file of {} bytes", at,
                       header.sh_size, header.sh_offset, bytes_.size()));
    }
    section.bytes = bytes_.subspan(header.sh_offset, header.sh_size);
  }
  return section;
}

std::string_view ElfImage::text_at(const ElfSection& table, std::uint64_t offset, const std::string& of) const {
  const std::string_view text(reinterpret_cast<const char*>(table.bytes.data()), table.bytes.size());
  const std::size_t end = offset < text.size() ? text.find('\0', offset) : std::string_view::npos;
  if (end == std::string_view::npos) {
    fail(fmt::format("the name of {} is at offset {:#x} of a table of {} bytes, expected a text that ends there", of,
                     offset, text.size()));
  }
  return text.substr(offset, end - offset);
}

std::vector<std::uint32_t> ElfImage::extended_sections(std::size_t symbol_table, std::size_t count) const {
  for (const ElfSection& section : sections_) {
    if (section.type == SHT_SYMTAB_SHNDX && section.link == symbol_table) {
      if (section.bytes.size() / sizeof(std::uint32_t) < count) {
        fail(section, 0, fmt::format("sections of {} symbols expected", count));
      }
      std::vector<std::uint32_t> sections(count);
      if (count > 0) {
        std::memcpy(sections.data(), section.bytes.data(), count * sizeof(std::uint32_t));
      }
      return sections;
    }
  }
  return {};
}

std::vector<ElfSymbol> ElfImage::symbols() const {
  std::size_t at = 0;
  while (at < sections_.size() && sections_[at].type != SHT_SYMTAB) {
    ++at;
  }
  if (at == sections_.size()) {
    return {};
  }
  const ElfSection& table = sections_[at];
  if (table.bytes.size() % sizeof(Elf64_Sym) != 0 || table.link >= sections_.size()) {
    fail(table, 0,
         fmt::format("a table of symbols of {} bytes each, with a table of names, expected", sizeof(Elf64_Sym)));
  }
  const std::size_t count = table.bytes.size() / sizeof(Elf64_Sym);
  const std::vector<std::uint32_t> extended = extended_sections(at, count);
  std::vector<ElfSymbol> symbols;
  symbols.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry = value_at<Elf64_Sym>(table.bytes, i * sizeof(Elf64_Sym));
    ElfSymbol symbol;
    symbol.name = text_at(sections_[table.link], entry.st_name, fmt::format("symbol {}", i));
    symbol.type = ELF64_ST_TYPE(entry.st_info);
    symbol.binding = ELF64_ST_BIND(entry.st_info);
    symbol.other = entry.st_other;
    symbol.value = entry.st_value;
    symbol.size = entry.st_size;
    symbol.section = entry.st_shndx;
    if (entry.st_shndx == SHN_XINDEX && !extended.empty()) {
      symbol.section = extended[i];
    } else if (entry.st_shndx >= SHN_LORESERVE) {
      symbol.section = SHN_UNDEF;  // a number or a file name, which nothing in a cubin refers to
    }
    if (symbol.section >= sections_.size()) {
      fail(
          table, i * sizeof(Elf64_Sym),
          fmt::format("symbol {} is in section {}, expected one of {}", symbol.name, symbol.section, sections_.size()));
    }
    symbols.push_back(symbol);
  }
  return symbols;
}

std::vector<ElfRelocation> ElfImage::relocations(const ElfSection& section) const {
  const bool has_addend = section.type == SHT_RELA;
  const std::size_t bytes = has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
  if (section.bytes.size() % bytes != 0) {
    fail(section, 0, fmt::format("relocations of {} bytes each expected, found {} bytes", bytes, section.bytes.size()));
  }
  std::vector<ElfRelocation> relocations;
  relocations.reserve(section.bytes.size() / bytes);
  for (std::size_t at = 0; at < section.bytes.size(); at += bytes) {
    Elf64_Rela entry{};
    std::memcpy(&entry, section.bytes.data() + at, bytes);
    relocations.push_back({.offset = entry.r_offset,
                           .type = static_cast<std::uint32_t>(ELF64_R_TYPE(entry.r_info)),
                           .symbol = static_cast<std::uint32_t>(ELF64_R_SYM(entry.r_info)),
                           .addend = entry.r_addend,
                           .has_addend = has_addend});
  }
  return relocations;
}

}  // namespace warpsim::sass
