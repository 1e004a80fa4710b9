#include "sass/elf_writer.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpsim::sass {

namespace {

constexpr std::uint32_t kSectionNames = 1;
constexpr std::uint32_t kSymbolNames = 2;
constexpr std::uint32_t kSymbolTable = 3;

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::vector<std::byte> bytes_of_text(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

ElfWriter::ElfWriter(std::span<const std::byte> like)
    : header_(reinterpret_cast<const char*>(like.data()), sizeof(Elf64_Ehdr)), symbol_names_(1, '\0') {
  sections_.resize(kSymbolTable + 1);
  sections_[kSectionNames] = {.name = ".shstrtab", .type = SHT_STRTAB};
  sections_[kSymbolNames] = {.name = ".strtab", .type = SHT_STRTAB};
  sections_[kSymbolTable] = {.name = ".symtab", .type = SHT_SYMTAB, .alignment = 8, .entry_bytes = sizeof(Elf64_Sym)};
  add(ElfSymbol{.name = {}, .binding = STB_LOCAL}, "");
}

std::uint32_t ElfWriter::add(Section section) {
  sections_.push_back(std::move(section));
  return static_cast<std::uint32_t>(sections_.size() - 1);
}

std::uint32_t ElfWriter::add(const ElfSymbol& symbol, const std::string& name) {
  Elf64_Sym entry{};
  if (!name.empty()) {
    entry.st_name = static_cast<Elf64_Word>(symbol_names_.size());
    symbol_names_ += name;
    symbol_names_ += '\0';
  }
  entry.st_info = static_cast<unsigned char>(ELF64_ST_INFO(symbol.binding, symbol.type));
  entry.st_other = symbol.other;
  entry.st_shndx = static_cast<Elf64_Section>(symbol.section);
  entry.st_value = symbol.value;
  entry.st_size = symbol.size;
  append(symbols_, entry);
  local_count_ += symbol.binding == STB_LOCAL ? 1 : 0;
  return symbol_count_++;
}

std::string ElfWriter::write(const std::string& name) {
  if (sections_.size() >= SHN_LORESERVE) {
    throw InvalidCubin(fmt::format("{}: {} sections in the linked code; expected less than {}", name, sections_.size(),
                                   static_cast<int>(SHN_LORESERVE)));
  }
  std::string section_names(1, '\0');
  std::vector<Elf64_Shdr> headers(sections_.size());
  for (std::size_t i = 1; i < sections_.size(); ++i) {
    headers[i].sh_name = static_cast<Elf64_Word>(section_names.size());
    section_names += sections_[i].name;
    section_names += '\0';
  }
  sections_[kSectionNames].content = bytes_of_text(section_names);
  sections_[kSymbolNames].content = bytes_of_text(symbol_names_);
  sections_[kSymbolTable].content = bytes_of_text(symbols_);
  sections_[kSymbolTable].info = local_count_;
  std::string file = header_;
  for (std::size_t i = 1; i < sections_.size(); ++i) {
    const Section& section = sections_[i];
    Elf64_Shdr& header = headers[i];
    const std::uint64_t alignment = std::max<std::uint64_t>(section.alignment, 1);
    file.resize((file.size() + alignment - 1) / alignment * alignment);
    header.sh_type = section.type;
    header.sh_flags = section.flags;
    header.sh_offset = file.size();
    header.sh_size = std::max<std::uint64_t>(section.size, section.content.size());
    header.sh_link = i == kSymbolTable ? kSymbolNames : section.entry_bytes != 0 ? kSymbolTable : 0;
    header.sh_info = section.info;
    header.sh_addralign = alignment;
    header.sh_entsize = section.entry_bytes;
    file.append(reinterpret_cast<const char*>(section.content.data()), section.content.size());
  }
  constexpr std::uint64_t kTableAlignment = 8;
  file.resize((file.size() + kTableAlignment - 1) / kTableAlignment * kTableAlignment);
  Elf64_Ehdr header{};
  std::memcpy(&header, header_.data(), sizeof header);
  header.e_type = ET_EXEC;
  header.e_entry = 0;
  header.e_phoff = 0;
  header.e_phnum = 0;
  header.e_shoff = file.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(sections_.size());
  header.e_shstrndx = kSectionNames;
  std::memcpy(file.data(), &header, sizeof header);
  for (const Elf64_Shdr& each : headers) {
    append(file, each);
  }
  return file;
}

}  // namespace warpsim::sass
