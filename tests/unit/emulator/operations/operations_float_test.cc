// Floating-point instructions compared with an exact oracle, and special values of IEEE 754 and PTX.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/exact_float.h"
#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

const char* const kRoundings[] = {"rn", "rz", "rm", "rp"};
constexpr std::uint64_t kNan = 0x7fffffff;
constexpr std::uint64_t kMinusZero = 0x80000000;
const std::vector<std::string> kSingles{"f32", "f32", "f32", "f32"};
const std::vector<std::string> kDoubles{"f64", "f64", "f64", "f64"};

template <class T>
std::vector<T> sample_values();
template <>
std::vector<float> sample_values<float>() {
  return sample_singles(24);
}
template <>
std::vector<double> sample_values<double>() {
  return sample_doubles(24);
}
template <class T>
T value(std::uint64_t word);
template <>
float value<float>(std::uint64_t word) {
  return single(word);
}
template <>
double value<double>(std::uint64_t word) {
  return from_bits(word);
}

template <class T>
std::vector<Row> rows_of() {
  const std::vector<T> values = sample_values<T>();
  std::vector<Row> rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      rows.push_back({bits(values[i]), bits(values[k]), bits(values[(i * 5 + k * 3) % values.size()])});
    }
  }
  return rows;
}

// Checks opcode.rounding.type for all roundings wherever sources are finite and `defined`.
template <class T, class MakeExact>
void check(const std::string& opcode, std::size_t sources, MakeExact make_exact) {
  const std::string type = sizeof(T) == 4 ? "f32" : "f64";
  const std::vector<Row> rows = rows_of<T>();
  for (const char* const rounding : kRoundings) {
    const std::string text =
        opcode + "." + rounding + "." + type + " d, a" + (sources > 1 ? ", b" : "") + (sources > 2 ? ", c" : "") + ";";
    const std::vector<std::uint64_t> results = run_ptx(text, {type, type, type, type}, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const T a = value<T>(rows[i][0]);
      const T b = value<T>(rows[i][1]);
      const T c = value<T>(rows[i][2]);
      if (!std::isfinite(a) || (sources > 1 && !std::isfinite(b)) || (sources > 2 && !std::isfinite(c))) {
        continue;
      }
      INFO(text << " of " << a << ", " << b << ", " << c << " is " << value<T>(results[i]));
      make_exact(a, b, c, [&](const auto& exact) { REQUIRE(is_rounded(value<T>(results[i]), exact, rounding)); });
    }
  }
}

template <class T>
void check_all() {
  check<T>("add", 2, [](T a, T b, T, auto test) { test(ExactSum(a, b)); });
  check<T>("sub", 2, [](T a, T b, T, auto test) { test(ExactSum(a, -Quad{b})); });
  check<T>("mul", 2, [](T a, T b, T, auto test) { test(ExactSum(Quad{a} * Quad{b}, 0)); });
  check<T>("fma", 3, [](T a, T b, T c, auto test) { test(ExactSum(Quad{a} * Quad{b}, c)); });
  check<T>("mad", 3, [](T a, T b, T c, auto test) { test(ExactSum(Quad{a} * Quad{b}, c)); });
  check<T>("div", 2, [](T a, T b, T, auto test) {
    if (b != 0) {
      test(ExactQuotient{a, b});
    }
  });
  check<T>("rcp", 1, [](T a, T, T, auto test) {
    if (a != 0) {
      test(ExactQuotient{1, a});
    }
  });
  check<T>("sqrt", 1, [](T a, T, T, auto test) {
    if (a >= 0) {
      test(ExactRoot{a});
    }
  });
}

std::uint64_t one(const std::string& text, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
  return run_row(text, kSingles, Row{a, b, c});
}

}  // namespace

TEST_CASE("single precision is rounded correctly in all modes") {
  check_all<float>();
}

TEST_CASE("double precision is rounded correctly in all modes") {
  check_all<double>();
}

