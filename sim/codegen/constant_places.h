// Where constants of a kernel lie in the constant banks: parameters, sizes of the launch, variables in constant memory.
//
// Source: disassemblies of code of nvcc 11 to 13 for 7.5 to 9.0. Parameters begin at 0x160 before 9.0 and at 0x210
// on 9.0; the sizes of the launch are at 0x0 to 0x14. Variables of a module are assumed to lie one after another in
// bank 3.
#pragma once

#include <cstdint>
#include <string>

#include "ptx/module.h"

namespace warpsim::codegen {

// The first architecture on which arithmetic no longer reads constants of its launch by address, but from uniform
// registers.
inline constexpr std::uint32_t kFirstWithUniformConstants = 90;
inline bool reads_constants_by_address(std::uint32_t architecture) {
  return architecture < kFirstWithUniformConstants;
}

inline constexpr std::uint32_t kConstantWord = 4;  // bytes

// Offset of the first parameter in bank 0, and of a variable in constant memory, by its number in the module, in
// bank 3.
std::uint64_t parameters_offset(std::uint32_t architecture);
// Of a parameter after the first one's offset.
std::uint64_t parameter_offset(const ptx::Function& function, std::uint32_t parameter);
std::uint64_t constant_variable_offset(const ptx::Module& module, std::uint32_t variable);

// "c[0x0][0x160]": the first parameter.
std::string parameters_place(std::uint32_t architecture);

// "c[0x0][0x4]" of a size of the launch (%ntid.y); empty: the operand is something else.
std::string launch_size_place(const ptx::Operand& operand);

// "c[0x0][0x160]" of the word that a load of an own parameter or of a variable in constant memory reads, or a move of a
// size of the launch; empty: the instruction is none of these, or its address is computed.
std::string constant_place(const ptx::Module& module, const ptx::Function& function,
                           const ptx::Instruction& instruction, std::uint8_t word, std::uint32_t architecture);

}  // namespace warpsim::codegen
