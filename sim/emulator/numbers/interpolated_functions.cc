#include "emulator/numbers/interpolated_functions.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "emulator/numbers/interpolated_lanes.h"
#include "emulator/numbers/interpolation_table.h"

namespace warpsim::interpolated {

namespace {

// A number as exponent and the fraction after its first bit; subnormal ones also have one.
struct Parts {
  int exponent;
  std::uint32_t fraction;  // of 23 bits
};
Parts parts_of(float a) {
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(a));
  return {static_cast<int>(bits >> 52U & 0x7ffU) - 1023, static_cast<std::uint32_t>(bits >> 29U) & kFractionMask};
}

// Looked up: the products among bits 8 to 16, and of bits 11 to 16 with bits 2 to 7; all others are too low.
constexpr unsigned kUpperPlace = 8;
constexpr unsigned kHighPlace = 11;
constexpr unsigned kLowPlace = 2;
constexpr unsigned kMixedBits = 6;  // of either factor
constexpr auto kUpperProducts = [] {
  std::array<std::uint16_t, 512> table{};
  for (std::uint32_t upper = 0; upper < table.size(); ++upper) {
    table[upper] = static_cast<std::uint16_t>(sum_of_products(upper << kUpperPlace));
  }
  return table;
}();
constexpr auto kMixedProducts = [] {
  std::array<std::uint16_t, 1U << (2 * kMixedBits)> table{};
  for (std::uint32_t pair = 0; pair < table.size(); ++pair) {
    const std::uint32_t high = pair >> kMixedBits << kHighPlace;
    const std::uint32_t low = (pair & ((1U << kMixedBits) - 1)) << kLowPlace;
    table[pair] = static_cast<std::uint16_t>(sum_of_products(high | low) - sum_of_products(high));
  }
  return table;
}();
std::int64_t truncated_square(std::uint32_t x) {
  constexpr std::uint32_t kMask = (1U << kMixedBits) - 1;
  const std::uint32_t pair = x >> kHighPlace << kMixedBits | (x >> kLowPlace & kMask);
  return std::int64_t{kUpperProducts[x >> kUpperPlace]} + kMixedProducts[pair];
}

std::int64_t polynomial(const InterpolationPiece& piece, std::uint32_t x, const Scale& scale) {
  return (std::int64_t{piece.constant} << kConstantShift) + scale.bias +
         (std::int64_t{piece.linear} * std::int64_t{x}) * (std::int64_t{1} << scale.linear) +
         (std::int64_t{piece.square} * truncated_square(x)) * (std::int64_t{1} << scale.square);
}

// Of 64 pieces.
template <class Pieces>
std::int64_t interpolate(const Pieces& pieces, std::uint32_t fraction, const Scale& scale) {
  return polynomial(pieces[fraction >> kSourceBits], fraction & ((1U << kSourceBits) - 1), scale);
}

// value * 2^-places, truncated to 24 bits; the value is not negative.
float truncated(std::int64_t value, int places) {
  const int extra = 64 - std::countl_zero(static_cast<std::uint64_t>(value)) - 24;
  const std::int64_t kept = extra > 0 ? value >> extra << extra : value;
  return static_cast<float>(static_cast<double>(kept) * two_to(-places));
}

// The sine of a quarter of a revolution's part, of 23 bits, in the quadrant; 2 and 3 are negative.
float in_quadrant(std::uint32_t quadrant, std::uint32_t part, bool negative) {
  const bool falls = (quadrant & 1U) != 0;  // the angle to the quadrant's end, minus one unit
  const float size =
      truncated(interpolate(kSinePieces, falls ? ~part & kFractionMask : part, kSineScale), 24 + kUnitBits);
  return ((quadrant & 2U) != 0) != negative ? -size : size;
}

// |a| in units of 2^-25 revolutions, which is a quadrant and its part.
std::uint32_t angle(float a) {
  constexpr float kWhole = 0x1p24F;  // from here on numbers have no fraction
  const double size = std::fabs(a);
  return size < kWhole ? static_cast<std::uint32_t>(static_cast<std::uint64_t>(size * 0x1p25)) : 0;
}

}  // namespace

double reciprocal(float a) {
  const Parts parts = parts_of(a);
  const InterpolationPiece& piece = kReciprocalPieces[parts.fraction >> 16U];
  const std::int64_t size = polynomial(piece, (parts.fraction & 0xffffU) << 1U, kReciprocalScale) >> kUnitBits;
  return std::copysign(static_cast<double>(size) * two_to(-24 - parts.exponent), a);
}