TEST_CASE("invalid single-precision operations give the canonical NaN") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(one("add.f32 d, a, b;", bits(infinity), bits(-infinity)) == kNan);
  CHECK(one("sub.rn.f32 d, a, b;", bits(infinity), bits(infinity)) == kNan);
  CHECK(one("mul.f32 d, a, b;", bits(0.0F), bits(infinity)) == kNan);
  CHECK(one("fma.rn.f32 d, a, b, c;", bits(infinity), bits(1.0F), bits(-infinity)) == kNan);
  CHECK(one("div.rn.f32 d, a, b;", 0, 0) == kNan);
  CHECK(one("sqrt.rn.f32 d, a;", bits(-1.0F)) == kNan);
  CHECK(one("add.f32 d, a, b;", 0xffc12345, bits(1.0F)) == kNan);
  CHECK(one("add.f32 d, a, b;", 0x7f812345, bits(1.0F)) == kNan);
}

TEST_CASE("the rounding determines the sign of zeros") {
  CHECK(one("add.rn.f32 d, a, b;", bits(1.0F), bits(-1.0F)) == 0);
  CHECK(one("add.rz.f32 d, a, b;", bits(1.0F), bits(-1.0F)) == 0);
  CHECK(one("add.rp.f32 d, a, b;", bits(1.0F), bits(-1.0F)) == 0);
  CHECK(one("add.rm.f32 d, a, b;", bits(1.0F), bits(-1.0F)) == kMinusZero);
  CHECK(one("fma.rm.f32 d, a, b, c;", bits(1.0F), bits(1.0F), bits(-1.0F)) == kMinusZero);
  CHECK(one("mul.f32 d, a, b;", bits(-0.0F), bits(1.0F)) == kMinusZero);
  CHECK(one("sqrt.rn.f32 d, a;", kMinusZero) == kMinusZero);
  CHECK(one("rcp.rn.f32 d, a;", kMinusZero) == bits(-std::numeric_limits<float>::infinity()));
  CHECK(run_row("add.rm.f64 d, a, b;", kDoubles, {bits(1.0), bits(-1.0)}) == bits(-0.0));
}

TEST_CASE("a fused multiply-add rounds once") {
  // (1 + 2^-12)(1 - 2^-12) - 1 = -2^-24; rounding the product first gives 0.
  CHECK(one("fma.rn.f32 d, a, b, c;", bits(1 + 0x1p-12F), bits(1 - 0x1p-12F), bits(-1.0F)) == bits(-0x1p-24F));
}

TEST_CASE("flushing makes subnormal sources and results zeros of their sign") {
  const std::uint64_t tiny = 0x00400000;  // 2^-127
  CHECK(one("add.ftz.f32 d, a, b;", tiny, tiny) == 0);
  CHECK(one("add.f32 d, a, b;", tiny, tiny) == 0x00800000);
  CHECK(one("mul.ftz.f32 d, a, b;", bits(-0x1p-100F), bits(0x1p-30F)) == kMinusZero);
  CHECK(one("mul.f32 d, a, b;", bits(-0x1p-100F), bits(0x1p-30F)) == bits(-0x1p-130F));
  CHECK(one("fma.rn.ftz.f32 d, a, b, c;", tiny, bits(0x1p20F), bits(1.0F)) == bits(1.0F));
  CHECK(one("div.rn.ftz.f32 d, a, b;", bits(1.0F), tiny) == bits(std::numeric_limits<float>::infinity()));
  CHECK(one("abs.ftz.f32 d, a;", tiny | kMinusZero) == 0);
  CHECK(one("neg.ftz.f32 d, a;", tiny) == kMinusZero);
}

TEST_CASE("saturation clamps to the unit interval, a NaN to 0") {
  CHECK(one("add.sat.f32 d, a, b;", bits(0.75F), bits(0.75F)) == bits(1.0F));
  CHECK(one("add.sat.f32 d, a, b;", bits(-0.75F), bits(0.25F)) == 0);
  CHECK(one("add.sat.f32 d, a, b;", bits(0.25F), bits(0.25F)) == bits(0.5F));
  CHECK(one("mul.sat.f32 d, a, b;", bits(0.0F), bits(std::numeric_limits<float>::infinity())) == 0);
  CHECK(one("fma.rn.ftz.sat.f32 d, a, b, c;", bits(3.0F), bits(1.0F), bits(0.0F)) == bits(1.0F));
}

