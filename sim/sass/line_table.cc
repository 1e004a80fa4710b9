#include "sass/line_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "sass/dwarf_bytes.h"

namespace warpsim::sass {

namespace {

enum Standard : std::uint8_t {
  kExtended = 0,
  kCopy = 1,
  kAdvanceAddress = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kSetColumn = 5,
  kConstantAddress = 8,
  kFixedAdvance = 9,
};
enum Extended : std::uint8_t { kEndSequence = 1, kSetAddress = 2 };

constexpr std::uint32_t kFirstVersion = 2;
constexpr std::uint32_t kLastVersion = 5;
constexpr std::uint64_t kMostLine = UINT32_MAX;

struct Header {
  std::uint32_t version = 0;
  std::uint32_t instruction_bytes = 1;
  std::int32_t line_base = 0;
  std::uint32_t line_range = 1;
  std::uint32_t opcode_base = 1;
  std::vector<std::uint8_t> operands;  // of standard instructions, from 1
  std::vector<std::uint32_t> files;    // in LineTable::files, by number in the program
  std::uint32_t first_file = 1;        // its number
};

// One program: header, tables, instructions.
class Program {
 public:
  Program(const ElfImage& image, DwarfBytes& bytes, LineTable& table, const CodeAt& code_at)
      : image_(image), bytes_(bytes), table_(table), code_at_(code_at) {}

  // Leaves the bytes after the program.
  void read(std::map<std::string, std::uint32_t>& numbers) {
    const std::uint64_t length = bytes_.fixed(4);
    constexpr std::uint64_t kWide = 0xfffffff0;
    if (length >= kWide) {
      bytes_.fail("a line program of 64-bit DWARF; expected one of 32-bit DWARF");
    }
    const std::uint64_t end = bytes_.after(length, "a line program");
    header_.version = static_cast<std::uint32_t>(bytes_.fixed(2));
    if (header_.version < kFirstVersion || header_.version > kLastVersion) {
      bytes_.fail(
          fmt::format("a line program of version {}; expected {} to {}", header_.version, kFirstVersion, kLastVersion));
    }
    if (header_.version >= kLastVersion) {
      bytes_.fixed(2);  // sizes of addresses and of segment selectors
    }
    const std::uint64_t header_length = bytes_.fixed(4);
    const std::uint64_t begin = bytes_.after(header_length, "the header of a line program");
    if (begin > end) {
      bytes_.fail("the header of a line program, which is longer than the program");
    }
    read_parameters();
    read_files(numbers);
    bytes_.move_to(begin);
    while (bytes_.at() < end) {
      step();
    }
    bytes_.move_to(end);
  }

 private:
  void read_parameters() {
    constexpr std::uint32_t kFirstWithOperations = 4;
    header_.instruction_bytes = static_cast<std::uint32_t>(bytes_.fixed(1));
    if (header_.version >= kFirstWithOperations) {
      bytes_.fixed(1);  // operations of an instruction
    }
    bytes_.fixed(1);                          // whether rows begin statements
    constexpr std::int32_t kNegative = 0x80;  // a byte with sign
    const auto line_base = static_cast<std::int32_t>(bytes_.fixed(1));
    header_.line_base = line_base < kNegative ? line_base : line_base - 2 * kNegative;
    header_.line_range = static_cast<std::uint32_t>(bytes_.fixed(1));
    header_.opcode_base = static_cast<std::uint32_t>(bytes_.fixed(1));
    if (header_.line_range == 0 || header_.opcode_base == 0) {
      bytes_.fail(
          fmt::format("a line program with {} lines of a special instruction, which begin at {}; expected both "
                      "to be more than 0",
                      header_.line_range, header_.opcode_base));
    }
    for (std::uint32_t i = 1; i < header_.opcode_base; ++i) {
      header_.operands.push_back(static_cast<std::uint8_t>(bytes_.fixed(1)));
    }
  }

  void read_files(std::map<std::string, std::uint32_t>& numbers) {
    std::vector<std::string> folders;
    const auto add = [&](const std::string& name, std::uint64_t folder) {
      const bool joined = !name.starts_with('/') && folder < folders.size() && !folders[folder].empty();
      const std::string path = joined ? folders[folder] + "/" + name : name;
      const auto [known, added] = numbers.emplace(path, static_cast<std::uint32_t>(table_.files.size()));
      if (added) {
        table_.files.push_back(path);
      }
      header_.files.push_back(known->second);
    };
    if (header_.version >= kLastVersion) {
      header_.first_file = 0;
      for (const DwarfEntry& each : read_entries(image_, bytes_)) {
        folders.push_back(each.path);
      }
      for (const DwarfEntry& each : read_entries(image_, bytes_)) {
        add(each.path, each.folder);
      }
      return;
    }
    folders.emplace_back();  // 0: that of the compiler
    for (std::string name = bytes_.text(); !name.empty(); name = bytes_.text()) {
      folders.push_back(name);
    }
    for (std::string name = bytes_.text(); !name.empty(); name = bytes_.text()) {
      const std::uint64_t folder = bytes_.unsigned_number();
      bytes_.unsigned_number();  // time
      bytes_.unsigned_number();  // size
      add(name, folder);
    }
  }

