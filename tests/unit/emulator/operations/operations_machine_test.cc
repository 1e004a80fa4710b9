// Operations of machine code on one lane each, compared with straightforward formulas: sums with carries, shifted sums,
// shifts of pairs, wide products, predicates, checks of quotients.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

__extension__ using Exact = unsigned __int128;
using LaneWord = std::uint32_t;

constexpr Exact kBeyond = Exact{1} << 32U;

std::vector<Row> word_triples(std::size_t random = 6) {
  const std::vector<LaneWord> words = sample_words(random);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      rows.push_back({words[i], words[k], words[(i + 3 * k) % words.size()]});
    }
  }
  return rows;
}

// Each row four times, with the numbers 0 to 3 in e: two carries.
std::vector<Row> with_carries(const std::vector<Row>& rows) {
  std::vector<Row> result;
  for (const Row& row : rows) {
    for (std::uint64_t carries = 0; carries < 4; ++carries) {
      result.push_back({row[0], row[1], row[2], carries});
    }
  }
  return result;
}

std::string sign_names(unsigned signs) {
  std::string text;
  for (unsigned i = 0; i < 3; ++i) {
    text += (signs >> i & 1U) != 0 ? ".n" + std::to_string(i) : "";
  }
  return text;
}

// A source of a sum: -a is 2^32 - a; with a carry in, ~a, to which the carry adds the missing one.
Exact term(std::uint64_t value, bool negative, bool takes) {
  return !negative ? Exact{value} : kBeyond - value - (takes ? 1 : 0);
}

// x and y are the carries in e; s is the sum, p and q the carries out, which become bits 32 and 33 of d.
std::string with_predicates(const std::string& statement) {
  return ".reg .pred x, y, p, q;\n.reg .b32 s, t, u;\nand.b32 t, e, 1;\nsetp.ne.u32 x, t, 0;\nand.b32 t, e, 2;\n"
         "setp.ne.u32 y, t, 0;\nsetp.ne.u32 p, 0, 0;\nsetp.ne.u32 q, 0, 0;\n" +
         statement + "\nselp.b32 t, 1, 0, p;\nselp.b32 u, 2, 0, q;\nor.b32 t, t, u;\nmov.b64 d, {s, t};";
}

std::vector<std::uint64_t> run_with_predicates(const std::string& statement, const std::vector<Row>& rows) {
  return run_ptx(with_predicates(statement), {"b64", "b32", "b32", "b32", "b32"}, rows);
}

}  // namespace

TEST_CASE("machine code: a sum of three has each sign", "[machine_code]") {
  const std::vector<Row> rows = word_triples();
  for (unsigned signs = 0; signs < 8; ++signs) {
    const std::string text = "sass.add3" + sign_names(signs) + " d, a, b, c;";
    const auto results = run_ptx(text, {"b32", "b32", "b32", "b32"}, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::uint64_t expected = 0;
      for (unsigned k = 0; k < 3; ++k) {
        expected += (signs >> k & 1U) != 0 ? 0 - rows[i][k] : rows[i][k];
      }
      INFO(text << " of row " << i);
      REQUIRE(results[i] == static_cast<LaneWord>(expected));
    }
  }
}

TEST_CASE("machine code: carries of a sum of three state that it is 2^32 and 2^33 or more", "[machine_code]") {
  const std::vector<Row> rows = with_carries(word_triples(2));
  for (unsigned form = 0; form < 32; ++form) {
    const unsigned signs = form % 8;
    const bool takes = (form & 8U) != 0;
    const bool inverted = takes && (form & 16U) != 0;
    const std::string carries = !takes ? "" : inverted ? ", !x, !y" : ", x, y";
    const std::string text =
        "sass.add3c" + sign_names(signs) + (takes ? ".x" : "") + " s, p, q, a, b, c" + carries + ";";
    const auto results = run_with_predicates(text, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Exact sum = 0;
      for (unsigned k = 0; k < 3; ++k) {
        sum += term(rows[i][k], (signs >> k & 1U) != 0, takes);
      }
      const std::uint64_t given = inverted ? 3 - rows[i][3] : rows[i][3];
      sum += takes ? (given & 1U) + (given >> 1U) : 0;
      const std::uint64_t flags = (sum >= kBeyond ? 1U : 0U) + (sum >= 2 * kBeyond ? 2U : 0U);
      INFO(text << " of row " << i);
      REQUIRE(results[i] == (flags << 32U | static_cast<LaneWord>(sum)));
    }
  }
}