TEST_CASE("pairs are two single-precision operations") {
  const std::vector<std::string> pairs{"b64", "b64", "b64", "b64"};
  const auto pair = [](float low, float high) { return bits(high) << 32U | bits(low); };
  CHECK(run_row("add.rn.f32x2 d, a, b;", pairs, {pair(1, 2), pair(10, 20)}) == pair(11, 22));
  CHECK(run_row("mul.rz.f32x2 d, a, b;", pairs, {pair(3, 5), pair(7, 9)}) == pair(21, 45));
  CHECK(run_row("fma.rn.f32x2 d, a, b, c;", pairs, {pair(3, 5), pair(7, 9), pair(1, 2)}) == pair(22, 47));
}

TEST_CASE("extremes order zeros by sign and drop NaNs unless .NaN keeps them") {
  const std::uint64_t nan = 0x7fc00000;
  CHECK(one("min.f32 d, a, b;", bits(0.0F), kMinusZero) == kMinusZero);
  CHECK(one("max.f32 d, a, b;", kMinusZero, bits(0.0F)) == 0);
  CHECK(one("min.f32 d, a, b;", nan, bits(1.0F)) == bits(1.0F));
  CHECK(one("max.f32 d, a, b;", bits(1.0F), nan) == bits(1.0F));
  CHECK(one("max.f32 d, a, b;", nan, nan) == kNan);
  CHECK(one("max.NaN.f32 d, a, b;", bits(1.0F), nan) == kNan);
  CHECK(one("min.f32 d, a, b;", bits(-2.0F), bits(1.0F)) == bits(-2.0F));
  CHECK(one("max.f32 d, a, b;", bits(-2.0F), bits(1.0F)) == bits(1.0F));
  CHECK(one("max.xorsign.abs.f32 d, a, b;", bits(-2.0F), bits(1.0F)) == bits(-2.0F));
  CHECK(one("min.xorsign.abs.f32 d, a, b;", bits(-2.0F), bits(-1.0F)) == bits(1.0F));
  CHECK(one("max.f32 d, a, b, c;", bits(-2.0F), bits(1.0F), bits(7.0F)) == bits(7.0F));
  CHECK(one("min.NaN.f32 d, a, b, c;", bits(-2.0F), nan, bits(7.0F)) == kNan);
  CHECK(one("min.ftz.f32 d, a, b;", 0x00000001, bits(1.0F)) == 0);
  CHECK(run_row("max.f64 d, a, b;", kDoubles, {bits(-0.0), bits(0.0)}) == 0);
  CHECK(run_row("min.f64 d, a, b;", kDoubles, {bits(std::nan("")), bits(3.0)}) == bits(3.0));
  CHECK(run_row("neg.f64 d, a;", kDoubles, {bits(3.0)}) == bits(-3.0));
  CHECK(run_row("abs.f64 d, a;", kDoubles, {bits(-3.0)}) == bits(3.0));
}

TEST_CASE("copysign uses the sign of the first source") {
  CHECK(one("copysign.f32 d, a, b;", bits(-1.0F), bits(5.0F)) == bits(-5.0F));
  CHECK(one("copysign.f32 d, a, b;", bits(1.0F), bits(-5.0F)) == bits(5.0F));
  CHECK(run_row("copysign.f64 d, a, b;", kDoubles, {bits(-0.0), bits(5.0)}) == bits(-5.0));
}

TEST_CASE("testp recognises the classes of numbers") {
  struct Case {
    float value;
    const char* classes;  // finite infinite number notanumber normal subnormal
  };
  const Case cases[] = {{0.0F, "101010"},  // zeros count as normal
                        {1.0F, "101010"},
                        {-0x1p-130F, "101001"},
                        {std::numeric_limits<float>::infinity(), "011000"},
                        {std::numeric_limits<float>::quiet_NaN(), "000100"}};
  const char* const words[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  for (std::size_t k = 0; k < 6; ++k) {
    for (const Case& entry : cases) {
      const std::uint64_t expected = entry.classes[k] == '1' ? 1 : 0;
      INFO(words[k] << " " << entry.value);
      CHECK(run_row(std::string("testp.") + words[k] + ".f32 d, a;", {"pred", "f32"}, {bits(entry.value)}) == expected);
      if (k != 4 && k != 5) {
        CHECK(run_row(std::string("testp.") + words[k] + ".f64 d, a;", {"pred", "f64"},
                      {bits(static_cast<double>(entry.value))}) == expected);
      }
    }
  }
}
