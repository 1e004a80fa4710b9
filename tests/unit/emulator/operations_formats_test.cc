// Conversions to and from formats of 4 to 19 bits, compared with a search through all their values.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

// A format by its definition; `largest` is its greatest finite code.
struct Layout {
  std::string name;
  int fraction_bits;
  int bias;
  unsigned largest;
  unsigned bits;  // with the sign
};
const Layout kHalf{"f16", 10, 15, 0x7bff, 16};
const Layout kBrain{"bf16", 7, 127, 0x7f7f, 16};
const Layout kE4m3{"e4m3", 3, 7, 0x7e, 8};
const Layout kE5m2{"e5m2", 2, 15, 0x7b, 8};
const Layout kE2m3{"e2m3", 3, 1, 0x1f, 6};
const Layout kE3m2{"e3m2", 2, 3, 0x1f, 6};
const Layout kE2m1{"e2m1", 1, 1, 0x7, 4};

double value_of(const Layout& layout, unsigned size) {
  const int field = static_cast<int>(size) >> layout.fraction_bits;
  const int fraction = static_cast<int>(size) & ((1 << layout.fraction_bits) - 1);
  const int hidden = field != 0 ? 1 << layout.fraction_bits : 0;
  return std::ldexp(hidden + fraction, std::max(field, 1) - layout.bias - layout.fraction_bits);
}

// The code of a finite number, rounded to nearest even or as specified, at most the largest.
unsigned expected(const Layout& layout, double value, const std::string& rounding = "rn") {
  const double size = std::fabs(value);
  unsigned below = 0;
  unsigned beyond = layout.largest + 1;
  while (beyond - below > 1) {
    const unsigned middle = (below + beyond) / 2;
    (value_of(layout, middle) <= size ? below : beyond) = middle;
  }
  const bool negative = std::signbit(value);
  unsigned code = below;
  const double rest = size - value_of(layout, below);
  const double gap = value_of(layout, below + 1) - value_of(layout, below);
  const bool away = rounding == "rn"   ? rest > gap / 2 || (rest == gap / 2 && below % 2 == 1)
                    : rounding == "rp" ? rest > 0 && !negative
                    : rounding == "rm" ? rest > 0 && negative
                                       : false;
  code = std::min(below + (away ? 1 : 0), layout.largest);
  return code | (negative ? 1U << (layout.bits - 1) : 0);
}

// Finite numbers around and between the format's values.
std::vector<Row> numbers(const Layout& layout) {
  std::vector<Row> rows;
  const auto add = [&](double value) {
    const auto rounded = static_cast<float>(value);
    for (const float number : {rounded, std::nextafter(rounded, 0.0F), std::nextafter(rounded, 1e30F)}) {
      rows.push_back({bits(number), bits(-number)});
      rows.push_back({bits(-number), bits(number)});
    }
  };
  const unsigned step = std::max(1U, layout.largest / 200);
  for (unsigned size = 0; size < layout.largest; size += step) {
    add(value_of(layout, size));
    add((value_of(layout, size) + value_of(layout, size + 1)) / 2);
  }
  add(value_of(layout, layout.largest));
  return rows;
}

}  // namespace

TEST_CASE("halves are rounded from single precision in all roundings") {
  for (const Layout& layout : {kHalf, kBrain}) {
    const std::vector<Row> rows = numbers(layout);
    for (const std::string rounding : {"rn", "rz", "rm", "rp"}) {
      // .satfinite limits too large values to the largest number, like the search.
      const auto results =
          run_ptx("cvt." + rounding + ".satfinite." + layout.name + ".f32 d, a;", {"b16", "f32"}, rows);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        INFO(layout.name << " " << rounding << " of " << single(rows[i][0]));
        REQUIRE(results[i] == expected(layout, single(rows[i][0]), rounding));
      }
    }
    const std::string name = layout.name;
    const auto pairs = run_ptx("cvt.rn." + name + "x2.f32 d, a, b;", {"b32", "f32", "f32"}, rows);
    const auto towards_zero = run_ptx("cvt.rz." + name + "x2.f32 d, a, b;", {"b32", "f32", "f32"}, rows);
    const auto plain = run_ptx("cvt.rn." + name + ".f32 d, a;", {"b16", "f32"}, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (std::fabs(single(rows[i][0])) > value_of(layout, layout.largest)) {
        continue;
      }
      const unsigned high = expected(layout, single(rows[i][0]));
      REQUIRE(plain[i] == high);
      REQUIRE(pairs[i] == (high << 16U | expected(layout, single(rows[i][1]))));
      REQUIRE(towards_zero[i] ==
              (expected(layout, single(rows[i][0]), "rz") << 16U | expected(layout, single(rows[i][1]), "rz")));
    }
  }
}

