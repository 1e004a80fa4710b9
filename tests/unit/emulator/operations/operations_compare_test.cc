// Comparisons of every type with every relation, and selection.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "emulator/operations/comparison.h"
#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

// The relations (less, equal, greater, unordered) that satisfy a comparison.
struct Comparison {
  const char* word;
  const char* holds;  // for <, =, >, unordered
};
constexpr Comparison kOrdered[] = {{"eq", "0100"}, {"ne", "1010"}, {"lt", "1000"},
                                   {"le", "1100"}, {"gt", "0010"}, {"ge", "0110"}};
constexpr Comparison kUnsigned[] = {{"lo", "1000"}, {"ls", "1100"}, {"hi", "0010"}, {"hs", "0110"}};
constexpr Comparison kUnorderedComparisons[] = {{"equ", "0101"}, {"neu", "1011"}, {"ltu", "1001"}, {"leu", "1101"},
                                                {"gtu", "0011"}, {"geu", "0111"}, {"num", "1110"}, {"nan", "0001"}};

// Four rows: less, equal, greater, unordered (if there is a fourth).
void check(const Comparison& comparison, const std::string& type, const std::string& held,
           const std::vector<Row>& rows) {
  const auto predicates =
      run_ptx(std::string("setp.") + comparison.word + "." + type + " d, a, b;", {"pred", held, held}, rows);
  const auto numbers =
      run_ptx(std::string("set.") + comparison.word + ".u32." + type + " d, a, b;", {"b32", held, held}, rows);
  const auto singles =
      run_ptx(std::string("set.") + comparison.word + ".f32." + type + " d, a, b;", {"b32", held, held}, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool expected = comparison.holds[i] == '1';
    INFO(comparison.word << " " << type << " row " << i);
    CHECK(predicates[i] == (expected ? 1 : 0));
    CHECK(numbers[i] == (expected ? 0xffffffff : 0));
    CHECK(singles[i] == (expected ? 0x3f800000 : 0));
  }
}

const std::vector<std::string> kPair{"b32", "b32", "b32", "b32"};

}  // namespace

TEST_CASE("words that are not comparisons are recognised") {
  CHECK(warpsim::comparison_of("geu") == (warpsim::kGreater | warpsim::kEqual | warpsim::kUnordered));
  CHECK(!warpsim::comparison_of("and"));
}

TEST_CASE("integers are compared by sign and width") {
  for (const Comparison& comparison : kOrdered) {
    for (const char* const width : {"16", "32", "64"}) {
      const std::uint64_t minus = ~std::uint64_t{0};
      const std::string held = std::string("b") + width;
      check(comparison, std::string("u") + width, held, {{1, minus}, {minus, minus}, {minus, 1}});
      check(comparison, std::string("s") + width, held, {{minus, 1}, {minus, minus}, {1, minus}});
    }
  }
  for (const Comparison& comparison : kUnsigned) {
    check(comparison, "u32", "b32", {{1, 0xffffffff}, {7, 7}, {0xffffffff, 1}});
  }
}

TEST_CASE("floating-point comparisons handle unordered values") {
  const std::uint64_t nan = bits(std::numeric_limits<float>::quiet_NaN());
  const std::uint64_t long_nan = bits(std::numeric_limits<double>::quiet_NaN());
  const auto check_all = [&](const Comparison& comparison) {
    check(comparison, "f32", "b32",
          {{bits(-1.0F), bits(1.0F)}, {bits(0.0F), bits(-0.0F)}, {bits(2.0F), bits(1.0F)}, {nan, bits(1.0F)}});
    check(comparison, "ftz.f32", "b32", {{bits(-1.0F), 1}, {1, 0x80000001}, {bits(2.0F), 1}, {1, nan}});
    check(comparison, "f64", "b64",
          {{bits(-1.0), bits(1.0)}, {bits(0.0), bits(-0.0)}, {bits(2.0), bits(1.0)}, {long_nan, long_nan}});
    // 1, 2 and NaN in both halves' formats.
    check(comparison, "f16", "b16", {{0x3c00, 0x4000}, {0x8000, 0}, {0x4000, 0xbc00}, {0x7fff, 0x3c00}});
    check(comparison, "bf16", "b16", {{0x3f80, 0x4000}, {0x8000, 0}, {0x4000, 0xbf80}, {0x3f80, 0x7fff}});
  };
  for (const Comparison& comparison : kOrdered) {
    check_all(comparison);
  }
  for (const Comparison& comparison : kUnorderedComparisons) {
    check_all(comparison);
  }
}

