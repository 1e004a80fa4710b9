// mma.m8n8k4 of half precision, which came with compute capability 7.0: four products at once, each by two groups of
// four lanes (a quad and the one 16 lanes above it), with a layout of registers of its own (PTX ISA, "Matrix Fragments
// for mma.m8n8k4 with .f16 floating point type").
#pragma once

#include "emulator/operations/operation_builder.h"

namespace warpsim {

bool is_quad_product(const ptx::Instruction& instruction);
// The words that all forms of mma have are already read.
void bind_quad_product(OperationBuilder& builder);

}  // namespace warpsim
