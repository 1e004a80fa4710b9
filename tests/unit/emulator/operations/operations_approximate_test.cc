// Approximate functions within PTX's stated errors, and their special values.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

const std::vector<std::string> kSingles{"f32", "f32", "f32"};
constexpr std::uint64_t kNan = 0x7fffffff;
const std::uint64_t kInfinity = bits(std::numeric_limits<float>::infinity());
const std::uint64_t kMinusInfinity = bits(-std::numeric_limits<float>::infinity());
constexpr std::uint64_t kMinusZero = 0x80000000;

std::uint64_t one(const std::string& text, std::uint64_t a, std::uint64_t b = 0) {
  return run_row(text, kSingles, Row{a, b});
}

// The values of the range, spread over its logarithms; with both signs if possible.
std::vector<Row> spread(double least, double most, bool both_signs) {
  std::vector<Row> rows;
  constexpr int kSteps = 500;
  for (int i = 0; i <= kSteps; ++i) {
    const auto value = static_cast<float>(least * std::pow(most / least, i / static_cast<double>(kSteps)));
    rows.push_back({bits(value)});
    if (both_signs) {
      rows.push_back({bits(-value)});
    }
  }
  return rows;
}

// Greatest relative and absolute error over the rows.
struct Errors {
  double relative = 0;
  double absolute = 0;
};
template <class Formula>
Errors errors(const std::string& text, const std::vector<Row>& rows, Formula formula) {
  const auto results = run_ptx(text, kSingles, rows);
  Errors worst;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const long double exact = formula(static_cast<long double>(single(rows[i][0])));
    const long double error = std::fabs(static_cast<long double>(single(results[i])) - exact);
    worst.absolute = std::max(worst.absolute, static_cast<double>(error));
    if (exact != 0) {
      worst.relative = std::max(worst.relative, static_cast<double>(error / std::fabs(exact)));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("approximate reciprocals and roots are within their errors") {
  const std::vector<Row> positive = spread(0x1p-120, 0x1p120, false);
  CHECK(errors("rcp.approx.f32 d, a;", spread(0x1p-120, 0x1p120, true), [](long double x) { return 1 / x; }).relative <=
        0x1p-23);
  CHECK(errors("rcp.approx.ftz.f32 d, a;", positive, [](long double x) { return 1 / x; }).relative <= 0x1p-23);
  CHECK(errors("sqrt.approx.f32 d, a;", positive, [](long double x) { return std::sqrt(x); }).relative <= 0x1p-22);
  CHECK(errors("rsqrt.approx.f32 d, a;", positive, [](long double x) { return 1 / std::sqrt(x); }).relative <= 0x1p-22);
}

TEST_CASE("approximate logarithms and powers are within their errors") {
  CHECK(errors("lg2.approx.f32 d, a;", spread(0.5, 2, false), [](long double x) { return std::log2(x); }).absolute <=
        0x1p-22);
  CHECK(errors("lg2.approx.f32 d, a;", spread(2.5, 0x1p127, false), [](long double x) {
          return std::log2(x);
        }).relative <= 0x1p-22);
  CHECK(errors("ex2.approx.f32 d, a;", spread(0x1p-20, 125, true), [](long double x) {
          return std::exp2(x);
        }).relative <= 0x1p-22);
  CHECK(errors("tanh.approx.f32 d, a;", spread(0x1p-20, 20, true), [](long double x) {
          return std::tanh(x);
        }).relative <= 0x1p-11);
}

TEST_CASE("approximate sine and cosine are within their errors") {
  const std::vector<Row> turn = spread(0x1p-20, 6.283, true);
  const std::vector<Row> turns = spread(6.3, 314.1, true);
  CHECK(errors("sin.approx.f32 d, a;", turn, [](long double x) { return std::sin(x); }).absolute <= std::exp2(-20.5));
  CHECK(errors("cos.approx.f32 d, a;", turn, [](long double x) { return std::cos(x); }).absolute <= std::exp2(-20.5));
  CHECK(errors("sin.approx.ftz.f32 d, a;", turns, [](long double x) { return std::sin(x); }).absolute <=
        std::exp2(-14.7));
  CHECK(errors("cos.approx.ftz.f32 d, a;", turns, [](long double x) { return std::cos(x); }).absolute <=
        std::exp2(-14.7));
}

TEST_CASE("special values of approximate functions") {
  CHECK(one("rcp.approx.f32 d, a;", kMinusZero) == kMinusInfinity);
  CHECK(one("rcp.approx.f32 d, a;", kMinusInfinity) == kMinusZero);
  CHECK(one("rcp.approx.ftz.f32 d, a;", 1) == kInfinity);
  CHECK(one("sqrt.approx.f32 d, a;", kMinusZero) == kMinusZero);
  CHECK(one("sqrt.approx.f32 d, a;", bits(-1.0F)) == kNan);
  CHECK(one("sqrt.approx.ftz.f32 d, a;", 0x80000001) == kMinusZero);
  CHECK(one("rsqrt.approx.f32 d, a;", kMinusZero) == kMinusInfinity);
  CHECK(one("rsqrt.approx.f32 d, a;", 0) == kInfinity);
  CHECK(one("rsqrt.approx.f32 d, a;", kInfinity) == 0);
  CHECK(one("rsqrt.approx.f32 d, a;", bits(-2.0F)) == kNan);
  CHECK(one("sin.approx.f32 d, a;", kMinusZero) == kMinusZero);
  CHECK(one("sin.approx.f32 d, a;", kInfinity) == kNan);
  CHECK(one("cos.approx.ftz.f32 d, a;", 1) == bits(1.0F));
  CHECK(one("cos.approx.f32 d, a;", kMinusInfinity) == kNan);
  CHECK(one("lg2.approx.f32 d, a;", 0) == kMinusInfinity);
  CHECK(one("lg2.approx.ftz.f32 d, a;", 1) == kMinusInfinity);
  CHECK(one("lg2.approx.f32 d, a;", 1) == bits(-149.0F));
  CHECK(one("lg2.approx.f32 d, a;", bits(-1.0F)) == kNan);
  CHECK(one("ex2.approx.f32 d, a;", kMinusInfinity) == 0);
  CHECK(one("ex2.approx.f32 d, a;", kInfinity) == kInfinity);
  CHECK(one("ex2.approx.f32 d, a;", bits(-140.0F)) == bits(0x1p-140F));
  CHECK(one("ex2.approx.ftz.f32 d, a;", bits(-140.0F)) == 0);
  CHECK(one("ex2.approx.f32 d, a;", 0x80000001) == bits(1.0F));
  CHECK(one("tanh.approx.f32 d, a;", kMinusInfinity) == bits(-1.0F));
  CHECK(one("tanh.approx.f32 d, a;", kNan) == kNan);
}

TEST_CASE("approximate division has a small error, and gives 0 beyond 2^126") {
  std::vector<Row> rows;
  for (const Row& a : spread(0x1p-30, 0x1p30, true)) {
    rows.push_back({a[0], bits(3.7F)});
    rows.push_back({bits(2.9F), a[0]});
  }
  for (const char* const form : {"approx", "approx.ftz", "full", "full.ftz"}) {
    const auto results = run_ptx(std::string("div.") + form + ".f32 d, a, b;", kSingles, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double exact = static_cast<double>(single(rows[i][0])) / single(rows[i][1]);
      REQUIRE(std::fabs(single(results[i]) - exact) <= std::fabs(exact) * 0x1p-22);
    }
  }
  CHECK(one("div.approx.f32 d, a, b;", bits(1.0F), bits(0x1.8p126F)) == 0);
  CHECK(one("div.approx.f32 d, a, b;", bits(-1.0F), bits(0x1.8p126F)) == kMinusZero);
  CHECK(one("div.approx.f32 d, a, b;", kInfinity, bits(0x1.8p126F)) == kNan);
  CHECK(one("div.approx.f32 d, a, b;", bits(0x1p-130F), bits(0x1p-130F)) == bits(1.0F));
  CHECK(one("div.full.f32 d, a, b;", bits(0x1p127F), bits(0x1.8p127F)) == bits(2.0F / 3));
  CHECK(one("div.full.f32 d, a, b;", bits(1.0F), 0) == kInfinity);
}

TEST_CASE("coarse functions of double precision have 20 bits") {
  const std::vector<std::string> doubles{"f64", "f64"};
  for (const double x : {3.0, 0.1, 1e100, 7.0e-5}) {
    const double reciprocal = from_bits(run_row("rcp.approx.ftz.f64 d, a;", doubles, Row{bits(x)}));
    const double root = from_bits(run_row("rsqrt.approx.ftz.f64 d, a;", doubles, Row{bits(x)}));
    const double fine = from_bits(run_row("rsqrt.approx.f64 d, a;", doubles, Row{bits(x)}));
    CHECK(std::fabs(reciprocal * x - 1) < 0x1p-18);
    CHECK(std::fabs(root * root * x - 1) < 0x1p-17);
    CHECK((bits(reciprocal) & 0xffffffff) == 0);
    CHECK((bits(root) & 0xffffffff) == 0);
    CHECK(std::fabs(fine * fine * x - 1) < 0x1p-50);
  }
  CHECK(run_row("rcp.approx.ftz.f64 d, a;", doubles, Row{bits(-0.0)}) ==
        bits(-std::numeric_limits<double>::infinity()));
  CHECK(run_row("rsqrt.approx.ftz.f64 d, a;", doubles, Row{bits(std::numeric_limits<double>::infinity())}) == 0);
}

TEST_CASE("approximate functions of a whole warp have the results of single threads, special sources among them") {
  std::vector<Row> rows;
  for (const float value : sample_singles(40)) {
    rows.push_back({bits(value)});
    rows.push_back({bits(std::fabs(value))});
  }
  for (const std::string name : {"rcp.approx.f32", "rcp.approx.ftz.f32", "sqrt.approx.f32", "sqrt.approx.ftz.f32",
                                 "rsqrt.approx.f32", "rsqrt.approx.ftz.f32", "ex2.approx.f32", "ex2.approx.ftz.f32"}) {
    const std::vector<std::uint64_t> together = run_ptx(name + " d, a;", kSingles, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      INFO(name << " of " << single(rows[i][0]));
      REQUIRE(together[i] == run_row(name + " d, a;", kSingles, rows[i]));
    }
  }
}
