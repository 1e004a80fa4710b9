// Writes fields of instruction words.
#pragma once

#include <cstdint>
#include <vector>

#include "sass/bit_field.h"
#include "sass/instruction_word.h"

namespace warpsim::test {

using sass::BitField;
using sass::InstructionWord;

inline void set_bits(InstructionWord& word, const BitField& field, std::uint64_t value) {
  for (std::uint32_t run = field.count; run-- > 0;) {
    for (std::uint32_t bit = field.runs[run].first; bit <= field.runs[run].last; ++bit, value >>= 1U) {
      std::uint64_t& part = bit < 64 ? word.low : word.high;
      const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
      part = (value & 1U) != 0 ? part | mask : part & ~mask;
    }
  }
}
inline BitField one_bit(std::uint32_t bit, std::uint32_t width = 1) {
  BitField field;
  field.runs[0] = {static_cast<std::uint8_t>(bit), static_cast<std::uint8_t>(bit + width - 1)};
  field.count = 1;
  return field;
}
inline bool has_bits(const BitField& field, std::uint32_t first) {
  return field.count == 1 && field.runs[0].first == first;
}

// Values of an immediate operand of so many bits.
inline std::vector<std::uint64_t> integers_of(std::uint32_t width) {
  switch (width) {
    case 32:
      return {0x00000007, 0xfffffff6, 0x80000000, 0x0000001f, 0x00003276, 0x00000000, 0x12345678, 0x0000ff21};
    case 8:
      return {0xe8, 0xc0, 0x96, 0x1b, 0xfe, 0x3c, 0x00, 0xff, 0x40, 0x7f};
    case 13:
      return {0x1f, 0x1c03, 0x1800, 0x101f, 0x0f, 0x0};
    case 4:
      return {15, 1, 6, 0};
    default:
      return {1, 2, 5, 0, 31, 16, 24, 30};
  }
}

}  // namespace warpsim::test
