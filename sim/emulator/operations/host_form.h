// What a handler computes, for the translation of operations to the host's instructions (host_code/). A handler without
// a form is called as it is. The form must be set with the handler: both read the same fields of the operation.
#pragma once

#include <cstdint>

#include "ptx/module.h"

namespace warpsim {

// 32 and 64: bits per lane. `d`, `a`, `b`, `c`, `p`, `e`: operands of the operation.
enum class HostForm : std::uint8_t {
  kNone,
  // d = a
  kMove32,
  kMove64,
  kPackWords,    // d = the two words of the list at `target`
  kUnpackWords,  // the reverse, from a
  // Integers, modulo 2^32 or 2^64.
  kAdd32,
  kAdd64,
  kSubtract32,
  kSubtract64,
  kMultiply32,
  kMultiply64,
  kMultiplyAdd32,  // a * b + c
  kMultiplyAdd64,
  kMultiplyWideSigned,  // of 32 bits to 64
  kMultiplyWideUnsigned,
  kMultiplyAddWideSigned,
  kMultiplyAddWideUnsigned,
  kMultiplyAddPair,  // the same with carries; c and the result in words: operation_variants.h
  kNegate32,
  kMinimumSigned32,
  kMinimumUnsigned32,
  kMaximumSigned32,
  kMaximumUnsigned32,
  kAddThree,       // a + b + c; bits of `variant`: negated sources
  kAddThreeCarry,  // the same with carries: lists at `target`
  kAddScaled,      // Scaled in `count`, with carries as kAddThreeCarry; by `offset`
  kAddOffset32,    // a + offset
  kAddOffset64,
  // Bits.
  kAnd32,
  kAnd64,
  kOr32,
  kOr64,
  kXor32,
  kXor64,
  kNot32,
  kNot64,
  kLookUp,              // the table `variant` of a, b, c
  kLookUpAndTest,       // p: whether the result is not 0, and the predicate e (negated: `count`)
  kLookUpOrTest,        // the same with `or`
  kShiftLeft32,         // by b, 0 from 32 on
  kShiftRightSigned32,  // by b, the sign from 32 on
  kShiftRightUnsigned32,
  kShiftLeft64,
  kShiftRightSigned64,
  kShiftRightUnsigned64,
  kShiftLeftBy,  // of 32 bits, by `offset`
  kShiftRightSignedBy,
  kShiftRightUnsignedBy,
  kFunnelBy,       // the lower word of {c, a} >> offset
  kExtractSigned,  // c bits of a from bit b on, both constants
  kExtractUnsigned,
  kPermuteBytes,  // of a and b, by the constant c
  // Extension and truncation.
  kExtendUnsigned,
  kExtendSigned,
  kTruncate,
  // Single precision, rounded to nearest if `variant` says so; `host_detail`: FloatDetail.
  kFloatAdd,
  kFloatSubtract,
  kFloatMultiply,
  kFloatMultiplyAdd,
  kFloatMultiplyAddSigned,  // rounding in `count`, negated and absolute parts in `variant`
  kFloatMinimum,
  kFloatMaximum,
  // The special function unit (numbers/interpolated_functions.h) for single precision; of a, angles in revolutions.
  kReciprocal,
  kRoot,
  kReciprocalRoot,
  kLogarithm,
  kPower,
  kSine,
  kCosine,
  kCheckQuotient,  // predicate d: whether a / b needs more than a division step
  // Double precision; in words: lists at `target`, the result first.
  kDoubleAdd,
  kDoubleMultiply,
  kDoubleMultiplyAdd,
  kDoubleNegate,
  kDoubleAbsolute,
  kDoubleAddInWords,
  kDoubleMultiplyInWords,
  kDoubleMultiplyAddInWords,
  // Two halves in a word, rounded to nearest.
  kHalvesAdd,
  kHalvesSubtract,
  kHalvesMultiply,
  kHalvesMultiplyAdd,
  // Conversions between single precision and one half or one bfloat16, or two of a (upper) and b, to nearest.
  kFloatOfHalf,
  kHalfOfFloat,
  kHalvesOfFloats,
  kFloatOfBrain,
  kBrainOfFloat,
  kBrainsOfFloats,
  // Predicates d and p from a comparison of a and b: relations in `host_detail`, combined as in `variant`.
  kCompareSigned32,
  kCompareUnsigned32,
  kCompareSigned64,
  kCompareUnsigned64,
  kCompareFloat,
  kCompareDouble,
  kSelect32,  // d = predicate c (negated: `count`) ? a : b
  kSelect64,
  // Logic of predicates.
  kPredicateAnd,  // bits of `count`: negated sources
  kPredicateOr,
  kPredicateXor,
  kPredicateNot,
  kPredicateMove,    // negated: `variant`
  kPredicateLookUp,  // d by the table `variant`, p by the table `count`; sources in the lists at `target`
  kShuffle,          // as Shuffle in `variant`
  // Conversions, to nearest.
  kSignedOfFloat,  // of single precision, as Integral in `host_detail`
  kUnsignedOfFloat,
  kFloatOfSigned,
  kFloatOfUnsigned,
  // Memory: elements of 4 or 8 bytes, each into a register of its size, in the lists at `target`.
  kLoadWords,
  kLoadWideWords,
  kStoreWords,
  kStoreWideWords,
  // The same for one element of 1 or 2 bytes and a register of 32 bits.
  kLoadNarrow,
  kLoadNarrowSigned,
  kStoreNarrow,
};

// Bits of Operation::host_detail for single precision.
inline constexpr std::uint8_t kFloatFlushes = 1;
inline constexpr std::uint8_t kFloatSaturates = 2;

inline std::uint8_t float_detail(bool flushes, bool saturates) {
  return static_cast<std::uint8_t>((flushes ? kFloatFlushes : 0U) | (saturates ? kFloatSaturates : 0U));
}

// The form for patterns of bits of the type; narrower ones have none.
inline HostForm form_by_width(ptx::DataType type, HostForm of32, HostForm of64) {
  const std::uint32_t bytes = ptx::bytes_of(type);
  return bytes == 4 ? of32 : bytes == 8 ? of64 : HostForm::kNone;
}

// That of an access to `count` elements of a type with registers of type `own`.
inline HostForm form_of_access(ptx::DataType type, ptx::DataType own, std::uint32_t count, HostForm narrow,
                               HostForm of32, HostForm of64) {
  if (ptx::bytes_of(type) < 4) {
    return count == 1 && ptx::bytes_of(own) <= 4 ? narrow : HostForm::kNone;
  }
  return ptx::bytes_of(own) == ptx::bytes_of(type) ? form_by_width(type, of32, of64) : HostForm::kNone;
}

}  // namespace warpsim
