// Half precision compared with the nearest of all its values, found by search.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/exact_float.h"
#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

constexpr std::uint64_t kNan = 0x7fff;

// A format of 16 bits by its definition.
struct Layout {
  const char* name;
  int fraction_bits;
  int bias;
  std::uint16_t infinity;
};
constexpr Layout kHalf{"f16", 10, 15, 0x7c00};
constexpr Layout kBrain{"bf16", 7, 127, 0x7f80};

double value_of(const Layout& layout, std::uint64_t word) {
  const int field = static_cast<int>(word & 0x7fff) >> layout.fraction_bits;
  const int fraction = static_cast<int>(word) & ((1 << layout.fraction_bits) - 1);
  const double sign = (word & 0x8000) != 0 ? -1 : 1;
  if ((word & 0x7fff) >= layout.infinity) {
    return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  }
  const int hidden = field != 0 ? 1 << layout.fraction_bits : 0;
  return sign * std::ldexp(hidden + fraction, std::max(field, 1) - layout.bias - layout.fraction_bits);
}

// Whether the finite result is nearest to the exact value, or the even one of two; by its neighbours in the format.
bool is_nearest(const Layout& layout, std::uint64_t result, const ExactSum& exact) {
  const auto magnitude = static_cast<std::uint16_t>(result & 0x7fff);
  if (magnitude > layout.infinity) {
    return false;
  }
  const bool negative = (result & 0x8000) != 0;
  const auto value = [&](int size) {
    // The infinity counts as the next number.
    const int finite = std::min<int>(size, layout.infinity - 1);
    const double last = value_of(layout, static_cast<std::uint64_t>(finite));
    return Quad{size > finite ? 2 * last - value_of(layout, static_cast<std::uint64_t>(finite - 1)) : last};
  };
  const Quad here = value(magnitude);
  const auto below_exact = [&](Quad size) { return negative ? -exact.compare(-size) : exact.compare(size); };
  const bool even = magnitude % 2 == 0;
  if (magnitude < layout.infinity) {
    const int outer = below_exact((here + value(magnitude + 1)) / 2);
    if (outer < 0 || (outer == 0 && !even)) {
      return false;
    }
  }
  const Quad inner = magnitude == 0 ? -value(1) / 2 : (here + value(magnitude - 1)) / 2;
  const int sign = below_exact(inner);
  return sign < 0 || (sign == 0 && even);
}

std::vector<std::uint64_t> sample(const Layout& layout) {
  std::vector<std::uint64_t> words{
      0,      0x8000, 1,      0x8001, static_cast<std::uint64_t>(layout.infinity - 1),
      0x3c00, 0xbc01, 0x3f80, 0x4000, static_cast<std::uint64_t>(1 << layout.fraction_bits)};
  for (const std::uint32_t word : sample_words(40)) {
    if ((word & 0x7fff) < layout.infinity) {
      words.push_back(word & 0xffff);
    }
  }
  return words;
}

std::vector<Row> rows_of(const Layout& layout) {
  const std::vector<std::uint64_t> words = sample(layout);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      rows.push_back({words[i], words[k], words[(i * 3 + k * 7) % words.size()]});
    }
  }
  return rows;
}

template <class MakeExact>
void check(const Layout& layout, const std::string& opcode, std::size_t sources, MakeExact make_exact) {
  const std::vector<Row> rows = rows_of(layout);
  const std::string operands = sources > 2 ? " d, a, b, c;" : " d, a, b;";
  const auto results = run_ptx(opcode + "." + layout.name + operands, {"b16", "b16", "b16", "b16"}, rows);
  // The same in the upper halves of pairs, with the same number in the lower ones.
  std::vector<Row> twice = rows;
  for (Row& row : twice) {
    for (std::uint64_t& word : row) {
      word |= word << 16U;
    }
  }
  const auto pairs = run_ptx(opcode + "." + layout.name + "x2" + operands, {"b32", "b32", "b32", "b32"}, twice);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO(opcode << " " << layout.name << " of " << rows[i][0] << " " << rows[i][1] << " " << rows[i][2] << " is "
                << results[i]);
    const ExactSum exact =
        make_exact(value_of(layout, rows[i][0]), value_of(layout, rows[i][1]), value_of(layout, rows[i][2]));
    REQUIRE(is_nearest(layout, results[i], exact));
    REQUIRE(pairs[i] == (results[i] << 16U | results[i]));
  }
}

std::uint64_t one(const std::string& text, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
  return run_row(text, {"b16", "b16", "b16", "b16"}, Row{a, b, c});
}

}  // namespace

TEST_CASE("half precision is rounded once to nearest") {
  for (const Layout& layout : {kHalf, kBrain}) {
    check(layout, "add.rn", 2, [](double a, double b, double) { return ExactSum(a, b); });
    check(layout, "sub", 2, [](double a, double b, double) { return ExactSum(a, -Quad{b}); });
    check(layout, "mul", 2, [](double a, double b, double) { return ExactSum(Quad{a} * Quad{b}, 0); });
    check(layout, "fma.rn", 3, [](double a, double b, double c) { return ExactSum(Quad{a} * Quad{b}, c); });
  }
}

