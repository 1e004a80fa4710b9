#include "sass/dwarf_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace warpsim::sass {

namespace {

constexpr std::uint32_t kByteBits = 8;
constexpr std::uint32_t kGroupBits = 7;
constexpr std::uint64_t kGroup = 0x7f;
constexpr std::uint64_t kContinues = 0x80;
constexpr std::uint32_t kWordBits = 64;

enum Content : std::uint8_t { kPath = 1, kFolder = 2 };

// A text in another section.
std::string text_in(const ElfImage& image, const char* name, std::uint64_t offset, const DwarfBytes& bytes) {
  for (const ElfSection& section : image.sections()) {
    if (section.name != name) {
      continue;
    }
    const std::string_view all(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size());
    const std::size_t end = offset < all.size() ? all.find('\0', offset) : std::string_view::npos;
    if (end != std::string_view::npos) {
      return std::string(all.substr(offset, end - offset));
    }
  }
  bytes.fail(fmt::format("a name at offset {:#x} of section {}, where no text is", offset, name));
}

// A value; of a text only `path` is set.
std::uint64_t read_form(const ElfImage& image, DwarfBytes& bytes, std::uint64_t form, std::string& path) {
  switch (form) {
    case 0x08:  // string
      path = bytes.text();
      return 0;
    case 0x0e:  // strp
      path = text_in(image, ".debug_str", bytes.fixed(4), bytes);
      return 0;
    case 0x1f:  // line_strp
      path = text_in(image, ".debug_line_str", bytes.fixed(4), bytes);
      return 0;
    case 0x0b:
      return bytes.fixed(1);
    case 0x05:
      return bytes.fixed(2);
    case 0x06:
      return bytes.fixed(4);
    case 0x07:
      return bytes.fixed(8);
    case 0x0f:
      return bytes.unsigned_number();
    case 0x1e:  // 16 bytes
      bytes.move_to(bytes.after(16, "a checksum"));
      return 0;
    case 0x09: {  // a block
      const std::uint64_t length = bytes.unsigned_number();
      bytes.move_to(bytes.after(length, "a block"));
      return 0;
    }
    default:
      bytes.fail(fmt::format("a value of form {:#x} in a table of files", form));
  }
}

}  // namespace

std::uint64_t DwarfBytes::after(std::uint64_t length, const char* what) const {
  if (at_ > section_.bytes.size() || length > section_.bytes.size() - at_) {
    fail(fmt::format("{} of {} bytes; the section has {}", what, length, section_.bytes.size()));
  }
  return at_ + length;
}

std::uint64_t DwarfBytes::fixed(std::uint64_t bytes) {
  if (bytes == 0 || bytes > sizeof(std::uint64_t)) {
    fail(fmt::format("a number of {} bytes; expected 1 to 8", bytes));
  }
  after(bytes, "a number");
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    value |= std::to_integer<std::uint64_t>(section_.bytes[at_ + i]) << kByteBits * i;
  }
  at_ += bytes;
  return value;
}

std::uint64_t DwarfBytes::unsigned_number() {
  std::uint64_t value = 0;
  std::uint64_t byte = kContinues;
  for (std::uint32_t shift = 0; (byte & kContinues) != 0; shift += kGroupBits) {
    byte = fixed(1);
    value |= shift < kWordBits ? (byte & kGroup) << shift : 0;
  }
  return value;
}

std::int64_t DwarfBytes::signed_number() {
  constexpr std::uint64_t kSign = 0x40;
  std::uint64_t value = 0;
  std::uint64_t byte = kContinues;
  std::uint32_t shift = 0;
  for (; (byte & kContinues) != 0; shift = std::min(shift + kGroupBits, kWordBits)) {
    byte = fixed(1);
    value |= shift < kWordBits ? (byte & kGroup) << shift : 0;
  }
  if ((byte & kSign) != 0 && shift < kWordBits) {
    value |= ~std::uint64_t{0} << shift;
  }
  return static_cast<std::int64_t>(value);
}

std::string DwarfBytes::text() {
  const std::string_view all(reinterpret_cast<const char*>(section_.bytes.data()), section_.bytes.size());
  const std::size_t end = at_ < all.size() ? all.find('\0', at_) : std::string_view::npos;
  if (end == std::string_view::npos) {
    fail("a text that does not end in the section");
  }
  std::string text(all.substr(at_, end - at_));
  at_ = end + 1;
  return text;
}

std::vector<DwarfEntry> read_entries(const ElfImage& image, DwarfBytes& bytes) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> description(bytes.fixed(1));  // content, form
  for (auto& [content, form] : description) {
    content = bytes.unsigned_number();
    form = bytes.unsigned_number();
  }
  const std::uint64_t count = bytes.unsigned_number();
  // Each has a byte at least.
  if (count != 0) {
    bytes.after(description.empty() ? ~std::uint64_t{0} : count, "a table of files");
  }
  std::vector<DwarfEntry> entries;
  for (std::uint64_t i = 0; i < count; ++i) {
    DwarfEntry& entry = entries.emplace_back();
    for (const auto& [content, form] : description) {
      std::string path;
      const std::uint64_t value = read_form(image, bytes, form, path);
      if (content == kPath) {
        entry.path = std::move(path);
      } else if (content == kFolder) {
        entry.folder = value;
      }
    }
  }
  return entries;
}

}  // namespace warpsim::sass