TEST_CASE("machine code: two sums with a carry are a difference of 64 bits", "[machine_code]") {
  const std::string text =
      ".reg .b32 al, ah, bl, bh, l, h;\n.reg .pred p;\nmov.b64 {al, ah}, a;\nmov.b64 {bl, bh}, b;\n"
      "sass.add3c.n1 l, p, _, al, bl, 0;\nsass.add3c.n1.x h, _, _, ah, bh, 0, p, !%pt;\nmov.b64 d, {l, h};";
  std::vector<Row> rows;
  for (const std::uint64_t a : sample_long_words(6)) {
    for (const std::uint64_t b : sample_long_words(6)) {
      rows.push_back({a, b});
    }
  }
  const auto results = run_ptx(".reg .pred %pt;\nsetp.eq.u32 %pt, 0, 0;\n" + text, {"b64", "b64", "b64"}, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO(rows[i][0] << " - " << rows[i][1]);
    REQUIRE(results[i] == rows[i][0] - rows[i][1]);
  }
}

TEST_CASE("machine code: discarded results of a sum change nothing, and lanes without a guard keep theirs",
          "[machine_code]") {
  const Row all_ones = {0xffffffff, 0xffffffff, 0xffffffff, 1};
  const auto result = [&](const std::string& statement) { return run_with_predicates(statement, {all_ones}).front(); };
  CHECK(result("mov.b32 s, 7;\nsass.add3c _, p, q, a, b, c;") == 0x300000007);
  CHECK(result("sass.add3c s, _, q, a, b, c;") == 0x2fffffffd);
  CHECK(result("sass.add3c s, p, _, a, b, c;") == 0x1fffffffd);
  CHECK(result("mov.b32 s, 7;\n@!x sass.add3c s, p, q, a, b, c;") == 7);
  CHECK(result("mov.b32 s, 7;\n@x sass.add3c s, p, q, a, b, c;") == 0x3fffffffd);
}

TEST_CASE("machine code: a shifted sum takes the lower or upper word of what is shifted", "[machine_code]") {
  const std::vector<Row> rows = with_carries(word_triples(1));
  for (const std::string part : {"", ".hi", ".sx32"}) {
    for (const unsigned shift : {0U, 1U, 4U, 31U}) {
      for (unsigned form = 0; form < 6; ++form) {
        const unsigned signs = form % 3;
        const bool takes = form >= 3;
        const std::string text = "sass.lea" + sign_names(signs) + (takes ? ".x" : "") + part + ".s" +
                                 std::to_string(shift) + " s, p, a, b, c" + (takes ? ", x" : "") + ";";
        const auto results = run_with_predicates(text, rows);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const Exact a = rows[i][0];
          const Exact upper = part == ".hi" ? rows[i][2] : (rows[i][0] >> 31U) * 0xffffffffU;
          const Exact shifted = part.empty() ? a << shift : ((upper << 32U) + a) << shift >> 32U;
          const Exact sum = term(static_cast<LaneWord>(shifted), (signs & 1U) != 0, takes) +
                            term(rows[i][1], (signs & 2U) != 0, takes) + (takes ? rows[i][3] & 1U : 0);
          INFO(text << " of row " << i);
          REQUIRE(results[i] == (static_cast<std::uint64_t>(sum >= kBeyond) << 32U | static_cast<LaneWord>(sum)));
        }
      }
    }
  }
}

namespace {

struct Shift {
  bool right = false;
  bool wraps = false;
  bool upper = false;
  bool wide = false;
  bool is_signed = false;
};

std::string name_of(const Shift& shift) {
  return std::string("sass.shf") + (shift.right ? ".r" : "") + (shift.wraps ? ".w" : "") + (shift.upper ? ".hi" : "") +
         (shift.wide ? ".wide" : "") + (shift.is_signed ? ".signed" : "");
}

// Bit by bit: bit i of {c, a} shifted is the one at a distance, 0, or the sign.
LaneWord shifted_word(const Shift& shift, LaneWord a, LaneWord b, LaneWord c) {
  const std::int64_t width = shift.wide ? 64 : 32;
  const std::int64_t amount = shift.wraps ? b % width : b < width ? b : width;
  LaneWord result = 0;
  for (std::int64_t i = 0; i < 32; ++i) {
    const std::int64_t from = i + (shift.upper ? 32 : 0) + (shift.right ? amount : -amount);
    const bool beyond = from < 0 || from > 63;
    const bool sign = shift.right && shift.is_signed && c >> 31U != 0;
    const bool bit = beyond ? sign : ((from < 32 ? a >> from : c >> (from - 32)) & 1U) != 0;
    result |= static_cast<LaneWord>(bit) << i;
  }
  return result;
}

}  // namespace

