// Floating-point formats below 64 bits: conversions, exact or rounded once.
//
// A number is sign, integer and exponent; its form in a format is a magnitude (exponent field, then fraction) whose
// order is that of the values, so that a carry from the fraction moves into the exponent.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "emulator/numbers/float_rounding.h"

namespace warpsim {

struct FloatFormat {
  int fraction_bits = 0;
  int bias = 0;
  std::uint32_t largest = 0;   // finite magnitude
  std::uint32_t infinity = 0;  // result of overflow; a NaN in formats without infinity
  std::uint32_t nan = 0;
  bool has_nan = true;
  bool has_infinity = true;
  int bits = 16;  // of the whole value, the sign is the highest bit
};

inline constexpr FloatFormat kHalfFormat{10, 15, 0x7bff, 0x7c00, 0x7fff, true, true, 16};
inline constexpr FloatFormat kBrainFormat{7, 127, 0x7f7f, 0x7f80, 0x7fff, true, true, 16};
inline constexpr FloatFormat kSingleFormat{23, 127, 0x7f7fffff, 0x7f800000, 0x7fffffff, true, true, 32};
inline constexpr FloatFormat kTensorFormat{10, 127, 0x3fbff, 0x3fc00, 0x3ffff, true, true, 19};  // .tf32, 13 bits below
inline constexpr FloatFormat kE4m3Format{3, 7, 0x7e, 0x7f, 0x7f, true, false, 8};
inline constexpr FloatFormat kE5m2Format{2, 15, 0x7b, 0x7c, 0x7f, true, true, 8};
inline constexpr FloatFormat kE2m3Format{3, 1, 0x1f, 0x1f, 0x1f, false, false, 6};
inline constexpr FloatFormat kE3m2Format{2, 3, 0x1f, 0x1f, 0x1f, false, false, 6};
inline constexpr FloatFormat kE2m1Format{1, 1, 0x7, 0x7, 0x7, false, false, 4};

// (-1)^negative * integer * 2^exponent, integer not 0.
struct ExactNumber {
  bool negative = false;
  std::uint64_t integer = 0;
  int exponent = 0;
};

// The finite double, not 0.
inline ExactNumber exact(double value) {
  constexpr int kFraction = 52;
  constexpr std::uint64_t kHidden = std::uint64_t{1} << kFraction;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto field = static_cast<int>(bits >> kFraction & 0x7ffU);
  const std::uint64_t fraction = bits & (kHidden - 1);
  return {(bits >> 63U) != 0, field == 0 ? fraction : fraction | kHidden, std::max(field, 1) - 1023 - kFraction};
}

// Whether a truncated magnitude is incremented: `rest` of 64 bits is below it, as a binary fraction.
inline bool rounds_up(Rounding rounding, bool negative, bool odd, std::uint64_t rest, bool sticky) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63U;
  switch (rounding) {
    case Rounding::kNearestEven:
      return rest > kHalf || (rest == kHalf && (sticky || odd));
    case Rounding::kNearestAway:
      return rest >= kHalf;
    case Rounding::kUp:
      return !negative && (rest != 0 || sticky);
    case Rounding::kDown:
      return negative && (rest != 0 || sticky);
    case Rounding::kZero:
      break;
  }
  return false;
}

// An integer truncated at a place: the remainder, and the removed fraction of 64 bits.
struct CutInteger {
  std::uint64_t kept = 0;
  std::uint64_t rest = 0;
  bool sticky = false;  // bits below `rest` are set
};
inline CutInteger cut(std::uint64_t integer, int bits) {
  if (bits <= 0) {
    return {integer << static_cast<unsigned>(-bits), 0, false};
  }
  if (bits < 64) {
    return {integer >> static_cast<unsigned>(bits), integer << static_cast<unsigned>(64 - bits), false};
  }
  if (bits == 64) {
    return {0, integer, false};
  }
  return {0, bits < 128 ? integer >> static_cast<unsigned>(bits - 64) : 0, integer != 0};
}

// The place of the last bit that the format keeps of the number.
inline int last_place(const FloatFormat& format, const ExactNumber& number) {
  const int top = 63 - std::countl_zero(number.integer) + number.exponent;
  return std::max(top, 1 - format.bias) - format.fraction_bits;
}

// The magnitude for a number whose integer part in units of its last place is `kept`.
inline std::uint32_t magnitude(const FloatFormat& format, int place, std::uint64_t kept) {
  const int field = place + format.fraction_bits + format.bias - 1;
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(field) << format.fraction_bits) + kept);
}

// Sign and magnitude; too large numbers become infinite or the largest number, depending on the rounding.
inline std::uint32_t encode(const FloatFormat& format, const ExactNumber& number, Rounding rounding) {
  const int place = last_place(format, number);
  const CutInteger parts = cut(number.integer, place - number.exponent);
  const bool up = rounds_up(rounding, number.negative, (parts.kept & 1U) != 0, parts.rest, parts.sticky);
  const std::uint32_t sign = static_cast<std::uint32_t>(number.negative) << (format.bits - 1);
  constexpr int kMostField = 4096;  // beyond all formats, so that the magnitude fits
  if (place + format.fraction_bits + format.bias < kMostField >> (format.fraction_bits > 10 ? 3 : 0)) {
    const std::uint32_t result = magnitude(format, place, parts.kept + (up ? 1 : 0));
    if (result <= format.largest) {
      return sign | result;
    }
  }
  const bool grows = rounding == Rounding::kNearestEven || rounding == Rounding::kNearestAway ||
                     (rounding == Rounding::kUp && !number.negative) ||
                     (rounding == Rounding::kDown && number.negative);
  return sign | (grows ? format.infinity : format.largest);
}

inline std::uint32_t encode(const FloatFormat& format, double value, Rounding rounding) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 63U) << (format.bits - 1);
  constexpr std::uint64_t kInfinity = 0x7ff0000000000000;
  const std::uint64_t size = bits << 1U >> 1U;
  if (size == 0) {
    return sign;
  }
  if (size >= kInfinity) {
    return size > kInfinity ? format.nan : sign | format.infinity;
  }
  return encode(format, exact(value), rounding);
}

inline double decode(const FloatFormat& format, std::uint32_t value) {
  const std::uint32_t sign_bit = std::uint32_t{1} << (format.bits - 1);
  const std::uint64_t sign = (value & sign_bit) != 0 ? std::uint64_t{1} << 63U : 0;
  const std::uint32_t size = value & (sign_bit - 1);
  if (size > format.largest) {
    const bool infinite = format.has_infinity && size == format.infinity;
    return std::bit_cast<double>(infinite ? sign | 0x7ff0000000000000 : 0x7ff8000000000000);
  }
  const auto field = static_cast<int>(size >> format.fraction_bits);
  const std::uint32_t hidden = std::uint32_t{1} << format.fraction_bits;
  const std::uint32_t integer = (size & (hidden - 1)) | (field != 0 ? hidden : 0);
  const int exponent = std::max(field, 1) - format.bias - format.fraction_bits;
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(integer * scale) | sign);
}

}  // namespace warpsim
