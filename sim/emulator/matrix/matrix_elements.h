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

inline float half_value(std::uint32_t bits) {
  return to_single(Half{static_cast<std::uint16_t>(bits)});
}

inline float e5m2_value(std::uint32_t bits) {
  return half_value(bits << 8U);
}

// Without infinities; one NaN.
inline float e4m3_value(std::uint32_t bits) {
  constexpr std::uint32_t kNan = 0x7f;
  constexpr std::uint32_t kExponent = 0x7f800000;
  constexpr float kRebias = 0x1p120F;
  const std::uint32_t magnitude = bits & kNan;
  const auto number = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 20U) * kRebias);
  return std::bit_cast<float>((magnitude == kNan ? number | kExponent : number) | (bits & 0x80U) << 24U);
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
  return to_half<Half>(static_cast<float>(number)).bits;
}

}  // namespace warpsim
