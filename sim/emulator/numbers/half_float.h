// .f16 and .bf16 in registers, and their conversion to single precision and back without branches.
#pragma once

#include <bit>
#include <cstdint>

#include "emulator/numbers/small_float.h"

namespace warpsim {

struct Half {
  std::uint16_t bits = 0;
  static constexpr const FloatFormat& kFormat = kHalfFormat;
};
struct Brain {
  std::uint16_t bits = 0;
  static constexpr const FloatFormat& kFormat = kBrainFormat;
};
// Two in one register.
template <class H>
struct Twice {
  H low;
  H high;
};

inline constexpr std::uint16_t kHalfNan = 0x7fff;  // of both formats
inline constexpr std::uint16_t kHalfSign = 0x8000;

// Without arithmetic on subnormal numbers, which is slow on hosts.
inline float to_single(Half value) {
  constexpr std::uint32_t kRebias = 112U << 23U;
  constexpr std::uint32_t kLeastNormal = 113U << 23U;
  const std::uint32_t size = value.bits & 0x7fffU;
  const std::uint32_t normal = (size << 13U) + kRebias;
  // The fraction of a number that begins with the implicit bit, minus that bit.
  const float subnormal = std::bit_cast<float>(normal + (1U << 23U)) - std::bit_cast<float>(kLeastNormal);
  const std::uint32_t finite = size < 0x400U ? std::bit_cast<std::uint32_t>(subnormal) : normal;
  const std::uint32_t bits = size < 0x7c00U ? finite : size << 13U | kSingleExponent;
  return std::bit_cast<float>(bits | static_cast<std::uint32_t>(value.bits & kHalfSign) << 16U);
}
inline float to_single(Brain value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16U);
}

// Rounded to nearest even; the host rounds in the same way.
template <class H>
H to_half(float value);
template <>
inline Half to_half<Half>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t size = bits & ~kSingleSign;
  constexpr std::uint32_t kRebias = 112U << 23U;
  const std::uint32_t normal = (size - kRebias + 0xfffU + (size >> 13U & 1U)) >> 13U;
  // Adding 0.5 aligns the last place of a subnormal half with the sum's last place.
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5F) - 0x3f000000U;
  std::uint32_t result = size < 113U << 23U ? subnormal : normal;
  result = size >= 0x47800000U ? 0x7c00U : result;
  result |= bits >> 16U & kHalfSign;
  return {static_cast<std::uint16_t>(size > kSingleExponent ? kHalfNan : result)};
}
template <>
inline Brain to_half<Brain>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U;
  return {static_cast<std::uint16_t>((bits & ~kSingleSign) > kSingleExponent ? kHalfNan : rounded)};
}

template <class H>
H to_half(double value, Rounding rounding = Rounding::kNearestEven) {
  return {static_cast<std::uint16_t>(encode(H::kFormat, value, rounding))};
}

// Subnormal values become 0 of their sign.
template <class H>
H flushed(H value) {
  constexpr auto kExponent = static_cast<std::uint16_t>(H::kFormat.infinity);
  return {static_cast<std::uint16_t>((value.bits & kExponent) != 0 ? value.bits : value.bits & kHalfSign)};
}

// The neighbour of a rounded value, on the side of the rounding's error, that has an odd last bit; the value itself if
// it is odd or exact. Such a number rounds to a narrower format like the exact one.
template <class T, class Bits>
T to_odd(T rounded, double error) {
  const auto bits = std::bit_cast<Bits>(rounded);
  const bool inexact = error < 0 || error > 0;
  const bool outward = (error > 0) == (bits >> (8 * sizeof(Bits) - 1) == 0);  // by the sign, which zeros also have
  const Bits step = outward ? Bits{1} : ~Bits{0};
  return std::bit_cast<T>(bits + (inexact && (bits & 1U) == 0 ? step : Bits{0}));
}

// a * b + c, the product of which must be exact in double precision, with an odd last bit if it is inexact.
inline float multiply_add_to_odd(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  const double part = sum - product;
  const double odd = to_odd<double, std::uint64_t>(sum, (product - (sum - part)) + (c - part));
  const auto narrow = static_cast<float>(odd);
  return to_odd<float, std::uint32_t>(narrow, odd - narrow);
}

}  // namespace warpsim