TEST_CASE("halves become single precision exactly") {
  for (const Layout& layout : {kHalf, kBrain}) {
    std::vector<Row> rows;
    for (unsigned size = 0; size <= layout.largest; size += 7) {
      rows.push_back({size});
      rows.push_back({size | 0x8000U});
    }
    const auto results = run_ptx("cvt.f32." + layout.name + " d, a;", {"f32", "b16"}, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double size = value_of(layout, rows[i][0] & 0x7fff);
      REQUIRE(results[i] == bits(static_cast<float>((rows[i][0] & 0x8000) != 0 ? -size : size)));
    }
  }
}

TEST_CASE("special values of halves") {
  const std::uint64_t infinity = bits(std::numeric_limits<float>::infinity());
  const std::uint64_t nan = bits(std::numeric_limits<float>::quiet_NaN());
  const std::vector<std::string> types{"b16", "f32"};
  CHECK(run_row("cvt.rn.f16.f32 d, a;", types, Row{bits(65520.0F)}) == 0x7c00);
  CHECK(run_row("cvt.rn.f16.f32 d, a;", types, Row{bits(65519.0F)}) == 0x7bff);
  CHECK(run_row("cvt.rz.f16.f32 d, a;", types, Row{bits(1e6F)}) == 0x7bff);
  CHECK(run_row("cvt.rn.f16.f32 d, a;", types, Row{infinity}) == 0x7c00);
  CHECK(run_row("cvt.rn.f16.f32 d, a;", types, Row{nan}) == 0x7fff);
  CHECK(run_row("cvt.rn.bf16.f32 d, a;", types, Row{nan | 0x80000000}) == 0x7fff);
  CHECK(run_row("cvt.rn.relu.f16.f32 d, a;", types, Row{bits(-1.0F)}) == 0);
  CHECK(run_row("cvt.rn.sat.f16.f32 d, a;", types, Row{bits(3.0F)}) == 0x3c00);
  CHECK(run_row("cvt.rn.f16.f64 d, a;", {"b16", "f64"}, Row{bits(1 + 0x1p-11 + 0x1p-50)}) == 0x3c01);
  CHECK(run_row("cvt.rn.f16.s32 d, a;", {"b16", "b32"}, Row{2049}) == 0x6800);
  CHECK(run_row("cvt.rp.f16.s32 d, a;", {"b16", "b32"}, Row{2049}) == 0x6801);
  CHECK(run_row("cvt.rn.f16.u64 d, a;", {"b16", "b64"}, Row{0xffffffffffffffff}) == 0x7c00);
  CHECK(run_row("cvt.rn.bf16.s32 d, a;", {"b16", "b32"}, Row{0xfffffeff}) == 0xc380);
  CHECK(run_row("cvt.rzi.s32.f16 d, a;", {"b32", "b16"}, Row{0xc500}) == 0xfffffffb);
  CHECK(run_row("cvt.rn.bf16.f16 d, a;", {"b16", "b16"}, Row{0x3c01}) == 0x3f80);
}

TEST_CASE("bytes and nibbles are rounded to nearest and stay finite") {
  for (const Layout& layout : {kE4m3, kE5m2, kE2m3, kE3m2, kE2m1}) {
    const std::vector<Row> rows = numbers(layout);
    const unsigned element = layout.bits == 4 ? 4 : 8;
    const std::string convert = "cvt.rn.satfinite." + layout.name + "x2.f32";
    // A pair of nibbles is a register of 8 bits.
    const std::string text =
        element == 4 ? "{ .reg .b8 x; " + convert + " x, a, b; mov.b32 d, {x, x, x, x}; }" : convert + " d, a, b;";
    const auto results = run_ptx(text, {element == 4 ? "b32" : "b16", "f32", "f32"}, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      INFO(layout.name << " of " << single(rows[i][0]));
      const unsigned pair = expected(layout, single(rows[i][0])) << element | expected(layout, single(rows[i][1]));
      REQUIRE((results[i] & 0xffff) == (element == 4 ? pair * 0x0101U : pair));
    }
  }
}

