// The special function unit's polynomials: exact where the functions are, close elsewhere, as recorded where they
// are neither.
#include "emulator/numbers/interpolated_functions.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "emulator/numbers/interpolated_lanes.h"
#include "emulator/numbers/interpolation_table.h"
#include "support/ptx_machine.h"

using namespace warpsim;
using warpsim::test::bits;
using warpsim::test::single;

namespace {

// The maximum error over numbers of [first, last), in units of `scale(exact value)`.
template <class Function, class Formula, class Scale>
double greatest_error(float first, float last, Function function, Formula formula, Scale scale) {
  double worst = 0;
  const std::uint64_t step = (bits(last) - bits(first)) / 100'000;
  for (std::uint64_t word = bits(first); word < bits(last); word += step) {
    const float source = single(word);
    const double exact = formula(static_cast<double>(source));
    worst = std::max(worst, std::fabs(static_cast<double>(function(source)) - exact) / scale(exact));
  }
  return worst;
}
double unit(double exact) {
  return std::exp2(std::floor(std::log2(std::fabs(exact))) - 23);
}
double absolute(double) {
  return 1;
}

// Compares the lanes' results with those of one source, for all usual sources at a distance. Returns their number.
template <class Lanes, class Function>
std::size_t compare_lanes(Function function) {
  constexpr std::uint64_t kStep = 99'991;
  std::size_t usual = 0;
  interpolated::LaneWords sources{};
  std::array<double, kWarpSize> results{};
  for (std::uint64_t word = 0; word < std::uint64_t{1} << 32U; word += kStep * kWarpSize) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      sources[lane] = static_cast<std::uint32_t>(word + lane * kStep);
    }
    Lanes::compute(sources, results);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if (Lanes::is_usual(sources[lane])) {
        ++usual;
        REQUIRE(bits(results[lane]) == bits(static_cast<double>(function(single(sources[lane])))));
      }
    }
  }
  return usual;
}

}  // namespace

TEST_CASE("the lanes of a warp have the special function unit's results of one source") {
  // Of 42,953 sources all normal ones, half of them, and those up to 126.
  CHECK(compare_lanes<interpolated::Reciprocals>(interpolated::reciprocal) > 42'000);
  CHECK(compare_lanes<interpolated::Roots<interpolated::RootTables>>(interpolated::root) > 21'000);
  CHECK(compare_lanes<interpolated::Roots<interpolated::RootReciprocalTables>>(interpolated::reciprocal_root) > 21'000);
  CHECK(compare_lanes<interpolated::Powers>(interpolated::power) > 20'000);
}

TEST_CASE("the lanes' reciprocal root of a power of 4 is exact") {
  interpolated::LaneWords sources{};
  std::array<double, kWarpSize> results{};
  sources.fill(static_cast<std::uint32_t>(bits(0x1p-10F)));
  interpolated::Roots<interpolated::RootReciprocalTables>::compute(sources, results);
  CHECK(results[0] == 32);
  CHECK(results[31] == 32);
}

TEST_CASE("powers of two are exact in the special function unit") {
  CHECK(interpolated::reciprocal(4.0F) == 0.25);
  CHECK(interpolated::reciprocal(-0x1p-140F) == -0x1p140);
  CHECK(interpolated::root(16.0F) == 4);
  CHECK(interpolated::root(0x1p-148F) == 0x1p-74);
  CHECK(interpolated::reciprocal_root(0.25F) == 2);
  CHECK(interpolated::power(-3.0F) == 0.125);
  CHECK(interpolated::power(0x1p-24F) == 1);  // below the last place of the fixed-point source
  CHECK(interpolated::power(600.0F) == HUGE_VAL);
  CHECK(interpolated::power(-600.0F) == 0);
  CHECK(interpolated::logarithm(1.0F) == 0);
  CHECK(interpolated::logarithm(8.0F) == 3);
  CHECK(interpolated::cosine(0x1p30F) == 1);
  CHECK(interpolated::sine(0x1p30F) == 0);
  CHECK(interpolated::tangent(9.0F) == 1);
  CHECK(interpolated::tangent(-0x1.5p-9F) == -0x1.5p-9F);
}

TEST_CASE("the special function unit has an error of about one unit in the last place") {
  CHECK(greatest_error(
            1, 4, interpolated::reciprocal, [](double x) { return 1 / x; }, unit) < 1);
  CHECK(greatest_error(
            1, 4, interpolated::root, [](double x) { return std::sqrt(x); }, unit) < 1.1);
  CHECK(greatest_error(
            1, 4, interpolated::reciprocal_root, [](double x) { return 1 / std::sqrt(x); }, unit) < 1.5);
  CHECK(greatest_error(
            1, 8, interpolated::power, [](double x) { return std::exp2(x); }, unit) < 2);
  CHECK(greatest_error(
            0.5, 2, interpolated::logarithm, [](double x) { return std::log2(x); }, absolute) < 0x1p-22);
  const auto turn = [](double x) { return 2 * M_PI * x; };
  CHECK(greatest_error(
            0x1p-8F, 1, interpolated::sine, [&](double x) { return std::sin(turn(x)); }, absolute) < 0x1p-21);
  CHECK(greatest_error(
            0x1p-8F, 1, interpolated::cosine, [&](double x) { return std::cos(turn(x)); }, absolute) < 0x1p-21);
  CHECK(greatest_error(
            0x1p-8F, 8, interpolated::tangent, [](double x) { return std::tanh(x); },
            [](double exact) { return exact; }) < 0x1p-11);
}

TEST_CASE("inexact results are those of an H200") {
  CHECK(bits(static_cast<float>(interpolated::reciprocal(single(0x3ee16796)))) == 0x40115fc7);  // not correctly rounded
  CHECK(bits(static_cast<float>(interpolated::root(1.5F))) == 0x3f9cc470);
  CHECK(bits(static_cast<float>(interpolated::power(-0.5F))) == 0x3f3504f2);
  // Negative sources of powers that are not whole count one unit of 2^-23 less.
  CHECK(interpolated::power(-1 - 0x1p-23F) == single(0x3efffffe));
  CHECK(bits(interpolated::logarithm(0.5F)) == 0xbf7ffffe);
  CHECK(bits(interpolated::logarithm(single(0x3f7fffff))) == 0xb24b4000);
  CHECK(bits(interpolated::tangent(1.0F)) == 0x3f42f848);
}

TEST_CASE("the pieces of a table meet") {
  // The constant of each piece equals the polynomial at the end of the previous piece, to one unit in the last place.
  constexpr double kEnd = 65536;
  for (std::size_t i = 1; i < kReciprocalPieces.size(); ++i) {
    const InterpolationPiece& piece = kReciprocalPieces[i - 1];
    const double end = piece.constant / 16.0 + piece.linear * kEnd * 2 / 0x1p16 + piece.square * kEnd * kEnd / 0x1p32;
    REQUIRE(std::fabs(end - kReciprocalPieces[i].constant / 16.0) < 1);
  }
}
