// The special function unit for the lanes of a warp at once (interpolated_functions.h has it for one source).
//
// Modelled: reciprocal, roots and powers of two, whose loops compilers vectorise; only the pieces of the table are
// looked up lane by lane. All sums of a polynomial are whole numbers below 2^53 and therefore exact in double
// precision. Not modelled: sources that `kind_of` says to be special; the caller computes those alone. Invariant: each
// lane has the bits of the function of one source (tests/unit/emulator/numbers).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/types.h"
#include "emulator/numbers/interpolation_table.h"

namespace warpsim::interpolated {

using LaneWords = std::array<std::uint32_t, kWarpSize>;
using LaneIntegers = std::array<std::int32_t, kWarpSize>;

// Scaling of a table's numbers; all in units of 2^-18 of the result's last place.
struct Scale {
  std::int64_t bias;  // in addition to the constants
  unsigned linear;
  unsigned square;
};
inline constexpr unsigned kUnitBits = 18;
inline constexpr unsigned kConstantShift = 14;
inline constexpr Scale kReciprocalScale{16188, 2, 3};
inline constexpr Scale kRootReciprocalScale{-1, 2, 4};
inline constexpr Scale kRootScale{-1, 1, 2};
inline constexpr Scale kLogarithmScale{3351, 2, 3};
inline constexpr Scale kPowerScale{16148, 3, 3};
inline constexpr Scale kSineScale{0, 5, 5};
inline constexpr Scale kTangentScale{0, 3, 4};

inline constexpr unsigned kSourceBits = 17;  // the x of a polynomial
inline constexpr unsigned kFractionBits = 23;
inline constexpr std::uint32_t kFractionMask = (std::uint32_t{1} << kFractionBits) - 1;

// The square of 17 bits in units of 2^19, without the partial products below.
constexpr std::uint32_t sum_of_products(std::uint32_t x) {
  constexpr unsigned kLowest = 19;
  std::uint32_t sum = 0;
  for (unsigned j = 10; j < 17; ++j) {  // products of bit j with itself and, twice, with lower bits
    const std::uint32_t products = ((x & ((1U << j) - 1)) >> (kLowest - 1 - j)) + (1U << (2 * j - kLowest));
    sum += (x >> j & 1U) != 0 ? products : 0;
  }
  return sum;
}

// 2^exponent, normal.
inline double two_to(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(exponent + 1023)) << 52U);
}

// The whole parts of the polynomials at x, in the result's last place: below 2^31.
struct LanePieces {
  LaneIntegers constant;
  LaneIntegers linear;
  LaneIntegers square;
  void set(std::uint32_t lane, const InterpolationPiece& piece) {
    constant[lane] = piece.constant;
    linear[lane] = piece.linear;
    square[lane] = piece.square;
  }
};
inline void whole_parts(const LanePieces& pieces, const LaneWords& x, const Scale& scale, LaneIntegers& results) {
  constexpr double kConstantUnit = 1U << kConstantShift;
  constexpr double kUnit = 1.0 / (1U << kUnitBits);
  const auto bias = static_cast<double>(scale.bias);
  const double linear_unit = 1U << scale.linear;
  const double square_unit = 1U << scale.square;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const auto square = static_cast<std::int32_t>(sum_of_products(x[lane]));
    const double sum = static_cast<double>(pieces.constant[lane]) * kConstantUnit + bias +
                       static_cast<double>(pieces.linear[lane]) *
                           (static_cast<double>(static_cast<std::int32_t>(x[lane])) * linear_unit) +
                       static_cast<double>(pieces.square[lane]) * (static_cast<double>(square) * square_unit);
    results[lane] = static_cast<std::int32_t>(sum * kUnit);
  }
}

constexpr std::uint32_t kSignBit = 0x80000000;
constexpr std::uint32_t kInfinityBits = 0x7f800000;

// Whether the bits are those of a normal number, neither infinite nor NaN.
inline bool is_normal(std::uint32_t bits) {
  constexpr std::uint32_t kLeastNormal = 0x00800000;
  return (bits & ~kSignBit) - kLeastNormal < kInfinityBits - kLeastNormal;
}

