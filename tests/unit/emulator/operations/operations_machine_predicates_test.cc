// Operations of machine code that exchange predicates and words, act on a warp as a whole, or check quotients.
#include <fmt/format.h>
#include <algorithm>
#include <bit>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/machine_text.h"
#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

using LaneWord = std::uint32_t;
using LaneWords = std::vector<LaneWord>;

constexpr LaneWord kPredicateBits = 0x7f;

std::string set_predicates(const std::string& word) {
  std::string text;
  for (int i = 0; i < 7; ++i) {
    text += fmt::format("and.b32 %r9, {}, {};\nsetp.ne.u32 %p{}, %r9, 0;\n", word, 1 << i, i);
  }
  return text;
}

// Predicates as bits of %r8.
std::string read_predicates() {
  std::string text = "mov.b32 %r8, 0;\n";
  for (int i = 0; i < 7; ++i) {
    text += "selp.b32 %r9, " + std::to_string(1 << i) + ", 0, %p" + std::to_string(i) + ";\nor.b32 %r8, %r8, %r9;\n";
  }
  return text;
}

constexpr const char* kAllPredicates = ", %p0, %p1, %p2, %p3, %p4, %p5, %p6;\n";

LaneWords some_words() {
  LaneWords words = sample_words(32);
  words.resize(32);
  return words;
}

// The word that all lanes have, of the lanes 3 to 19 that execute the statement.
LaneWord of_some_lanes(const std::string& statement, const LaneWords& input) {
  const LaneWords output = execute_machine_text(
      "setp.ge.u32 %p1, %t, 3;\nsetp.lt.and.u32 %p1, %t, 20, %p1;\nsetp.ne.u32 %p2, %r0, 0;\n@%p1 " + statement +
          "\nst.global.u32 [%own], %u1;",
      input);
  CHECK(std::ranges::all_of(output, [&](LaneWord word) { return word == output[0]; }));
  return output[0];
}

}  // namespace

TEST_CASE("machine code: predicates replace the bits of a byte that a mask selects", "[machine_code]") {
  const LaneWords input = some_words();
  for (unsigned byte = 0; byte < 4; ++byte) {
    for (const LaneWord mask : {0x7fU, 0x00U, 0x2aU, 0xffU, 0xff01U}) {
      const std::string number = std::to_string(byte);
      const LaneWords output =
          execute_machine_text(set_predicates("%t") + "sass.p2r.b" + number + " %r1, %r0, " + std::to_string(mask) +
                                   kAllPredicates + "st.global.u32 [%own], %r1;",
                               input);
      for (LaneWord lane = 0; lane < 32; ++lane) {
        LaneWord expected = input[lane];
        for (unsigned bit = 0; bit < 8; ++bit) {
          if ((mask >> bit & 1U) != 0) {
            expected &= ~(1U << (8 * byte + bit));
            expected |= bit < 7 ? (lane >> bit & 1U) << (8 * byte + bit) : 0;
          }
        }
        INFO("byte " << byte << " mask " << mask << " lane " << lane);
        REQUIRE(output[lane] == expected);
      }
    }
  }
}

TEST_CASE("machine code: bits of a byte become the predicates that a mask selects", "[machine_code]") {
  const LaneWords input = some_words();
  for (unsigned byte = 0; byte < 4; ++byte) {
    for (const LaneWord mask : {0x7fU, 0x00U, 0x2aU, 0xffU}) {
      const LaneWords output = execute_machine_text(set_predicates("%t") + "sass.r2p.b" + std::to_string(byte) +
                                                        " %r0, " + std::to_string(mask) + kAllPredicates +
                                                        read_predicates() + "st.global.u32 [%own], %r8;",
                                                    input);
      for (LaneWord lane = 0; lane < 32; ++lane) {
        const LaneWord given = input[lane] >> (8 * byte) & kPredicateBits;
        INFO("byte " << byte << " mask " << mask << " lane " << lane);
        REQUIRE(output[lane] == ((lane & ~mask & kPredicateBits) | (given & mask)));
      }
    }
  }
}

TEST_CASE("machine code: lanes without a guard keep their predicates", "[machine_code]") {
  const LaneWords output =
      execute_machine_text("setp.lt.u32 %p7, %t, 16;\n" + set_predicates("%t") + "@%p7 sass.r2p.b0 127, 127" +
                           kAllPredicates + read_predicates() + "st.global.u32 [%own], %r8;");
  for (LaneWord lane = 0; lane < 32; ++lane) {
    CHECK(output[lane] == (lane < 16 ? 127 : lane));
  }
}

TEST_CASE("machine code: a uniform register takes the value of the first executing lane", "[machine_code]") {
  const LaneWords input = some_words();
  CHECK(of_some_lanes("sass.r2ur %u1, %r0;", input) == input[3]);
  CHECK(execute_machine_text("sass.r2ur %u1, %r0;\nst.global.u32 [%own], %u1;", input) == LaneWords(32, input[0]));
}

