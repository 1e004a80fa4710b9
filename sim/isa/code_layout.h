// Layout of the instructions of a program in memory. From sm_70 on an instruction has 16 bytes, before 8; from sm_30 to
// sm_62 each group of instructions has a word of scheduling information of 8 bytes in front (published assemblers and
// listings of those architectures). Instructions of sm_1x in their short form of 4 bytes are counted as 8.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace warpsim {

struct CodeLayout {
  std::uint32_t instruction_bytes = 16;
  std::uint32_t group_instructions = 0;  // after each scheduling word of 8 bytes; 0: none

  // Offset of an instruction from the start of the program.
  constexpr Address offset(std::uint32_t index) const {
    const Address instructions = Address{index} * instruction_bytes;
    return group_instructions == 0 ? instructions : instructions + Address{8} * (index / group_instructions + 1);
  }
  // Bytes of so many instructions.
  constexpr Address size(std::uint32_t count) const { return count == 0 ? 0 : offset(count - 1) + instruction_bytes; }
  bool operator==(const CodeLayout&) const = default;
};

constexpr CodeLayout code_layout_of(std::uint32_t architecture) {
  constexpr std::uint32_t kFirstWithWords = 30;
  constexpr std::uint32_t kFirstMaxwell = 50;
  constexpr std::uint32_t kFirstWide = 70;
  if (architecture >= kFirstWide) {
    return {16, 0};
  }
  return {8, architecture >= kFirstMaxwell ? 3U : architecture >= kFirstWithWords ? 7U : 0U};
}

}  // namespace warpsim
