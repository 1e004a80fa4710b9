// The integer and uniform instructions of a program, prepared to follow values through it: operands as numbers
// instead of text. All other instructions write an unknown value.
//
// Needed only for kernels with asynchronous copies or barriers in shared memory, whose addresses, byte counts and
// phases no trace records, and for those that read constants at addresses in registers (warp_values.h follows them).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/static_instruction.h"

namespace warpsim {

enum class ScalarOp : std::uint8_t {
  kUnknown,  // its results are new unknowns
  kNone,     // has no relevant result
  kMove,
  kAdd,       // three terms, carry in and out
  kMultiply,  // a * b + c
  kMultiplyWide,
  kLea,
  kShift,  // funnel shift of c:a by b
  kLogic,  // LOP3
  kPermute,
  kSelect,
  kCompare,         // ISETP
  kPredicateLogic,  // PLOP3
  kSpecialRegister,
  kConstantLoad,
  kToUniform,  // R2UR
  kShuffleIndex,
};

enum class SpecialValue : std::uint8_t {
  kUnknown,
  kThreadX,
  kThreadY,
  kThreadZ,
  kLane,
  kWarp,
  kBlockX,
  kBlockY,
  kBlockZ,
  kClusterRank,
  kZero,
};

struct ScalarOperand {
  enum class Kind : std::uint8_t { kNone, kRegister, kUniform, kImmediate, kConstant };
  Kind kind = Kind::kNone;
  bool negative = false;
  bool inverted = false;
  bool wide = false;         // a pair of registers
  std::uint8_t index = 255;  // register; constant: register of the offset, 255: none
  bool index_uniform = false;
  std::uint32_t value = 0;  // immediate; constant: bank << 24 | offset
};

struct ScalarPredicate {
  std::uint8_t index = kNoPredicate;
  bool uniform = false;
  bool negative = false;
};

// [R7+UR14+0x10], [UR8]
struct ScalarAddress {
  bool present = false;
  std::uint8_t general = kZeroRegister;
  std::uint8_t uniform = 63;
  std::uint32_t offset = 0;
};

enum class Comparison : std::uint8_t { kFalse, kLess, kEqual, kLessEqual, kGreater, kNotEqual, kGreaterEqual, kTrue };

struct ScalarInstruction {
  ScalarOp op = ScalarOp::kUnknown;
  bool guard_negative = false;                                         // @!P
  bool uniform_results = false;                                        // destination is a uniform register
  bool uniform_predicates = false;                                     // predicate destinations are uniform
  std::uint8_t destination = 255;                                      // 255: none
  bool wide = false;                                                   // writes a pair
  std::array<std::uint8_t, 2> predicates{kNoPredicate, kNoPredicate};  // destinations
  std::array<ScalarOperand, 4> sources{};
  std::array<ScalarPredicate, 3> predicate_sources{};
  std::uint8_t predicate_source_count = 0;
  std::array<std::uint8_t, 2> lut{};
  bool shift_left = false;
  bool high_word = false;  // of a 64-bit shift, of LEA.HI, of IMAD.HI
  bool is_signed = false;
  bool shift_wide = false;  // .U64, .S64
  bool carry_in = false;    // .X
  bool whole_pair = false;  // UIADD3.64
  Comparison comparison = Comparison::kFalse;
  std::uint8_t combine = 0;  // ISETP: 0 AND, 1 OR, 2 XOR
  SpecialValue special = SpecialValue::kUnknown;
  std::uint8_t constant_bytes = 4;
  // Of any instruction: the addresses in brackets in order, and plain register operands after them.
  std::array<ScalarAddress, 2> addresses{};
  ScalarOperand data;
};

struct ScalarProgram {
  std::vector<ScalarInstruction> instructions;
};

// Whether the program's text is known (StaticProgram::text).
bool has_text(const StaticProgram& program);
// It must be.
ScalarProgram make_scalar_program(const StaticProgram& program);

}  // namespace warpsim