TEST_CASE("machine code: a shift of a pair moves every bit, in each of its 32 forms", "[machine_code]") {
  std::vector<Row> rows;
  const std::vector<LaneWord> words = sample_words(4);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const LaneWord amount : {0U, 1U, 7U, 31U, 32U, 33U, 63U, 64U, 65U, 96U, 0x80000000U, 0xffffffffU}) {
      rows.push_back({words[i], amount, words[(i + 5) % words.size()]});
    }
  }
  for (unsigned form = 0; form < 32; ++form) {
    const Shift shift = {(form & 1U) != 0, (form & 2U) != 0, (form & 4U) != 0, (form & 8U) != 0, (form & 16U) != 0};
    const auto results = run_ptx(name_of(shift) + " d, a, b, c;", {"b32", "b32", "b32", "b32"}, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      INFO(name_of(shift) << " of row " << i << " by " << rows[i][1]);
      REQUIRE(results[i] == shifted_word(shift, static_cast<LaneWord>(rows[i][0]), static_cast<LaneWord>(rows[i][1]),
                                         static_cast<LaneWord>(rows[i][2])));
    }
  }
}

TEST_CASE("machine code: a wide product with a sum has 64 bits and a carry", "[machine_code]") {
  const std::vector<Row> rows = with_carries(word_triples(1));
  // c is the lower half of the third source, b its upper half; a carry is in e.
  for (unsigned form = 0; form < 16; ++form) {
    const bool is_signed = (form & 1U) != 0;
    const bool negative = (form & 2U) != 0;
    const bool takes = (form & 4U) != 0;
    const bool upper = (form & 8U) != 0;
    const std::string name = std::string("sass.madwide") + (negative ? ".n2" : "") + (takes ? ".x" : "") +
                             (is_signed ? ".signed" : "") + (upper ? ".hi" : "");
    const std::string carry = takes ? ", x" : "";
    const auto sums =
        run_with_predicates(fmt::format("{} s, {}, p, a, b, c, b{};", name, upper ? "_" : "u", carry), rows);
    const auto uppers =
        run_with_predicates(fmt::format("{} {}, p, a, b, c, b{};", name, upper ? "s, _" : "u, s", carry), rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto a = static_cast<LaneWord>(rows[i][0]);
      const auto b = static_cast<LaneWord>(rows[i][1]);
      const std::uint64_t product =
          is_signed
              ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b))
              : std::uint64_t{a} * b;
      const Exact c = (rows[i][1] << 32U) + rows[i][2];
      const Exact beyond = kBeyond * kBeyond;
      const Exact sum = product + (negative ? beyond - c - (takes ? 1 : 0) : c) + (takes ? rows[i][3] & 1U : 0);
      const std::uint64_t carry_out = static_cast<std::uint64_t>(sum >= beyond) << 32U;
      INFO(name << " of row " << i);
      REQUIRE(sums[i] == (carry_out | static_cast<LaneWord>(upper ? sum >> 32U : sum)));
      REQUIRE(uppers[i] == (carry_out | static_cast<LaneWord>(sum >> 32U)));
    }
  }
}

TEST_CASE("machine code: tables of three predicates give each entry, twice", "[machine_code]") {
  std::vector<Row> rows;
  for (std::uint64_t i = 0; i < 8; ++i) {
    rows.push_back({i >> 2U & 1U, i >> 1U & 1U, i & 1U, 0});
  }
  const std::string before = ".reg .pred k, l, m;\nsetp.ne.u32 k, a, 0;\nsetp.ne.u32 l, b, 0;\nsetp.ne.u32 m, c, 0;\n";
  for (unsigned table = 0; table < 256; ++table) {
    const unsigned second = (table * 7 + 3) % 256;
    const std::string tables = ", " + std::to_string(table) + ", " + std::to_string(second) + ";\nmov.b32 s, 0;";
    const auto plain = run_with_predicates(fmt::format("{}sass.plop3 p, q, k, l, m{}", before, tables), rows);
    const auto inverted = run_with_predicates(fmt::format("{}sass.plop3 p, q, !k, l, !m{}", before, tables), rows);
    for (unsigned i = 0; i < 8; ++i) {
      const auto entry = [&](unsigned number) -> std::uint64_t {
        return (table >> number & 1U) + 2 * (second >> number & 1U);
      };
      INFO(table << " " << second << " entry " << i);
      REQUIRE(plain[i] == entry(i) << 32U);
      REQUIRE(inverted[i] == entry(i ^ 5U) << 32U);
    }
  }
}