TEST_CASE("bytes become halves exactly") {
  for (const Layout& layout : {kE4m3, kE5m2, kE2m3, kE3m2}) {
    std::vector<Row> rows;
    for (unsigned size = 0; size <= layout.largest; ++size) {
      rows.push_back({size << 8U | size | 1U << (layout.bits - 1)});
    }
    const auto results = run_ptx("cvt.rn.f16x2." + layout.name + "x2 d, a;", {"b32", "b16"}, rows);
    for (unsigned size = 0; size <= layout.largest; ++size) {
      const unsigned half = expected(kHalf, value_of(layout, size));
      REQUIRE(results[size] == (half << 16U | half | 0x8000U));
    }
  }
  CHECK(run_row("cvt.rn.f16x2.e4m3x2 d, a;", {"b32", "b16"}, Row{0x7fff}) == 0x7fff7fff);
  CHECK(run_row("cvt.rn.f16x2.e5m2x2 d, a;", {"b32", "b16"}, Row{0x7cfc}) == 0x7c00fc00);
}

TEST_CASE("special values of small formats") {
  const std::uint64_t infinity = bits(std::numeric_limits<float>::infinity());
  const std::uint64_t nan = bits(std::numeric_limits<float>::quiet_NaN());
  const std::vector<std::string> types{"b16", "f32", "f32"};
  CHECK(run_row("cvt.rn.satfinite.e4m3x2.f32 d, a, b;", types, Row{infinity, nan}) == 0x7e7f);
  CHECK(run_row("cvt.rn.satfinite.e5m2x2.f32 d, a, b;", types, Row{infinity | 0x80000000, nan}) == 0xfb7f);
  CHECK(run_row("cvt.rn.satfinite.relu.e4m3x2.f32 d, a, b;", types, Row{bits(-1.0F), bits(1.0F)}) == 0x0038);
  CHECK(run_row("cvt.rn.satfinite.e3m2x2.f32 d, a, b;", types, Row{infinity, nan}) == 0x1f1f);
  // 1.0 and -2.0 as f16.
  CHECK(run_row("cvt.rn.satfinite.e4m3x2.f16x2 d, a;", {"b16", "b32"}, Row{0x3c00c000}) == 0x38c0);
  // tf32 keeps 10 bits of fraction; .rna takes ties away from zero.
  CHECK(run_row("cvt.rna.tf32.f32 d, a;", {"b32", "f32"}, Row{bits(1 + 0x1p-11F)}) == bits(1 + 0x1p-10F));
  CHECK(run_row("cvt.rn.tf32.f32 d, a;", {"b32", "f32"}, Row{bits(1 + 0x1p-11F)}) == bits(1.0F));
  CHECK(run_row("cvt.rz.tf32.f32 d, a;", {"b32", "f32"}, Row{bits(-1 - 0x1.8p-10F)}) == bits(-1 - 0x1p-10F));
  CHECK(run_row("cvt.rna.tf32.f32 d, a;", {"b32", "f32"}, Row{nan | 0x1fff}) == nan);
  CHECK(run_row("cvt.rn.tf32.f32 d, a;", {"b32", "f32"}, Row{nan}) == 0x7fffe000);
}

TEST_CASE("ue8m0 is only the exponent") {
  const std::vector<std::string> types{"b16", "f32", "f32"};
  CHECK(run_row("cvt.rz.ue8m0x2.f32 d, a, b;", types, Row{bits(1.0F), bits(1.5F)}) == 0x7f7f);
  CHECK(run_row("cvt.rp.ue8m0x2.f32 d, a, b;", types, Row{bits(1.0F), bits(1.5F)}) == 0x7f80);
  CHECK(run_row("cvt.rp.satfinite.ue8m0x2.f32 d, a, b;", types, Row{bits(0.0F), bits(0x1.8p127F)}) == 0x00fe);
  CHECK(run_row("cvt.rp.ue8m0x2.f32 d, a, b;", types, Row{bits(std::nanf("")), bits(0x1.8p127F)}) == 0xffff);
  CHECK(run_row("cvt.rn.bf16x2.ue8m0x2 d, a;", {"b32", "b16"}, Row{0x7fff}) == 0x3f807fff);
  CHECK(run_row("cvt.rn.bf16x2.ue8m0x2 d, a;", {"b32", "b16"}, Row{0x0001}) == 0x00400080);
}
