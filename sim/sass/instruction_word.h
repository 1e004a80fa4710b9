// One machine instruction of sm_70 or later: 128 bits, bit 0 is the least significant bit of the first byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace warpsim::sass {

inline constexpr std::uint32_t kInstructionBytes = 16;

struct InstructionWord {
  std::uint64_t low = 0;   // bits 0 to 63
  std::uint64_t high = 0;  // bits 64 to 127

  // Bits `first` to `last`, both included, at most 64 of them.
  constexpr std::uint64_t bits(std::uint32_t first, std::uint32_t last) const {
    const std::uint32_t count = last - first + 1;
    std::uint64_t value = 0;
    if (first >= 64) {
      value = high >> (first - 64);
    } else if (first == 0) {
      value = low;
    } else {
      value = low >> first | high << (64 - first);
    }
    return count >= 64 ? value : value & ((std::uint64_t{1} << count) - 1);
  }
  constexpr bool bit(std::uint32_t position) const { return bits(position, position) != 0; }
  // The operation with the form of its operands: bits 0 to 11 and, as the thirteenth, bit 91.
  constexpr std::uint32_t opcode() const { return static_cast<std::uint32_t>(bits(0, 11) | bits(91, 91) << 12U); }
  bool operator==(const InstructionWord&) const = default;
};

// The word at a byte offset of code, which has so many bytes left.
inline InstructionWord word_at(std::span<const std::byte> code, std::size_t offset) {
  InstructionWord word;
  std::memcpy(&word.low, code.data() + offset, sizeof word.low);
  std::memcpy(&word.high, code.data() + offset + sizeof word.low, sizeof word.high);
  return word;
}

}  // namespace warpsim::sass
