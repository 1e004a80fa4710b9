// Meanings of fields of an operation that depend on its handler, for handlers and for the translation to the host's
// instructions (host_form.h), which read the same fields.
#pragma once

#include <cstdint>

namespace warpsim {

// Operation::variant of a comparison: how the result is combined with the predicate operation.c.
enum class Combination : std::uint8_t { kNone, kAnd, kOr, kXor };

// Operation::variant of a shuffle.
enum class Shuffle : std::uint8_t { kUp, kDown, kButterfly, kIndex };

// Bits of Operation::count for logic of predicates.
inline constexpr unsigned kNegatesFirst = 1;
inline constexpr unsigned kNegatesSecond = 2;

// Bits of Operation::variant for sums of machine code.
inline constexpr unsigned kNegatesA = 1;
inline constexpr unsigned kNegatesB = 2;
inline constexpr unsigned kNegatesC = 4;
inline constexpr unsigned kTakesCarry = 8;

// Operation::count of a shifted sum: (a << shift) + b, or the upper half of {c, a} << shift.
enum class Scaled : std::uint8_t { kLow, kHigh, kHighOfSigned };

// Entries of Operation::target's list for wide products: place of the upper half, or none; upper half of c; whether the
// upper half goes to d; a carry and whether it is negated.
inline constexpr unsigned kWideHigh = 0;
inline constexpr unsigned kWideAddendHigh = 1;
inline constexpr unsigned kWideIsUpper = 2;
inline constexpr unsigned kWideCarry = 3;
// The bit of Operation::variant that tells signed factors.
inline constexpr unsigned kSignedFactors = 1;

// Bits of Operation::variant for the multiply-add of machine code, whose rounding is in Operation::count.
inline constexpr unsigned kNegatesProduct = 1;
inline constexpr unsigned kNegatesAddend = 2;
inline constexpr unsigned kFirstAbsolute = 4;
inline constexpr unsigned kSecondAbsolute = 8;
inline constexpr unsigned kAddendAbsolute = 16;

}  // namespace warpsim
