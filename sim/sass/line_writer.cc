#include "sass/line_writer.h"

#include <algorithm>

namespace warpsim::sass {

namespace {

constexpr std::uint8_t kOpcodeBase = 10;
constexpr std::uint32_t kLineByteBits = 8;
constexpr std::uint32_t kLineGroupBits = 7;

void put_fixed(std::vector<std::byte>& out, std::uint64_t value, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    out.push_back(static_cast<std::byte>(value >> kLineByteBits * i & 0xffU));
  }
}

void put_unsigned(std::vector<std::byte>& out, std::uint64_t value) {
  constexpr std::uint64_t kGroup = 0x7f;
  for (; value > kGroup; value >>= kLineGroupBits) {
    out.push_back(static_cast<std::byte>((value & kGroup) | 0x80U));
  }
  out.push_back(static_cast<std::byte>(value));
}

void put_signed(std::vector<std::byte>& out, std::int64_t value) {
  constexpr std::int64_t kHalf = 64;
  for (; value < -kHalf || value >= kHalf; value >>= kLineGroupBits) {
    out.push_back(static_cast<std::byte>((static_cast<std::uint64_t>(value) & 0x7fU) | 0x80U));
  }
  out.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) & 0x7fU));
}

void put_text(std::vector<std::byte>& out, const std::string& text) {
  for (const char each : text) {
    out.push_back(static_cast<std::byte>(each));
  }
  out.push_back(std::byte{0});
}

}  // namespace

std::uint32_t LineWriter::number_of(const std::string& file) {
  const auto known = std::ranges::find(files_, file);
  const auto number = static_cast<std::uint32_t>(known - files_.begin()) + 1;
  if (known == files_.end()) {
    files_.push_back(file);
  }
  return number;
}

std::uint64_t LineWriter::add(std::span<const LineRow> rows, const std::vector<std::string>& files,
                              std::uint64_t bytes) {
  constexpr std::uint32_t kAddressBytes = 8;
  put_fixed(sequences_, 0, 1);
  put_unsigned(sequences_, kAddressBytes + 1);
  put_fixed(sequences_, 2, 1);  // the address
  const std::uint64_t address_at = sequences_.size();
  put_fixed(sequences_, 0, kAddressBytes);
  std::uint64_t offset = 0;
  std::int64_t line = 1;
  const auto advance = [&](std::uint64_t to) {
    put_fixed(sequences_, 2, 1);
    put_unsigned(sequences_, to - offset);
    offset = to;
  };
  for (const LineRow& row : rows) {
    advance(row.offset);
    if (row.line != 0) {
      put_fixed(sequences_, 4, 1);
      put_unsigned(sequences_, number_of(files[row.file]));
    }
    put_fixed(sequences_, 3, 1);
    put_signed(sequences_, std::int64_t{row.line} - line);
    line = row.line;
    put_fixed(sequences_, 1, 1);
  }
  advance(std::max(bytes, offset));
  put_fixed(sequences_, 0, 1);
  put_unsigned(sequences_, 1);
  put_fixed(sequences_, 1, 1);  // the end
  return address_at;
}

std::vector<std::byte> LineWriter::header() const {
  std::vector<std::byte> tables;
  put_fixed(tables, 0, 1);  // no folders
  for (const std::string& file : files_) {
    put_text(tables, file);
    put_fixed(tables, 0, 3);  // folder, time, size
  }
  put_fixed(tables, 0, 1);
  constexpr std::uint8_t kOperands[kOpcodeBase - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1};
  constexpr std::uint64_t kParameters = 5 + sizeof kOperands;
  std::vector<std::byte> out;
  constexpr std::uint64_t kBeforeParameters = 10;
  put_fixed(out, kBeforeParameters - 4 + kParameters + tables.size() + sequences_.size(), 4);
  put_fixed(out, 2, 2);  // version
  put_fixed(out, kParameters + tables.size(), 4);
  put_fixed(out, 1, 1);     // bytes of an instruction: addresses count bytes
  put_fixed(out, 1, 1);     // rows begin statements
  put_fixed(out, 0xfb, 1);  // lines of special instructions: from -5 on
  put_fixed(out, 14, 1);    // 14 of them
  put_fixed(out, kOpcodeBase, 1);
  for (const std::uint8_t each : kOperands) {
    put_fixed(out, each, 1);
  }
  out.insert(out.end(), tables.begin(), tables.end());
  return out;
}

std::vector<std::byte> LineWriter::section() const {
  if (sequences_.empty()) {
    return {};
  }
  std::vector<std::byte> out = header();
  out.insert(out.end(), sequences_.begin(), sequences_.end());
  return out;
}

}  // namespace warpsim::sass
