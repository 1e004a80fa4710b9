#include "emulator/numbers/packed_halves.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace warpsim {
namespace {

constexpr std::uint16_t kNan = 0x7fff;

// Formats of 16 bits by their definition.
double value_of(std::uint16_t word, int fraction_bits, int bias) {
  const int field = (word & 0x7fff) >> fraction_bits;
  const int fraction = word & ((1 << fraction_bits) - 1);
  const int hidden = field != 0 ? 1 << fraction_bits : 0;
  const double size = std::ldexp(hidden + fraction, (field != 0 ? field : 1) - bias - fraction_bits);
  return (word & 0x8000) != 0 ? -size : size;
}

// Whether no neighbour of a finite result is nearer to the exact sum, or equally near and even.
bool is_nearest(std::uint16_t result, double exact, int fraction_bits, int bias) {
  const double error = std::fabs(value_of(result, fraction_bits, bias) - exact);
  const auto magnitude = static_cast<std::uint16_t>(result & 0x7fff);
  for (const int step : {-1, 1}) {
    const int neighbour = magnitude + step;
    if (neighbour < 0) {
      continue;
    }
    const auto word = static_cast<std::uint16_t>((result & 0x8000) | neighbour);
    const double other = std::fabs(value_of(word, fraction_bits, bias) - exact);
    if (other < error || (other == error && magnitude % 2 != 0)) {
      return false;
    }
  }
  return true;
}

TEST_CASE("sums of halves derived by hand") {
  CHECK(add_halves(0x3c00, 0x3c00) == 0x4000);  // 1 + 1
  CHECK(add_halves(0x3c00, 0xbc00) == 0x0000);  // 1 - 1
  CHECK(add_halves(0x8000, 0x8000) == 0x8000);  // -0 - 0
  CHECK(add_halves(0x6800, 0x3c00) == 0x6800);  // 2048 + 1: even of two
  CHECK(add_halves(0x6800, 0x4200) == 0x6802);  // 2048 + 3 is between 2050 and 2052: even
  CHECK(add_halves(0x0001, 0x0001) == 0x0002);  // subnormal
  CHECK(add_halves(0x03ff, 0x0001) == 0x0400);  // to the least normal number
  CHECK(add_halves(0x7bff, 0x4c00) == 0x7c00);  // 65504 + 16 is as near to 65536
  CHECK(add_halves(0x7bff, 0x4bff) == 0x7bff);  // 65504 + 15.99
  CHECK(add_halves(0xfbff, 0xcc00) == 0xfc00);
  CHECK(add_halves(0x7c00, 0xfc00) == kNan);  // the difference of infinities
  CHECK(add_halves(0x7c00, 0x7bff) == 0x7c00);
  CHECK(add_halves(0x7c01, 0x0000) == kNan);
}

TEST_CASE("sums of brain floats derived by hand") {
  CHECK(add_brain_floats(0x3f80, 0x3f80) == 0x4000);  // 1 + 1
  CHECK(add_brain_floats(0x4380, 0x3f80) == 0x4380);  // 256 + 1: even of two
  CHECK(add_brain_floats(0x4380, 0x4040) == 0x4382);  // 256 + 3 is between 258 and 260: even
  CHECK(add_brain_floats(0x0001, 0x0001) == 0x0002);  // subnormal
  CHECK(add_brain_floats(0x7f7f, 0x7f7f) == 0x7f80);
  CHECK(add_brain_floats(0x7f80, 0xff80) == kNan);
  CHECK(add_brain_floats(0xff81, 0x3f80) == kNan);
}

TEST_CASE("sums of random numbers are the nearest of their format") {
  std::mt19937 engine(1);
  constexpr int kTrials = 20'000;
  int wrong = 0;
  for (int i = 0; i < kTrials; ++i) {
    const auto a = static_cast<std::uint16_t>(engine());
    const auto b = static_cast<std::uint16_t>(engine());
    if ((a & 0x7c00) != 0x7c00 && (b & 0x7c00) != 0x7c00) {
      const std::uint16_t half = add_halves(a, b);
      if ((half & 0x7c00) != 0x7c00) {
        wrong += is_nearest(half, value_of(a, 10, 15) + value_of(b, 10, 15), 10, 15) ? 0 : 1;
      }
    }
    // Exponents that are close, so that the sum is exact in double precision.
    const auto near = static_cast<std::uint16_t>((a & 0x7f80) ^ (b & 0x83ff));
    if ((a & 0x7f80) < 0x7e00 && (near & 0x7f80) < 0x7e00) {
      wrong += is_nearest(add_brain_floats(a, near), value_of(a, 7, 127) + value_of(near, 7, 127), 7, 127) ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("packed sums have no carry between halves") {
  CHECK(add_packed_halves(0x3c007bff, 0x3c007bff) == 0x40007c00);
  CHECK(add_packed_halves(0x7c013c00, 0x00004000) == 0x7fff4200);
  CHECK(add_packed_brain_floats(0x3f807f7f, 0xbf807f7f) == 0x00007f80);
}

}  // namespace
}  // namespace warpsim
