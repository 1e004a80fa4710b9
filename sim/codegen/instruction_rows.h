// The machine instructions of each PTX instruction, as compilers choose them for each capability.
//
// A sequence has the form of a disassembly, with letters for operands: d is the result, p a second result
// (a predicate), a, b, c, e the sources in order; t to z are temporaries of 32 bits, T to W of 64 bits, P and Q
// predicates. ".0" and ".1" after a letter are the low and the high word of 64 bits. Several sequences separated by
// " | " are equally good: they use different pipes, and compilers mix them.
// Divisions and roots have sequences for their fast path, for the test of their operands and for the function of other
// operands (slow_paths.h). Such functions need registers beside the values that live on: measured with ptxas 13 for
// 7.5, 8.0 and 9.0, which differ by one at most. The sequence of the whole, for instructions under a guard, has the
// branch over the function ("@!P BRA next"), but not the function.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ptx/module.h"

namespace warpsim::codegen {

struct InstructionRow {
  std::string_view opcode;    // of PTX
  std::string_view words;     // modifiers that it must have; "s32|u32": one of them
  std::string_view sequence;  // empty: nothing is executed
  std::uint32_t first = 0;    // SASS architectures to which the row applies
  std::uint32_t last = 999;
  std::uint32_t path_registers = 0;  // of the path that is not included
  // What goes before the sequence and only depends on b: it sets t and v, which instructions of a block with the same
  // divisor share.
  std::string_view divisor = {};
  ptx::CodePath path = ptx::CodePath::kWhole;
};

// In order of opcode; the first row of an instruction that applies is used.
std::span<const InstructionRow> instruction_rows();

// Null if no row applies.
const InstructionRow* find_row(const ptx::Instruction& instruction, std::uint32_t architecture);

}  // namespace warpsim::codegen