TEST_CASE("a comparison is combined with a predicate, and so is its opposite") {
  const auto run = [](const std::string& combination, bool less, bool other) {
    const std::string text = "{ .reg .pred p, q, r; setp.ne.u32 r, c, 0; setp.lt." + combination +
                             ".s32 p|q, a, b, r; selp.u32 d, 1, 0, p; @q or.b32 d, d, 2; }";
    return run_row(text, kPair, Row{less ? 1U : 3U, 2, other ? 1U : 0U});
  };
  for (const bool less : {false, true}) {
    for (const bool other : {false, true}) {
      const auto expected = [](bool p, bool q) { return (p ? 1U : 0U) | (q ? 2U : 0U); };
      CHECK(run("and", less, other) == expected(less && other, !less && other));
      CHECK(run("or", less, other) == expected(less || other, !less || other));
      CHECK(run("xor", less, other) == expected(less != other, !less != other));
    }
  }
  CHECK(run_row("{ .reg .pred p, r; setp.ne.u32 r, c, 0; setp.lt.and.s32 p, a, b, !r; selp.u32 d, 1, 0, p; }", kPair,
                Row{1, 2, 0}) == 1);
}

TEST_CASE("pairs of halves have two results") {
  // low: 1 < 2, high: 2 > 1
  const Row row{0x40003c00, 0x3c004000, 0};
  CHECK(run_row("{ .reg .pred p, q; setp.lt.f16x2 p|q, a, b; selp.u32 d, 1, 0, p; @q or.b32 d, d, 2; }", kPair, row) ==
        1);
  CHECK(run_row("{ .reg .pred p, q; setp.gt.f16x2 p|q, a, b; selp.u32 d, 1, 0, p; @q or.b32 d, d, 2; }", kPair, row) ==
        2);
  CHECK(run_row("set.lt.f16x2.f16x2 d, a, b;", kPair, row) == 0x3c00);
  CHECK(run_row("set.gt.f16x2.f16x2 d, a, b;", kPair, row) == 0x3c000000);
  CHECK(run_row("set.ne.u32.f16x2 d, a, b;", kPair, row) == 0xffffffff);
  CHECK(run_row("set.lt.u32.f16x2 d, a, b;", kPair, row) == 0xffff);
  CHECK(run_row("set.lt.bf16x2.bf16x2 d, a, b;", kPair, Row{0x40003f80, 0x3f804000}) == 0x3f80);
}

TEST_CASE("slct selects by sign, selp by predicate") {
  CHECK(run_row("slct.b32.s32 d, a, b, c;", kPair, Row{10, 20, 0}) == 10);
  CHECK(run_row("slct.b32.s32 d, a, b, c;", kPair, Row{10, 20, 0x80000000}) == 20);
  CHECK(run_row("slct.b32.f32 d, a, b, c;", kPair, Row{10, 20, bits(-0.0F)}) == 10);
  CHECK(run_row("slct.b32.f32 d, a, b, c;", kPair, Row{10, 20, bits(-1.0F)}) == 20);
  CHECK(run_row("slct.b32.f32 d, a, b, c;", kPair, Row{10, 20, bits(std::nanf(""))}) == 20);
  CHECK(run_row("slct.b32.f32 d, a, b, c;", kPair, Row{10, 20, 0x80000001}) == 20);
  CHECK(run_row("slct.ftz.b32.f32 d, a, b, c;", kPair, Row{10, 20, 0x80000001}) == 10);
  const std::vector<std::string> wide{"b64", "b64", "b64", "b32"};
  CHECK(run_row("slct.u64.s32 d, a, b, c;", wide, Row{10, 20, 1}) == 10);
  for (const char* const width : {"16", "32", "64"}) {
    const std::string held = std::string("b") + width;
    const std::vector<std::string> types{held, held, held, "pred"};
    CHECK((run_row("selp." + held + " d, a, b, c;", types, Row{10, 20, 1}) & 0xffff) == 10);
    CHECK((run_row("selp." + held + " d, a, b, c;", types, Row{10, 20, 0}) & 0xffff) == 20);
  }
}