TEST_CASE("machine code: votes count the executing lanes", "[machine_code]") {
  LaneWords input(32, 0);
  input[3] = input[7] = input[19] = input[20] = 1;
  CHECK(of_some_lanes("sass.voteu.any %u1, _, %p2;", input) == 0x00080088);
  CHECK(of_some_lanes("sass.voteu.any %u1, _, !%p2;", input) == 0x0007ff70);
  // {all, any, eq} as bits, for no lane, some lanes and all lanes.
  const std::string text =
      "sass.voteu.all _, %p3, %p2;\n@%p1 sass.voteu.any _, %p4, %p2;\n@%p1 sass.voteu.eq _, %p5, %p2;\n"
      "selp.b32 %u1, 1, 0, %p3;\n@%p4 or.b32 %u1, %u1, 2;\n@%p5 or.b32 %u1, %u1, 4;";
  CHECK(of_some_lanes(text, input) == 2);
  LaneWords outside(32, 1);
  std::fill_n(outside.begin() + 3, 17, 0U);
  CHECK(of_some_lanes(text, outside) == 4);
  LaneWords inside(32, 0);
  std::fill_n(inside.begin() + 3, 17, 1U);
  CHECK(of_some_lanes(text, inside) == 7);
}

TEST_CASE("machine code: reductions combine the executing lanes", "[machine_code]") {
  const LaneWords input = some_words();
  const auto is_less = [](LaneWord a, LaneWord b) {
    return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  };
  const std::vector<std::pair<std::string, std::function<LaneWord(LaneWord, LaneWord)>>> kinds = {
      {"and", [](LaneWord a, LaneWord b) { return a & b; }},
      {"or", [](LaneWord a, LaneWord b) { return a | b; }},
      {"xor", [](LaneWord a, LaneWord b) { return a ^ b; }},
      {"sum", [](LaneWord a, LaneWord b) { return a + b; }},
      {"min", [](LaneWord a, LaneWord b) { return a < b ? a : b; }},
      {"max", [](LaneWord a, LaneWord b) { return a < b ? b : a; }},
      {"mins", [&](LaneWord a, LaneWord b) { return is_less(a, b) ? a : b; }},
      {"maxs", [&](LaneWord a, LaneWord b) { return is_less(a, b) ? b : a; }}};
  for (LaneWord round = 0; round < 16; ++round) {
    LaneWords values = input;
    for (LaneWord& each : values) {
      each = std::rotl(each * 0x9e3779b9U + round, static_cast<int>(round)) | (round == 1 ? 0x10U : 0U);
    }
    for (const auto& [name, combine] : kinds) {
      LaneWord expected = values[3];
      for (std::size_t lane = 4; lane < 20; ++lane) {
        expected = combine(expected, values[lane]);
      }
      INFO(name << " round " << round);
      CHECK(of_some_lanes("sass.redux." + name + " %u1, %r0;", values) == expected);
    }
  }
}

namespace {

std::vector<std::uint64_t> checked_quotients(const std::vector<Row>& rows) {
  return run_ptx("sass.fchk d, a, b;", {"pred", "f32", "f32"}, rows);
}

// The division that compilers emit for quotients that the check lets pass.
float short_division(float a, float b) {
  const float start = static_cast<float>(1.0 / static_cast<double>(b));
  const float reciprocal = std::fma(start, std::fma(-b, start, 1.0F), start);
  const float first = a * reciprocal;
  const float second = std::fma(reciprocal, std::fma(-b, first, a), first);
  return std::fma(reciprocal, std::fma(-b, second, a), second);
}

}  // namespace

TEST_CASE("machine code: quotients that the check lets pass need no scaling", "[machine_code]") {
  std::vector<Row> rows;
  const std::vector<float> values = sample_singles(200);
  for (const float a : values) {
    for (const float b : values) {
      rows.push_back({bits(a), bits(b)});
    }
  }
  const auto slow = checked_quotients(rows);
  std::size_t fast = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (slow[i] == 0) {
      const float a = single(rows[i][0]);
      const float b = single(rows[i][1]);
      INFO(a << " / " << b);
      REQUIRE(bits(short_division(a, b)) == bits(a / b));
      ++fast;
    }
  }
  CHECK(fast > rows.size() / 2);
}

TEST_CASE("machine code: the check finds quotients with extreme exponents", "[machine_code]") {
  const auto check = [](float a, float b) { return checked_quotients({{bits(a), bits(b)}}).front(); };
  for (const float b : {1.0F, 3.0F, -7.5F, 0x1p60F, 0x1p-60F}) {
    INFO(b);
    CHECK(check(1.0F, b) == 0);
    CHECK(check(-1234.5F, b) == 0);
    CHECK(check(INFINITY, b) == 1);
    CHECK(check(NAN, b) == 1);
  }
  for (const float b : {0.0F, -0.0F, INFINITY, -INFINITY, NAN, 0x1p-149F, 0x1p127F}) {
    INFO(b);
    CHECK(check(1.0F, b) == 1);
  }
  CHECK(check(0x1p100F, 0x1p-27F) == 1);
  CHECK(check(0x1p-100F, 0x1p27F) == 1);
  CHECK(check(0x1p-149F, 1.0F) == 1);
}
