// Numbers and texts of debug information (DWARF), with every access checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sass/elf_image.h"

namespace warpsim::sass {

class DwarfBytes {
 public:
  // Both outlive this.
  DwarfBytes(const ElfImage& image, const ElfSection& section) : image_(image), section_(section) {}

  std::uint64_t at() const { return at_; }
  bool at_end() const { return at_ >= section_.bytes.size(); }
  void move_to(std::uint64_t offset) { at_ = offset; }
  // The offset after `length` bytes from here; throws if they are not there. `what` is for the message.
  std::uint64_t after(std::uint64_t length, const char* what) const;

  // A number of 1 to 8 bytes; of LEB128; a text up to a zero. Throw InvalidCubin at the end of the section.
  std::uint64_t fixed(std::uint64_t bytes);
  std::uint64_t unsigned_number();
  std::int64_t signed_number();
  std::string text();

  [[noreturn]] void fail(const std::string& what) const { image_.fail(section_, at_, what); }

 private:
  const ElfImage& image_;
  const ElfSection& section_;
  std::uint64_t at_ = 0;
};

// An entry of the tables of folders and files from version 5 on.
struct DwarfEntry {
  std::string path;
  std::uint64_t folder = 0;
};
// A table with its description. Throws InvalidCubin: damaged, a form that such tables do not have.
std::vector<DwarfEntry> read_entries(const ElfImage& image, DwarfBytes& bytes);

}  // namespace warpsim::sass
