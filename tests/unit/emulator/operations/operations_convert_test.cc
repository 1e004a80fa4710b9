// Conversions between integers and single and double precision.
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

__extension__ using Wide = __int128;

struct IntegerType {
  const char* name;
  unsigned bits;
  bool is_signed;
  // The register that holds it: there are none of 8 bits.
  std::string held() const { return "b" + std::to_string(std::max(bits, 16U)); }
  Wide least() const { return is_signed ? -(Wide{1} << (bits - 1)) : 0; }
  Wide most() const { return (Wide{1} << (is_signed ? bits - 1 : bits)) - 1; }
};
constexpr IntegerType kTypes[] = {{"u8", 8, false},   {"s8", 8, true},   {"u16", 16, false}, {"s16", 16, true},
                                  {"u32", 32, false}, {"s32", 32, true}, {"u64", 64, false}, {"s64", 64, true}};

std::uint64_t cut(Wide value, unsigned bits) {
  const auto word = static_cast<std::uint64_t>(value);
  return bits == 64 ? word : word & ((std::uint64_t{1} << bits) - 1);
}

Wide number(std::uint64_t word, const IntegerType& type) {
  const Wide value = static_cast<Wide>(cut(static_cast<Wide>(word), type.bits));
  return value > type.most() ? value - (Wide{1} << type.bits) : value;
}

std::vector<Row> words() {
  std::vector<Row> rows;
  for (const std::uint64_t word : sample_long_words(60)) {
    rows.push_back({word});
  }
  return rows;
}

// The register's bits above a result: its sign or zeros.
std::uint64_t in_register(Wide value, const IntegerType& type) {
  return cut(value, std::max(type.bits, 16U));
}

}  // namespace

TEST_CASE("integers are truncated and extended, or saturated") {
  const std::vector<Row> rows = words();
  for (const IntegerType& from : kTypes) {
    for (const IntegerType& to : kTypes) {
      const std::string types = std::string(to.name) + "." + from.name + " d, a;";
      const auto plain = run_ptx("cvt." + types, {to.held(), from.held()}, rows);
      const auto saturated = run_ptx("cvt.sat." + types, {to.held(), from.held()}, rows);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Wide value = number(rows[i][0], from);
        const Wide truncated = number(cut(value, to.bits), to);
        INFO(types << " row " << i);
        REQUIRE(plain[i] == in_register(truncated, to));
        REQUIRE(saturated[i] == in_register(std::clamp(value, to.least(), to.most()), to));
      }
    }
  }
}

TEST_CASE("registers may be wider than a conversion's types") {
  CHECK(run_row("cvt.s8.s32 d, a;", {"b32", "b32"}, Row{0x180}) == 0xffffff80);
  CHECK(run_row("cvt.u8.u32 d, a;", {"b32", "b32"}, Row{0x180}) == 0x80);
  CHECK(run_row("cvt.s16.s8 d, a;", {"b64", "b16"}, Row{0x80}) == 0xffffffffffffff80);
  CHECK(run_row("cvt.u32.u16 d, a;", {"b32", "b64"}, Row{0x123456789}) == 0x6789);
}

TEST_CASE("floating point becomes integers in all roundings, clamped to their range") {
  const auto rounded = [](const std::string& mode, long double value) {
    return mode == "rni"   ? std::nearbyint(value)
           : mode == "rzi" ? std::trunc(value)
           : mode == "rmi" ? std::floor(value)
                           : std::ceil(value);
  };
  std::vector<Row> singles;
  std::vector<Row> doubles;
  std::vector<double> values{0,       -0.0,    0.5,        -0.5,         1.5,           2.5,          -1.5,
                             126.5,   127.5,   128,        -128.5,       -129,          255.5,        32767.5,
                             65535.5, 65536,   2147483520, 2147483648.0, -2147483648.0, 4294967296.0, 0x1p62,
                             0x1p63,  -0x1p63, 0x1.8p63,   0x1p64,       1e300,         -1e300};
  for (const double value : values) {
    singles.push_back({bits(static_cast<float>(value))});
    doubles.push_back({bits(value)});
  }
  for (const float value : sample_singles(40)) {
    if (value == value) {
      singles.push_back({bits(value)});
    }
  }
  for (const double value : {2147483647.4, 2147483647.6, 4294967295.4, 9007199254740993.0, 0x1.fffffffffffffp62}) {
    doubles.push_back({bits(value)});
  }
  for (const IntegerType& to : kTypes) {
    for (const std::string mode : {"rni", "rzi", "rmi", "rpi"}) {
      const auto check = [&](const std::string& from, const std::vector<Row>& rows) {
        const std::string text = "cvt." + mode + "." + to.name + "." + from + " d, a;";
        const auto results = run_ptx(text, {to.held(), from}, rows);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const long double value = rounded(mode, from == "f32" ? single(rows[i][0]) : from_bits(rows[i][0]));
          const Wide expected = value >= static_cast<long double>(to.most())    ? to.most()
                                : value <= static_cast<long double>(to.least()) ? to.least()
                                                                                : static_cast<Wide>(value);
          INFO(text << " row " << i);
          REQUIRE(results[i] == in_register(expected, to));
        }
      };
      check("f32", singles);
      check("f64", doubles);
    }
  }
}

