#include "emulator/numbers/packed_halves.h"

#include <bit>
#include <cmath>

namespace warpsim {

namespace {

constexpr std::uint16_t kNan = 0x7fff;

float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t exponent = half >> 10U & 31U;
  const std::uint32_t fraction = half & 0x3ffU;
  if (exponent == 0) {
    const float value = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -value : value;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23U | fraction << 13U);
}

// Rounds to the nearest, ties to even. `value` is exact: the sum of two halves is a single number.
std::uint16_t float_to_half(float value) {
  if (std::isnan(value)) {
    return kNan;
  }
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const float magnitude = std::fabs(value);
  constexpr float kOverflow = 65520;  // rounds to infinity from here on
  constexpr float kLeastNormal = 6.103515625e-5F;
  if (magnitude >= kOverflow) {
    return static_cast<std::uint16_t>(sign | 0x7c00U);
  }
  if (magnitude < kLeastNormal) {
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(std::ldexp(magnitude, 24))));
  }
  const auto bits = std::bit_cast<std::uint32_t>(magnitude);
  const std::uint32_t rounded = bits + 0xfffU + (bits >> 13U & 1U);
  return static_cast<std::uint16_t>(sign | ((rounded >> 13U) - (112U << 10U)));
}

float brain_to_float(std::uint16_t value) {
  return std::bit_cast<float>(std::uint32_t{value} << 16U);
}

std::uint16_t float_to_brain(float value) {
  if (std::isnan(value)) {
    return kNan;
  }
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U);
}

// The order of the numbers, by sign and magnitude; `infinity` of the format.
template <bool Least>
std::uint16_t extreme(std::uint16_t a, std::uint16_t b, std::uint32_t infinity) {
  constexpr std::uint32_t kMagnitude = 0x7fff;
  const bool a_is_nan = (a & kMagnitude) > infinity;
  const bool b_is_nan = (b & kMagnitude) > infinity;
  if (a_is_nan || b_is_nan) {
    return a_is_nan && b_is_nan ? kNan : a_is_nan ? b : a;
  }
  const auto rank = [](std::uint16_t value) {
    const int size = value & 0x7fff;
    return (value & 0x8000U) != 0 ? -size - 1 : size;
  };
  return (rank(a) < rank(b)) == Least ? a : b;
}

template <std::uint16_t (*Each)(std::uint16_t, std::uint16_t)>
std::uint32_t packed(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t low = Each(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
  const std::uint32_t high = Each(static_cast<std::uint16_t>(a >> 16U), static_cast<std::uint16_t>(b >> 16U));
  return low | high << 16U;
}

}  // namespace

std::uint16_t add_halves(std::uint16_t a, std::uint16_t b) {
  return float_to_half(half_to_float(a) + half_to_float(b));
}

// Single precision has more than twice the bits and two: rounding twice equals rounding once.
std::uint16_t add_brain_floats(std::uint16_t a, std::uint16_t b) {
  return float_to_brain(brain_to_float(a) + brain_to_float(b));
}

std::uint32_t add_packed_halves(std::uint32_t a, std::uint32_t b) {
  return packed<add_halves>(a, b);
}

std::uint32_t add_packed_brain_floats(std::uint32_t a, std::uint32_t b) {
  return packed<add_brain_floats>(a, b);
}

namespace {
constexpr std::uint32_t kHalfInfinity = 0x7c00;
constexpr std::uint32_t kBrainInfinity = 0x7f80;
}  // namespace

std::uint16_t least_half(std::uint16_t a, std::uint16_t b) {
  return extreme<true>(a, b, kHalfInfinity);
}

std::uint16_t greatest_half(std::uint16_t a, std::uint16_t b) {
  return extreme<false>(a, b, kHalfInfinity);
}

std::uint16_t least_brain_float(std::uint16_t a, std::uint16_t b) {
  return extreme<true>(a, b, kBrainInfinity);
}

std::uint16_t greatest_brain_float(std::uint16_t a, std::uint16_t b) {
  return extreme<false>(a, b, kBrainInfinity);
}

std::uint32_t least_packed_halves(std::uint32_t a, std::uint32_t b) {
  return packed<least_half>(a, b);
}

std::uint32_t greatest_packed_halves(std::uint32_t a, std::uint32_t b) {
  return packed<greatest_half>(a, b);
}

std::uint32_t least_packed_brain_floats(std::uint32_t a, std::uint32_t b) {
  return packed<least_brain_float>(a, b);
}

std::uint32_t greatest_packed_brain_floats(std::uint32_t a, std::uint32_t b) {
  return packed<greatest_brain_float>(a, b);
}

}  // namespace warpsim
