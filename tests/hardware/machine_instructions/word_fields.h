// Writes fields of instruction words.
#pragma once

#include <cstdint>

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

}  // namespace warpsim::test
