// The properties of a SASS opcode: class, pipe, timing class, memory space, access width, register widths.
//
// Modelled: every documented opcode of sm_10 to sm_90 with the modifiers that change one of these properties. Not
// modelled: modifiers that only change values (rounding, comparison, saturation). An opcode that is not in the table
// is classified as an integer ALU operation with single registers and marked as unknown; names that begin with U are
// taken for uniform-datapath operations.
// The data is in opcode_rows.cc; this file only looks it up.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/static_instruction.h"

namespace warpsim {

// Coarse classes for summaries.
enum class InstructionClass : std::uint8_t {
  kInteger,  // integer, logic, moves, predicates
  kFp32,
  kFp16,
  kFp64,
  kSpecial,  // transcendentals, conversions, bit counts
  kTensor,
  kUniform,
  kCrossLane,  // shuffle, vote, match, redux
  kGlobal,
  kShared,
  kLocal,
  kGeneric,
  kConstant,
  kTexture,
  kBulkCopy,
  kControl,  // branches, convergence barriers, exit
  kSync,     // block barriers, fences, dependence barriers
  kOther,
};
inline constexpr std::uint32_t kInstructionClassCount = 18;
const char* to_string(InstructionClass type);

// Fills kind, pipe, timing, space, cache_op, bytes_per_lane, matrices, mma_macs, mma_operand_bits,
// barrier_arrive_only and known_opcode of `out` from the opcode with all its modifiers ("LDG.E.128.CONSTANT").
// `architecture` is the SASS architecture (90 for sm_90). Returns false for an unknown opcode (see above).
bool classify(std::string_view opcode, std::uint32_t architecture, StaticInstruction& out);

InstructionClass instruction_class(std::string_view opcode, std::uint32_t architecture);

// The pipes whose sm__inst_executed_pipe_* counter an executed instruction raises; bit i stands for Pipe i. 0 for
// instructions that none counts (BRA, UMOV, ULDC, NOP, DEPBAR, ...). Counters that split a pipe (fmaheavy and
// fmalite: a packed FP16 operation occupies both) are handled by the core.
std::uint32_t counted_pipes(const StaticInstruction& instruction, std::string_view opcode, std::uint32_t architecture);

}  // namespace warpsim
