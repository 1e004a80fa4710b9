// Relocation types of cubins: which bits of machine code or data an address, an offset in a constant bank, or a part of
// them, is stored in.
//
// All types that ptxas and nvlink of CUDA 13 write for sm_70 and later are known; those of earlier architectures are
// not. Numbers and names: redplait/denvdis; places in words: relocatable cubins of nvcc 13 compared with nvlink's
// result, and the operand positions of the branch and constant operands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace warpsim::sass {

// Bits `first` to `last` of the place, at most 64 of them.
struct RelocationField {
  std::uint8_t first = 0;
  std::uint8_t last = 0;
  std::uint8_t shift = 0;  // bits of the value that are left out at its lower end
};

struct RelocationType {
  // What is stored.
  enum class Kind : std::uint8_t {
    kNothing,
    kAddress,   // of a variable or function, or an offset in shared memory or a constant bank
    kConstant,  // an offset in a constant bank, and the bank
    kIndex,     // of a texture, sampler or surface in the driver's table
    kClear,     // zero, if the symbol is unused
    kYield,     // whether an instruction is YIELD or NOP, which only a linker decides
  };
  std::uint32_t number;
  std::string_view name;
  Kind kind;
  std::uint8_t bytes;  // of the place: 16 for an instruction
  bool partial;        // part of a value; otherwise the whole value must fit
  RelocationField fields[2];
  std::uint8_t field_count;
};

// Nothing for an unknown number.
const RelocationType* find_relocation_type(std::uint32_t number);

// The value that the place has, as an addend: for relocations without one.
std::uint64_t stored_value(const RelocationType& type, std::span<const std::byte> place);
// Returns false, and stores nothing, if the value does not fit. Negative values have the bits of their two's
// complement.
bool store_value(const RelocationType& type, std::uint64_t value, std::span<std::byte> place);
// Of a type of kind kConstant.
void store_bank(std::uint32_t bank, std::span<std::byte> place);

}  // namespace warpsim::sass
