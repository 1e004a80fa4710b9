// Elements of matrices as numbers of the host, without branches, so that loops over them are vectorised.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "emulator/numbers/half_float.h"

namespace warpsim {

inline constexpr double kLeastHalf = 0x1p-14;     // the least normal number of half precision
inline constexpr double kHalfInteger = 0x1.8p42;  // times the power of a number: its last bit is that of a half
inline constexpr double kHalfOverflow = 65536;
inline constexpr std::uint64_t kDoubleExponent = 0x7ff0000000000000;
inline constexpr unsigned kDoubleFraction = 52;  // bits

// A float with the exponent and fraction of a smaller type in its upper bits; `scale` moves the bias. `top`: the bits
// of an exponent that means infinities and NaNs.
inline float widened(std::uint32_t magnitude, std::uint32_t sign, float scale, std::uint32_t top) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  const float number = std::bit_cast<float>(magnitude) * scale;
  const std::uint32_t bits = (magnitude & top) == top ? magnitude | kExponent : std::bit_cast<std::uint32_t>(number);
  return std::bit_cast<float>(bits | sign);
}

inline float half_value(std::uint32_t bits) {
  return widened((bits & 0x7fffU) << 13U, (bits & 0x8000U) << 16U, 0x1p112F, 0x0f800000);
}

inline float e5m2_value(std::uint32_t bits) {
  return half_value(bits << 8U);
}

// Without infinities; one NaN.
inline float e4m3_value(std::uint32_t bits) {
  return widened((bits & 0x7fU) << 20U, (bits & 0x80U) << 24U, 0x1p120F, 0x07f00000);
}

// To the nearest number of half precision, to even; from 65,520 on infinite.
inline double rounded_to_half(double value) {
  const double power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & kDoubleExponent);
  const double shift = (power < kLeastHalf ? kLeastHalf : power) * kHalfInteger;
  const double number = (value + shift) - shift;
  return std::abs(number) >= kHalfOverflow ? std::copysign(std::numeric_limits<double>::infinity(), value)
         : number == number                ? number
                                           : value;  // infinities and NaNs
}

// Of a number that half precision has; NaNs become one.
inline std::uint32_t half_bits(double number) {
  constexpr std::uint32_t kSign = 0x80000000;
  constexpr std::uint32_t kInfinity = 0x7f800000;
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
  const std::uint32_t magnitude = bits & ~kSign;
  const std::uint32_t half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p-112F) >> 13U;
  const std::uint32_t signed_half = (magnitude == kInfinity ? 0x7c00U : half) | (bits & kSign) >> 16U;
  return magnitude > kInfinity ? 0x7fffU : signed_half;
}

}  // namespace warpsim
