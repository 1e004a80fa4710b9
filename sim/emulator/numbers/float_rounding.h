// Rounding, flushing and saturation of PTX's floating-point instructions.
//
// Directed rounding uses the host's: a RoundingScope encloses the loop over the lanes. Files with conversions in it are
// compiled with -frounding-math. Flushing and saturation act on bits, without branches, so that loops are vectorised.
#pragma once

#include <bit>
#include <cstdint>

#include "emulator/numbers/rounding.h"
#include "emulator/operations/operation_builder.h"

namespace warpsim {

// .rn .rz .rm .rp; nearest if there is none of them.
inline Rounding take_rounding(OperationBuilder& b) {
  return b.take("rz")   ? Rounding::kZero
         : b.take("rm") ? Rounding::kDown
         : b.take("rp") ? Rounding::kUp
                        : (b.take("rn"), Rounding::kNearestEven);
}

inline constexpr std::uint32_t kSingleNan = 0x7fffffff;  // the only one that single-precision arithmetic produces
inline constexpr std::uint32_t kSingleSign = 0x80000000;
inline constexpr std::uint32_t kSingleExponent = 0x7f800000;

// Subnormal values become 0 of their sign.
inline float flushed(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits & kSingleExponent) != 0 ? bits : bits & kSingleSign);
}

// By bits, because with -frounding-math a comparison of the number prevents vectorisation of the loop; and by the sign
// of a difference, because compilers make two stores of a choice, which also prevents it.
inline float canonical(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto nan =
      static_cast<std::uint32_t>(static_cast<std::int32_t>(kSingleExponent - (bits & ~kSingleSign)) >> 31U);
  return std::bit_cast<float>((bits & ~nan) | (kSingleNan & nan));
}

// By bits for the same reason.
inline bool is_nan(double value) {
  return std::bit_cast<std::uint64_t>(value) << 1U > 0xffe0000000000000;
}
// A NaN of double precision passes through instructions with sign and payload, but quiet.
inline double quiet(double nan) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | 0x0008000000000000);
}

// The result, if it is a number; otherwise the NaN that passes: the last source's, or that of invalid operations if no
// source is a NaN.
inline double number_or_nan(double result, double first, double last) {
  const double invalid = std::bit_cast<double>(0xfff8000000000000);
  const double nan = is_nan(last) ? quiet(last) : is_nan(first) ? quiet(first) : invalid;
  return is_nan(result) ? nan : result;
}

// Flushing is decided as if the exponent had no bound: what would round to the least normal number
// from below only because subnormal ones have fewer digits becomes 0. `scaled` is the result's computation with sources
// scaled up so that it stays normal where that matters; sources that are too large for that have large results.
inline constexpr float kTinyScale = 0x1p64F;
inline float flushed_by(float scaled, float result) {
  const auto bits = std::bit_cast<std::uint32_t>(result);
  const std::uint32_t size = std::bit_cast<std::uint32_t>(scaled) & ~kSingleSign;
  constexpr auto kLeastNormal = std::bit_cast<std::uint32_t>(0x1p-126F);
  constexpr auto kLeastScaled = std::bit_cast<std::uint32_t>(0x1p-126F * kTinyScale);
  const bool is_tiny = (size < kLeastScaled) & ((bits & ~kSingleSign) <= kLeastNormal);
  return std::bit_cast<float>(bits & (is_tiny ? kSingleSign : ~0U));
}

// Into [0, 1]; NaN becomes +0.
template <class T>
T saturated_to_one(T value) {
  const T positive = value > T{0} ? value : T{0};
  return positive < T{1} ? positive : T{1};
}

// Treatment of sources and result in single precision.
template <bool kFlush, bool kSaturate>
struct SingleMode {
  static constexpr bool kFlushes = kFlush;
  static float source(float value) { return kFlush ? flushed(value) : value; }
  static float result(float value) {
    const float settled = kFlush ? flushed(value) : value;
    return kSaturate ? saturated_to_one(settled) : canonical(settled);
  }
};

}  // namespace warpsim
