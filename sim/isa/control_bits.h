// Scheduling information of the compiler for each instruction, from sm_50 on.
//
// sm_70 and later keep the 21-bit field in bits 105-125 of the 128-bit instruction; sm_50 to sm_62 keep three of them
// in a 64-bit word before every three instructions. The order of the bits inside a field is the same. Evidence: agrees
// with published assemblers and, for sm_70 on, with listings of ptxas output.
#pragma once

#include <cstdint>

#include "isa/static_instruction.h"

namespace warpsim {

// The 21-bit field: stall 0-3, yield 4 (active low), write barrier 5-7, read barrier 8-10, wait mask 11-16, reuse
// 17-20.
constexpr ControlBits decode_control_field(std::uint64_t field) {
  ControlBits bits;
  bits.stall_cycles = static_cast<std::uint8_t>(field & 0xfU);
  bits.yield = ((field >> 4U) & 1U) == 0;
  bits.write_barrier = static_cast<std::uint8_t>((field >> 5U) & 7U);
  bits.read_barrier = static_cast<std::uint8_t>((field >> 8U) & 7U);
  bits.wait_mask = static_cast<std::uint8_t>((field >> 11U) & 0x3fU);
  bits.reuse_mask = static_cast<std::uint8_t>((field >> 17U) & 0xfU);
  return bits;
}

// `upper`: bits 64-127 of an instruction of sm_70 or later.
constexpr ControlBits decode_volta_control(std::uint64_t upper) {
  return decode_control_field(upper >> 41U);
}

// sm_50 to sm_62: the code is groups of 32 bytes, a control word and three instructions of 8 bytes each.
constexpr bool is_maxwell_instruction_offset(std::uint32_t pc) {
  return pc % 8 == 0 && pc % 32 != 0;
}
// Which 64-bit word of the function's code holds the control bits of the instruction at `pc`.
constexpr std::uint32_t maxwell_control_word(std::uint32_t pc) {
  return pc / 32 * 4;
}
constexpr std::uint32_t maxwell_control_slot(std::uint32_t pc) {
  return pc % 32 / 8 - 1;
}

// `word`: control word of a group of sm_50 to sm_62; `slot`: 0 to 2, the instruction's place in the group.
constexpr ControlBits decode_maxwell_control(std::uint64_t word, std::uint32_t slot) {
  return decode_control_field(word >> (21U * slot));
}

}  // namespace warpsim