TEST_CASE("a NaN becomes 0, or the highest bit if a type has 64 bits") {
  const std::uint64_t nan = bits(std::numeric_limits<float>::quiet_NaN());
  const std::uint64_t long_nan = bits(std::numeric_limits<double>::quiet_NaN());
  CHECK(run_row("cvt.rzi.s32.f32 d, a;", {"b32", "f32"}, Row{nan}) == 0);
  CHECK(run_row("cvt.rzi.u32.f32 d, a;", {"b32", "f32"}, Row{nan}) == 0);
  CHECK(run_row("cvt.rzi.s16.f16 d, a;", {"b16", "b16"}, Row{0x7e00}) == 0);
  CHECK(run_row("cvt.rzi.s64.f32 d, a;", {"b64", "f32"}, Row{nan}) == 0x8000000000000000);
  CHECK(run_row("cvt.rzi.u64.f32 d, a;", {"b64", "f32"}, Row{nan}) == 0x8000000000000000);
  CHECK(run_row("cvt.rzi.s32.f64 d, a;", {"b32", "f64"}, Row{long_nan}) == 0x80000000);
  CHECK(run_row("cvt.rzi.u32.f64 d, a;", {"b32", "f64"}, Row{long_nan}) == 0x80000000);
  CHECK(run_row("cvt.rzi.u64.f64 d, a;", {"b64", "f64"}, Row{long_nan}) == 0x8000000000000000);
}

TEST_CASE("flushed sources round to zero") {
  CHECK(run_row("cvt.rpi.s32.f32 d, a;", {"b32", "f32"}, Row{1}) == 1);
  CHECK(run_row("cvt.rpi.ftz.s32.f32 d, a;", {"b32", "f32"}, Row{1}) == 0);
}

TEST_CASE("integers become floating point in all roundings") {
  const std::vector<Row> rows = words();
  for (const IntegerType& from : kTypes) {
    for (const std::string rounding : {"rn", "rz", "rm", "rp"}) {
      const std::string types = std::string(".") + from.name + " d, a;";
      const auto singles = run_ptx("cvt." + rounding + ".f32" + types, {"f32", from.held()}, rows);
      const auto doubles = run_ptx("cvt." + rounding + ".f64" + types, {"f64", from.held()}, rows);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto exact = static_cast<Quad>(number(rows[i][0], from));
        INFO(types << " " << rounding << " row " << i << " is " << singles[i]);
        REQUIRE(is_rounded(single(singles[i]), ExactSum(exact, 0), rounding));
        REQUIRE(is_rounded(from_bits(doubles[i]), ExactSum(exact, 0), rounding));
        REQUIRE((number(rows[i][0], from) != 0 || (singles[i] == 0 && doubles[i] == 0)));
      }
    }
  }
  CHECK(run_row("cvt.rn.sat.f32.s32 d, a;", {"f32", "b32"}, Row{5}) == bits(1.0F));
  CHECK(run_row("cvt.rn.sat.f32.s32 d, a;", {"f32", "b32"}, Row{0xfffffffb}) == 0);
}

