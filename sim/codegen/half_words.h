// Registers of 16 bits that are halves of a word: which of them the instructions that read them take from the word, so
// that no instruction is needed to unpack it.
//
// Machine instructions of half precision select a half of each operand, and PRMT packs any two halves. Others read the
// lower half: the upper bits of a register of 16 bits mean nothing. Compared with ptxas of CUDA 13.0.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warpsim::codegen {

enum class HalfReads : std::uint8_t {
  kNeither,  // an instruction needs the value in a register of its own
  kLower,
  kEither,
};
// By register: what all instructions that read it can take.
std::vector<HalfReads> half_reads(const ptx::Function& function);

// Unpacks a value into registers of 16 bits.
bool unpacks_halves(const ptx::Function& function, const ptx::Instruction& instruction);
// Packs registers of 16 bits, two in a word.
bool packs_halves(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace warpsim::codegen