// Which table and which sign a number needs is as good as random: these are looked up and not branched on, because a
// branch that the host predicts wrongly takes longer than the rest of the function.
double root(float a) {
  static constexpr const std::array<InterpolationPiece, 64>* kPieces[] = {&kRootPieces, &kRootPiecesOfDoubled};
  const Parts parts = parts_of(a);
  const int odd = parts.exponent & 1;
  const std::int64_t size = interpolate(*kPieces[odd], parts.fraction, kRootScale) >> kUnitBits;
  return static_cast<double>(size) * two_to((parts.exponent - odd) / 2 - 23);
}

double reciprocal_root(float a) {
  static constexpr const std::array<InterpolationPiece, 64>* kPieces[] = {&kRootReciprocalPieces,
                                                                          &kRootReciprocalPiecesOfDoubled};
  const Parts parts = parts_of(a);
  const int odd = parts.exponent & 1;
  const double scale = two_to(-(parts.exponent - odd) / 2);
  if ((static_cast<std::uint32_t>(odd) | parts.fraction) == 0) {
    return scale;
  }
  const std::int64_t size = interpolate(*kPieces[odd], parts.fraction, kRootReciprocalScale) >> kUnitBits;
  return static_cast<double>(size) * two_to(-24) * scale;
}

float logarithm(float a) {
  const Parts parts = parts_of(a);
  if (parts.exponent == 0 && parts.fraction == 0) {
    return 0;
  }
  // The polynomial is 1 and the logarithm's fraction in units of 2^-40, of which it keeps 36 bits. Negative sums are
  // complemented bit by bit.
  constexpr int kPlaces = 36;
  constexpr std::int64_t kOne = std::int64_t{1} << kPlaces;
  const std::int64_t part = (interpolate(kLogarithmPieces, parts.fraction, kLogarithmScale) >> 4U) - 2 * kOne;
  const std::int64_t sum = parts.exponent * kOne + part;
  return sum < 0 ? -truncated(~sum, kPlaces) : truncated(sum, kPlaces);
}

double power(float a) {
  constexpr float kLargest = 512;
  if (std::fabs(a) > kLargest) {
    return a > 0 ? HUGE_VAL : 0;
  }
  const auto size = static_cast<std::int64_t>(static_cast<double>(std::fabs(a)) * 0x1p23);
  // Negative numbers are complemented bit by bit, unless they are whole.
  const std::int64_t whole = (static_cast<std::uint32_t>(size) & kFractionMask) == 0 ? 1 : 0;
  const auto negative = static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(a) >> 31U);
  const std::int64_t fixed = (size ^ -negative) + (negative & whole);
  const auto exponent = static_cast<int>(fixed >> kFractionBits);
  const std::int64_t mantissa =
      interpolate(kPowerPieces, static_cast<std::uint32_t>(fixed) & kFractionMask, kPowerScale) >> kUnitBits;
  return static_cast<double>(mantissa) * two_to(exponent - 23);
}

float sine(float a) {
  const std::uint32_t fixed = angle(a);
  return in_quadrant(fixed >> kFractionBits, fixed & kFractionMask, std::signbit(a));
}

float cosine(float a) {
  const std::uint32_t fixed = angle(a);
  return in_quadrant((fixed >> kFractionBits) + 1, fixed & kFractionMask, false);
}

float tangent(float a) {
  // Pieces of an exponent, from 2^-8 on: number of bits of the fraction that select one of them.
  constexpr int kLeastExponent = -8;
  constexpr unsigned kPieceBits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
  constexpr unsigned kFirstPiece[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
  const Parts parts = parts_of(a);
  if (a == 0 || parts.exponent < kLeastExponent) {
    return a;
  }
  const auto place = static_cast<unsigned>(parts.exponent - kLeastExponent);
  if (place >= std::size(kPieceBits)) {
    return std::copysign(1.0F, a);
  }
  const unsigned rest = kFractionBits - kPieceBits[place];
  const InterpolationPiece& piece = kTangentPieces[kFirstPiece[place] + (parts.fraction >> rest)];
  const std::uint32_t x = (parts.fraction & ((1U << rest) - 1)) >> (rest - kSourceBits);
  const int places = (parts.exponent >= 0 ? 24 : 23 - parts.exponent) + static_cast<int>(kUnitBits);
  return std::copysign(truncated(polynomial(piece, x, kTangentScale), places), a);
}

}  // namespace warpsim::interpolated