TEST_CASE("a multiply-add whose product is a tie follows the tiny addend") {
  // bf16: (1 + 2^-7)(1 + 2^-1) = 1.51171875 is half way between two values of bf16.
  CHECK(one("fma.rn.bf16 d, a, b, c;", 0x3f81, 0x3fc0, 0x0000) == 0x3fc2);
  CHECK(one("fma.rn.bf16 d, a, b, c;", 0x3f81, 0x3fc0, 0x0080) == 0x3fc2);
  CHECK(one("fma.rn.bf16 d, a, b, c;", 0x3f81, 0x3fc0, 0x8080) == 0x3fc1);
}

TEST_CASE("half precision applies the modifiers of results") {
  CHECK(one("add.sat.f16 d, a, b;", 0x3c00, 0x3c00) == 0x3c00);
  CHECK(one("sub.sat.f16 d, a, b;", 0x3800, 0x3c00) == 0);
  CHECK(one("mul.sat.f16 d, a, b;", 0, 0x7c00) == 0);
  CHECK(one("fma.rn.relu.f16 d, a, b, c;", 0xbc00, 0x3c00, 0) == 0);
  CHECK(one("fma.rn.relu.f16 d, a, b, c;", 0x7e00, 0x3c00, 0) == kNan);
  CHECK(one("fma.rn.relu.bf16 d, a, b, c;", 0xbf80, 0x3f80, 0) == 0);
  CHECK(one("add.f16 d, a, b;", 0x7c00, 0xfc00) == kNan);
  CHECK(one("mul.bf16 d, a, b;", 0, 0x7f80) == kNan);
  // 2^-15 is subnormal in f16.
  CHECK(one("add.ftz.f16 d, a, b;", 0x0200, 0x3c00) == 0x3c00);
  CHECK(one("mul.ftz.f16 d, a, b;", 0x8400, 0x3800) == 0x8000);
  CHECK(one("mul.f16 d, a, b;", 0x8400, 0x3800) == 0x8200);
  CHECK(one("add.f16 d, a, b;", 0x7bff, 0x7bff) == 0x7c00);
}

TEST_CASE("signs and extremes of half precision") {
  CHECK(one("neg.f16 d, a;", 0x3c00) == 0xbc00);
  CHECK(one("abs.bf16 d, a;", 0xbf80) == 0x3f80);
  CHECK(run_row("neg.f16x2 d, a;", {"b32", "b32"}, Row{0x3c00bc00}) == 0xbc003c00);
  CHECK(one("min.f16 d, a, b;", 0x0000, 0x8000) == 0x8000);
  CHECK(one("max.f16 d, a, b;", 0x8000, 0x0000) == 0x0000);
  CHECK(one("max.f16 d, a, b;", 0x7e00, 0xbc00) == 0xbc00);
  CHECK(one("max.NaN.f16 d, a, b;", 0x7e00, 0xbc00) == kNan);
  CHECK(one("min.bf16 d, a, b;", 0x7fc0, 0x7fc1) == kNan);
  CHECK(one("max.xorsign.abs.f16 d, a, b;", 0xc000, 0x3c00) == 0xc000);
  CHECK(run_row("max.bf16x2 d, a, b;", {"b32", "b32", "b32"}, Row{0x3f804000, 0x40003f80}) == 0x40004000);
}

TEST_CASE("approximate functions of half precision have small errors") {
  for (const Layout& layout : {kHalf, kBrain}) {
    for (const double x : {-3.5, -1.0, -0.25, 0.0, 0.125, 0.5, 1.0, 2.75}) {
      const std::string type = layout.name;
      // Exact in both formats.
      const std::uint64_t word =
          run_row("cvt.rn." + type + ".f32 d, a;", {"b16", "f32"}, Row{bits(static_cast<float>(x))});
      const std::string ftz = type == "bf16" ? ".ftz" : "";
      const double power = value_of(layout, one("ex2.approx" + ftz + "." + type + " d, a;", word));
      const double tangent = value_of(layout, one("tanh.approx." + type + " d, a;", word));
      INFO(type << " " << x);
      CHECK(power == Approx(std::exp2(x)).epsilon(std::ldexp(1, -layout.fraction_bits)));
      CHECK(tangent == Approx(std::tanh(x)).epsilon(std::ldexp(1, -layout.fraction_bits)));
    }
  }
}

TEST_CASE("mixed sums widen their first sources") {
  const std::vector<std::string> types{"f32", "b16", "f32"};
  CHECK(run_row("add.f32.f16 d, a, b;", types, Row{0x3c00, bits(2.5F)}) == bits(3.5F));
  CHECK(run_row("sub.rz.f32.bf16 d, a, b;", types, Row{0x3f80, bits(2.5F)}) == bits(-1.5F));
  CHECK(run_row("fma.rn.sat.f32.f16 d, a, b, c;", {"f32", "b16", "b16", "f32"}, Row{0x3c00, 0x4000, bits(2.5F)}) ==
        bits(1.0F));
}