TEST_CASE("double becomes single precision in all roundings") {
  std::vector<Row> rows;
  for (const double value : sample_doubles(100)) {
    if (std::isfinite(value)) {
      rows.push_back({bits(value)});
    }
  }
  for (const double value : {0x1.000001p0, 0x1.000003p0, -0x1.0000010000001p0, 0x1.ffffffp127, 0x1.fffffefp127,
                             0x1p-150, 0x1.8p-149, -0x1p-151}) {
    rows.push_back({bits(value)});
  }
  for (const std::string rounding : {"rn", "rz", "rm", "rp"}) {
    const auto results = run_ptx("cvt." + rounding + ".f32.f64 d, a;", {"f32", "f64"}, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      INFO(rounding << " " << from_bits(rows[i][0]) << " is " << single(results[i]));
      REQUIRE(is_rounded(single(results[i]), ExactSum(from_bits(rows[i][0]), 0), rounding));
    }
  }
  CHECK(run_row("cvt.rn.ftz.f32.f64 d, a;", {"f32", "f64"}, Row{bits(-0x1p-130)}) == 0x80000000);
  CHECK(run_row("cvt.rn.sat.f32.f64 d, a;", {"f32", "f64"}, Row{bits(1.5)}) == bits(1.0F));
  CHECK(run_row("cvt.rn.f32.f64 d, a;", {"f32", "f64"}, Row{bits(std::nan(""))}) == 0x7fc00000);
}

TEST_CASE("single becomes double precision exactly") {
  std::vector<Row> rows;
  for (const float value : sample_singles(60)) {
    if (value == value) {
      rows.push_back({bits(value)});
    }
  }
  const auto results = run_ptx("cvt.f64.f32 d, a;", {"f64", "f32"}, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(results[i] == bits(static_cast<double>(single(rows[i][0]))));
  }
  CHECK(run_row("cvt.ftz.f64.f32 d, a;", {"f64", "f32"}, Row{0x80000001}) == bits(-0.0));
}

TEST_CASE("floating point is rounded to integral values of its own type") {
  const std::vector<std::string> types{"f32", "f32"};
  CHECK(run_row("cvt.rni.f32.f32 d, a;", types, Row{bits(2.5F)}) == bits(2.0F));
  CHECK(run_row("cvt.rni.f32.f32 d, a;", types, Row{bits(-0.25F)}) == bits(-0.0F));
  CHECK(run_row("cvt.rzi.f32.f32 d, a;", types, Row{bits(-2.75F)}) == bits(-2.0F));
  CHECK(run_row("cvt.rmi.f32.f32 d, a;", types, Row{bits(-2.25F)}) == bits(-3.0F));
  CHECK(run_row("cvt.rpi.f32.f32 d, a;", types, Row{bits(2.25F)}) == bits(3.0F));
  CHECK(run_row("cvt.rpi.ftz.f32.f32 d, a;", types, Row{1}) == 0);
  CHECK(run_row("cvt.sat.f32.f32 d, a;", types, Row{bits(2.25F)}) == bits(1.0F));
  CHECK(run_row("cvt.rmi.f64.f64 d, a;", {"f64", "f64"}, Row{bits(-2.25)}) == bits(-3.0));
  CHECK(run_row("cvt.rpi.f16.f16 d, a;", {"b16", "b16"}, Row{0x3d00}) == 0x4000);
}

TEST_CASE("cvt.pack saturates two integers below a third") {
  const std::vector<std::string> types{"b32", "b32", "b32", "b32"};
  CHECK(run_row("cvt.pack.sat.s16.s32 d, a, b;", types, Row{0x12345, 0xfffe0000}) == 0x7fff8000);
  CHECK(run_row("cvt.pack.sat.u16.s32 d, a, b;", types, Row{0xffffffff, 5}) == 5);
  CHECK(run_row("cvt.pack.sat.u8.s32.b32 d, a, b, c;", types, Row{300, 0xffffffff, 0xabcd}) == 0xabcdff00);
  CHECK(run_row("cvt.pack.sat.s8.s32.b32 d, a, b, c;", types, Row{0xffffff00, 1000, 0x1234}) == 0x1234807f);
  CHECK(run_row("cvt.pack.sat.u4.s32.b32 d, a, b, c;", types, Row{20, 3, 0x5}) == 0x5f3);
  CHECK(run_row("cvt.pack.sat.s2.s32.b32 d, a, b, c;", types, Row{1, 0xffffffff, 0x5}) == 0x57);
}
