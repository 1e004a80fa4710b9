// The text of decoded instructions, as NVIDIA's disassembler prints it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sass/machine_instruction.h"

namespace warpsim::sass {

// The name of a special register by its number, "SR_TID.X"; "SR<number>" for one without a known name.
std::string special_register_name(std::uint32_t number);
// As NVIDIA's disassembler prints immediate values; the bits of a float, a half, a bfloat16, and the upper half of a
// double.
std::string float_text(std::uint32_t bits);
std::string double_text(std::uint32_t upper_bits);
std::string half_text(std::uint16_t bits);
std::string brain_float_text(std::uint16_t bits);

struct PrintOptions {
  // The text of a branch target (byte offset in the code); without it, the offset in hexadecimal.
  std::function<std::string(std::uint64_t offset)> label;
};

// Without the semicolon: "@!P0 IADD3 R1, P1, R2.reuse, c[0x0][0x8], RZ".
std::string instruction_text(const MachineInstruction& instruction, const PrintOptions& options = {});

}  // namespace warpsim::sass
