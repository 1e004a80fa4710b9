#include "sass/bit_field.h"

#include <charconv>
#include <stdexcept>
#include <string>

namespace warpsim::sass {

std::uint32_t BitField::width() const {
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    bits += runs[i].last - runs[i].first + 1U;
  }
  return bits;
}

std::uint64_t BitField::extract(const InstructionWord& word) const {
  std::uint64_t value = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t bits = runs[i].last - runs[i].first + 1U;
    value = value << bits | word.bits(runs[i].first, runs[i].last);
  }
  return value;
}

std::int64_t BitField::extract_signed(const InstructionWord& word) const {
  const std::uint32_t unused = 64 - width();
  return static_cast<std::int64_t>(extract(word) << unused) >> unused;
}

std::uint32_t table_number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::logic_error("expected a number, found '" + std::string(text) + "'");
  }
  return value;
}

BitField bit_field(std::string_view text) {
  BitField out;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view run = text.substr(0, comma);
    const std::size_t dash = run.find('-');
    const std::uint32_t last = table_number(run.substr(0, dash));
    const std::uint32_t first = dash == std::string_view::npos ? last : table_number(run.substr(dash + 1));
    if (first > last || last > 127 || out.count == out.runs.size()) {
      throw std::logic_error("wrong bits '" + std::string(text) + "'");
    }
    out.runs[out.count++] = {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(last)};
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return out;
}

}  // namespace warpsim::sass
