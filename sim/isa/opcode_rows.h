// The opcode table's data: one row per opcode, one row per opcode with a modifier that changes its class.
//
// Covers the documented SASS opcodes of sm_10 to sm_90 (CUDA Binary Utilities) and undocumented ones found in real
// listings. Pipes are those that Nsight Compute counts on sm_90: computed per launch from recorded instructions, the
// alu, fma, fp64, xu, tensor, uniform, cbu, lsu, tex and tma counters of an H200 are reproduced exactly; adu exceeds
// the table by the immediate-constant misses that pass through it (opcode_table_test.cc). Where the older
// capabilities differ in what is modelled, an ArchitectureRow says so. Opcodes that no measured program contains have
// the pipe that the vendor's throughput table implies.
// Invariant: rows are sorted by name (checked at compile time).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "isa/opcode_table.h"

namespace warpsim {

// Which leading operands of a listing line are results.
enum class Results : std::uint8_t {
  kNone,           // stores, branches, barriers
  kRegister,       // predicates in front, one register, predicates right after it: P0, R1, | R1, P0, ...
  kOne,            // the first operand only
  kOnePredicate,   // FCHK P0, R1, R2
  kTwoPredicates,  // ISETP P0, PT, ...
  kAllButLast,     // VOTE R1, P0, P1
};

// Which operand slot (A, B, C) the sources of a listing line are read through.
enum class SourceSlots : std::uint8_t {
  kInOrder,
  kUnary,    // a single source sits in slot B: MOV, conversions
  kAddLike,  // the second source sits in slot C: FADD, HADD2
};

// Registers an operand covers. `kData` means one for every 4 bytes of the memory access.
struct OperandWidths {
  static constexpr std::uint8_t kData = 0xff;
  std::uint8_t destination = 1;
  std::array<std::uint8_t, 4> sources = {1, 1, 1, 1};
};

// Source of widths that are not those of the row.
enum class WidthRule : std::uint8_t {
  kRow,
  kConversionTypes,  // F2F, F2I, I2F, FRND: 64-bit type modifiers
  kTensorShape,      // HMMA family: fragments of the shape
};

struct Behaviour {
  OpKind kind = OpKind::kCompute;
  Pipe pipe = Pipe::kAlu;
  TimingClass timing = TimingClass::kAlu;
  InstructionClass type = InstructionClass::kInteger;
  MemorySpace space = MemorySpace::kNone;
  Results results = Results::kRegister;
  bool counted = true;  // false: no pipe counter counts it
};

struct OpcodeRow {
  std::string_view name;
  Behaviour behaviour;
  OperandWidths widths = {};
  WidthRule rule = WidthRule::kRow;
  SourceSlots slots = SourceSlots::kInOrder;
};

// Replaces parts of the opcode's row when the modifier is present.
struct ModifierRow {
  std::string_view opcode;
  std::string_view modifier;
  std::optional<Behaviour> behaviour;
  std::optional<OperandWidths> widths;
};

// Replaces the behaviour on SASS architectures up to `last`.
struct ArchitectureRow {
  std::string_view opcode;
  std::uint32_t last;
  Behaviour behaviour;
};

std::span<const OpcodeRow> opcode_rows();
std::span<const ModifierRow> modifier_rows();
std::span<const ArchitectureRow> architecture_rows();

}  // namespace warpsim
