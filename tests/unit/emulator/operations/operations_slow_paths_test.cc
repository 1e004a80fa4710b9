// Tests of the operands of divisions and roots, for paths that generated code has.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

bool is_slow(const std::string& operation, const std::string& type, std::uint64_t a) {
  return run_ptx("sass.slow." + operation + "." + type + " d, a;", {"pred", type}, {{a}}).front() != 0;
}

TEST_CASE("slow paths: reciprocals and roots of numbers near the ends of the range") {
  for (const float usual : {1.0F, -3.5F, 0x1p100F, 0x1p-100F, 0x1.8p-126F}) {
    INFO(usual);
    CHECK_FALSE(is_slow("rcp", "f32", bits(usual)));
  }
  for (const float rare : {0.0F, -0.0F, 0x1p-149F, 0x1p127F, INFINITY, NAN}) {
    INFO(rare);
    CHECK(is_slow("rcp", "f32", bits(rare)));
  }
  CHECK_FALSE(is_slow("sqrt", "f32", bits(2.0F)));
  for (const float rare : {0.0F, -1.0F, 0x1p-140F, INFINITY, NAN}) {
    INFO(rare);
    CHECK(is_slow("sqrt", "f32", bits(rare)));
  }
  for (const std::string operation : {"rcp", "sqrt", "rsqrt"}) {
    INFO(operation);
    CHECK_FALSE(is_slow(operation, "f64", bits(2.0)));
    for (const double rare : {0.0, 0x1p-1074, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
      INFO(rare);
      CHECK(is_slow(operation, "f64", bits(rare)));
    }
  }
}

TEST_CASE("slow paths: a double quotient needs the function for small numerators and for results beyond the range") {
  const auto check = [](double a, double b) {
    return run_ptx("sass.slow.div.f64 d, a, b, c;", {"pred", "f64", "f64", "f64"}, {{bits(a), bits(b), bits(a / b)}})
               .front() != 0;
  };
  CHECK_FALSE(check(1.0, 3.0));
  CHECK_FALSE(check(-0x1p500, 0x1p300));
  CHECK(check(0.0, 3.0));
  CHECK(check(0x1p-1000, 3.0));
  CHECK(check(1.0, 0.0));
  CHECK(check(1.0, static_cast<double>(INFINITY)));
  CHECK(check(static_cast<double>(NAN), 1.0));
  CHECK(check(1.0, 0x1p1023));  // its reciprocal is no normal number
}

TEST_CASE("slow paths: integers of more than 32 bits") {
  const auto check = [](std::uint64_t a, std::uint64_t b) {
    return run_ptx("sass.slow.div.u64 d, a, b;", {"pred", "u64", "u64"}, {{a, b}}).front() != 0;
  };
  CHECK_FALSE(check(0xffffffff, 7));
  CHECK(check(0x100000000, 7));
  CHECK(check(7, 0x100000000));
}

}  // namespace
