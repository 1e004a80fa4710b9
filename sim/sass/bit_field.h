// Fields of instruction words: runs of bits that together are one value.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sass/instruction_word.h"

namespace warpsim::sass {

// One or several runs of bits, the most significant first.
struct BitField {
  struct Run {
    std::uint8_t first = 0;
    std::uint8_t last = 0;
  };
  std::array<Run, 3> runs{};
  std::uint8_t count = 0;  // of runs

  std::uint32_t width() const;
  std::uint64_t extract(const InstructionWord& word) const;
  std::int64_t extract_signed(const InstructionWord& word) const;
};

// "79-76,72". Throws std::logic_error: a mistake in the table of instructions.
BitField bit_field(std::string_view text);
// Throws std::logic_error.
std::uint32_t table_number(std::string_view text);

}  // namespace warpsim::sass