// Each function: whether a source is usual; the results of usual sources (others are undefined), in exact doubles.
// Choices are made by masks, because those of compilers become branches, with which loops are not vectorised.
struct Reciprocals {
  static bool is_usual(std::uint32_t bits) { return is_normal(bits); }
  static void compute(const LaneWords& sources, std::array<double, kWarpSize>& results) {
    constexpr unsigned kPieceShift = 16;
    LanePieces pieces;
    LaneWords x;
    LaneIntegers sizes;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      pieces.set(lane, kReciprocalPieces[(sources[lane] & kFractionMask) >> kPieceShift]);
    }
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      x[lane] = (sources[lane] & ((1U << kPieceShift) - 1)) << 1U;
    }
    whole_parts(pieces, x, kReciprocalScale, sizes);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const int exponent = static_cast<int>(sources[lane] >> kFractionBits & 0xffU) - 127;
      const std::int32_t sign = 1 - static_cast<std::int32_t>(sources[lane] >> 31U) * 2;
      results[lane] = static_cast<double>(sizes[lane] * sign) * two_to(-24 - exponent);
    }
  }
};

// Positive sources as a number of [1, 4) and an even exponent.
template <class Tables>
struct Roots {
  static bool is_usual(std::uint32_t bits) { return is_normal(bits) && (bits & kSignBit) == 0; }
  static void compute(const LaneWords& sources, std::array<double, kWarpSize>& results) {
    LanePieces pieces;
    LaneWords x;
    LaneIntegers sizes;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      // Exponents are stored with an odd number added.
      const std::uint32_t odd = ~(sources[lane] >> kFractionBits) & 1U;
      pieces.set(lane, (*Tables::kPieces[odd])[(sources[lane] & kFractionMask) >> kSourceBits]);
    }
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      x[lane] = sources[lane] & ((1U << kSourceBits) - 1);
    }
    whole_parts(pieces, x, Tables::kScale, sizes);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const int exponent = static_cast<int>(sources[lane] >> kFractionBits & 0xffU) - 127;
      results[lane] = Tables::of(sizes[lane], (exponent - (exponent & 1)) / 2,
                                 (sources[lane] & kFractionMask) | static_cast<std::uint32_t>(exponent & 1));
    }
  }
};
struct RootTables {
  static constexpr const std::array<InterpolationPiece, 64>* kPieces[] = {&kRootPieces, &kRootPiecesOfDoubled};
  static constexpr Scale kScale = kRootScale;
  static double of(std::int32_t size, int exponent, std::uint32_t /*rest*/) {
    return static_cast<double>(size) * two_to(exponent - 23);
  }
};
struct RootReciprocalTables {
  static constexpr const std::array<InterpolationPiece, 64>* kPieces[] = {&kRootReciprocalPieces,
                                                                          &kRootReciprocalPiecesOfDoubled};
  static constexpr Scale kScale = kRootReciprocalScale;
  static double of(std::int32_t size, int exponent, std::uint32_t rest) {
    constexpr std::int32_t kOne = std::int32_t{1} << 24;
    const std::int32_t is_one = static_cast<std::int32_t>(rest - 1) >> 31U;
    return static_cast<double>((size & ~is_one) | (kOne & is_one)) * two_to(-24 - exponent);
  }
};

// 2^a of numbers between -126 and 126.
struct Powers {
  static constexpr auto kBound = std::bit_cast<std::uint32_t>(126.0F);
  static bool is_usual(std::uint32_t bits) { return (bits & ~kSignBit) < kBound; }
  static void compute(const LaneWords& sources, std::array<double, kWarpSize>& results) {
    LanePieces pieces;
    LaneWords x;
    LaneIntegers sizes;
    LaneIntegers fixed;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint32_t usual = std::uint32_t{0} - (((sources[lane] & ~kSignBit) - kBound) >> 31U);
      const std::uint32_t bits = sources[lane] & usual;
      const auto size = static_cast<std::int32_t>(std::bit_cast<float>(bits & ~kSignBit) * 0x1p23F);
      // Negative numbers are complemented bit by bit, unless they are whole.
      const auto whole = static_cast<std::int32_t>(((static_cast<std::uint32_t>(size) & kFractionMask) - 1) >> 31U);
      const auto negative = static_cast<std::int32_t>(bits >> 31U);
      fixed[lane] = (size ^ -negative) + (negative & whole);
      x[lane] = static_cast<std::uint32_t>(fixed[lane]) & ((1U << kSourceBits) - 1);
    }
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      pieces.set(lane, kPowerPieces[(static_cast<std::uint32_t>(fixed[lane]) & kFractionMask) >> kSourceBits]);
    }
    whole_parts(pieces, x, kPowerScale, sizes);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      results[lane] = static_cast<double>(sizes[lane]) * two_to((fixed[lane] >> kFractionBits) - 23);
    }
  }
};

}  // namespace warpsim::interpolated