  void step() {
    const auto opcode = static_cast<std::uint32_t>(bytes_.fixed(1));
    if (opcode >= header_.opcode_base) {
      const std::uint32_t adjusted = opcode - header_.opcode_base;
      address_ += std::uint64_t{adjusted / header_.line_range} * header_.instruction_bytes;
      add_to_line(header_.line_base + static_cast<std::int32_t>(adjusted % header_.line_range));
      add_row();
      return;
    }
    constexpr std::uint32_t kLastSpecial = 255;
    switch (opcode) {
      case kExtended:
        extended();
        return;
      case kCopy:
        add_row();
        return;
      case kAdvanceAddress:
        address_ += bytes_.unsigned_number() * header_.instruction_bytes;
        return;
      case kAdvanceLine:
        add_to_line(bytes_.signed_number());
        return;
      case kSetFile:
        file_ = bytes_.unsigned_number();
        return;
      case kConstantAddress:
        address_ +=
            std::uint64_t{(kLastSpecial - header_.opcode_base) / header_.line_range} * header_.instruction_bytes;
        return;
      case kFixedAdvance:
        address_ += bytes_.fixed(2);
        return;
      default:
        for (std::uint32_t i = 0; i < header_.operands[opcode - 1]; ++i) {
          bytes_.unsigned_number();
        }
    }
  }

  void extended() {
    const std::uint64_t length = bytes_.unsigned_number();
    const std::uint64_t end = bytes_.after(length, "an extended instruction");
    if (length == 0) {
      return;  // padding
    }
    const std::uint64_t opcode = bytes_.fixed(1);
    if (opcode == kEndSequence) {
      line_ = 0;
      add_row();
      code_.reset();
      address_ = 0;
      file_ = 1;
      line_ = 1;
    } else if (opcode == kSetAddress) {
      const std::uint64_t at = bytes_.at();
      const std::uint64_t stored = bytes_.fixed(length - 1);
      code_ = code_at_(at);
      address_ = code_ ? code_->offset : stored;
    }
    bytes_.move_to(end);
  }

  void add_to_line(std::int64_t more) {
    const auto line = static_cast<std::int64_t>(line_) + more;
    if (line < 0 || static_cast<std::uint64_t>(line) > kMostLine) {
      bytes_.fail(fmt::format("line {}; expected 0 to {}", line, kMostLine));
    }
    line_ = static_cast<std::uint64_t>(line);
  }

  void add_row() {
    if (!code_ || code_->section >= table_.rows.size()) {
      return;
    }
    LineRow row{.offset = address_, .file = 0, .line = static_cast<std::uint32_t>(line_)};
    const std::uint64_t file = file_ - header_.first_file;
    if (row.line != 0 && file >= header_.files.size()) {
      bytes_.fail(fmt::format("file {} of {}", file_, header_.files.size()));
    }
    row.file = row.line == 0 ? 0 : header_.files[file];
    table_.rows[code_->section].push_back(row);
  }

  const ElfImage& image_;
  DwarfBytes& bytes_;
  LineTable& table_;
  const CodeAt& code_at_;
  Header header_;
  std::optional<CodePlace> code_;
  std::uint64_t address_ = 0;
  std::uint64_t file_ = 1;
  std::uint64_t line_ = 1;
};

// The last row of an offset is the innermost place.
void put_in_order(std::vector<LineRow>& rows) {
  std::ranges::stable_sort(rows, {}, &LineRow::offset);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // The end of a sequence is not the beginning of another one.
    if (kept != 0 && rows[kept - 1].offset == rows[i].offset) {
      rows[kept - 1] = rows[i].line == 0 ? rows[kept - 1] : rows[i];
    } else {
      rows[kept++] = rows[i];
    }
  }
  rows.resize(kept);
}

}  // namespace

LineTable read_line_table(const ElfImage& image, const ElfSection& section, const CodeAt& code_at,
                          std::size_t sections) {
  LineTable table;
  table.rows.resize(sections);
  std::map<std::string, std::uint32_t> numbers;
  DwarfBytes bytes(image, section);
  while (!bytes.at_end()) {
    Program(image, bytes, table, code_at).read(numbers);
  }
  std::ranges::for_each(table.rows, put_in_order);
  return table;
}

const LineRow* row_at(const std::vector<LineRow>& rows, std::uint64_t offset) {
  const auto after = std::ranges::upper_bound(rows, offset, {}, &LineRow::offset);
  return after == rows.begin() ? nullptr : &*(after - 1);
}

}  // namespace warpsim::sass
