#include "app/program/elf_program.h"

#include <elf.h>

#include <cstring>

#include "base/error.h"
#include "base/input_file.h"

namespace warpsim {

namespace {

class ElfFile {
 public:
  explicit ElfFile(const std::string& path) {
    std::string fault;
    file_ = open_input(path, fault);
    if (file_ == nullptr || std::fseek(file_.get(), 0, SEEK_END) != 0) {
      throw UserError(path + ": cannot be read: " + fault + "; expected a program");
    }
    size_ = static_cast<std::uint64_t>(std::ftell(file_.get()));
  }

  template <class T>
  bool read(std::uint64_t offset, T& value) {
    std::string bytes;
    if (!read(offset, sizeof value, bytes)) {
      return false;
    }
    std::memcpy(&value, bytes.data(), sizeof value);
    return true;
  }
  bool read(std::uint64_t offset, std::uint64_t count, std::string& bytes) {
    constexpr std::uint64_t kMost = 1ULL << 30;  // of one table
    if (offset > size_ || count > size_ - offset || count > kMost) {
      return false;
    }
    bytes.resize(count);
    return std::fseek(file_.get(), static_cast<long>(offset), SEEK_SET) == 0 &&
           std::fread(bytes.data(), 1, count, file_.get()) == count;
  }

 private:
  FilePointer file_;
  std::uint64_t size_ = 0;
};

std::string text_at(const std::string& table, std::uint64_t offset) {
  return offset < table.size() ? std::string(table.c_str() + offset) : std::string();
}

template <class Entry>
std::vector<Entry> entries_of(ElfFile& file, const Elf64_Shdr& section) {
  std::string bytes;
  std::vector<Entry> entries;
  if (file.read(section.sh_offset, section.sh_size, bytes)) {
    entries.resize(bytes.size() / sizeof(Entry));
    std::memcpy(entries.data(), bytes.data(), entries.size() * sizeof(Entry));
  }
  return entries;
}

void read_dynamic(ElfFile& file, const Elf64_Shdr& section, const std::string& names, ElfProgram& program) {
  bool newer_path = false;
  for (const Elf64_Dyn& entry : entries_of<Elf64_Dyn>(file, section)) {
    if (entry.d_tag == DT_NEEDED) {
      program.libraries.push_back(text_at(names, entry.d_un.d_val));
    }
    program.fixed_search_path |= entry.d_tag == DT_RPATH;
    newer_path |= entry.d_tag == DT_RUNPATH;
  }
  program.fixed_search_path &= !newer_path;
}

}  // namespace

ElfProgram read_elf_program(const std::string& path) {
  ElfFile file(path);
  ElfProgram program;
  Elf64_Ehdr header;
  if (!file.read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
    return program;
  }
  program.is_elf = true;
  std::vector<Elf64_Shdr> sections(header.e_shentsize == sizeof(Elf64_Shdr) ? header.e_shnum : 0);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (!file.read(header.e_shoff + i * sizeof(Elf64_Shdr), sections[i])) {
      return program;
    }
  }
  const auto names_of = [&](std::uint64_t index) {
    std::string names;
    if (index < sections.size()) {
      file.read(sections[index].sh_offset, sections[index].sh_size, names);
    }
    return names;
  };
  const std::string section_names = names_of(header.e_shstrndx);
  for (const Elf64_Shdr& section : sections) {
    program.has_device_code |= text_at(section_names, section.sh_name) == ".nv_fatbin";
    if (section.sh_type == SHT_DYNAMIC) {
      read_dynamic(file, section, names_of(section.sh_link), program);
    }
  }
  return program;
}

}  // namespace warpsim
