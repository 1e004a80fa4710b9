// Bits, logic and shifts, compared with definitions for single bits.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

const std::vector<std::string> kWords{"b32", "b32", "b32", "b32", "b32"};
const std::vector<std::string> kPredicates{"pred", "pred", "pred"};

std::uint64_t result(const std::string& text, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0,
                     std::uint64_t e = 0) {
  return run_row(text, kWords, Row{a, b, c, e});
}

// All pairs of sample words.
std::vector<Row> pairs() {
  const std::vector<std::uint64_t> words = sample_long_words(6);
  std::vector<Row> rows;
  for (const std::uint64_t a : words) {
    for (const std::uint64_t b : words) {
      rows.push_back({a, b});
    }
  }
  return rows;
}

std::uint64_t ones(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

template <class Formula>
void check(const std::string& opcode, unsigned width, Formula formula, const std::string& amount = "") {
  const std::string held = "b" + std::to_string(width);
  const std::vector<Row> rows = pairs();
  const std::string text = opcode + " d, a, b;";
  const auto results = run_ptx(text, {held, held, amount.empty() ? held : amount}, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO(text << " " << width << " of row " << i);
    const std::uint64_t b = amount.empty() ? rows[i][1] & ones(width) : rows[i][1] & ones(32);
    REQUIRE((results[i] & ones(width)) == (formula(rows[i][0] & ones(width), b) & ones(width)));
  }
}

using Word = std::uint64_t;

}  // namespace

TEST_CASE("bitwise logic works on all widths and on predicates") {
  for (const unsigned width : {16U, 32U, 64U}) {
    const std::string type = ".b" + std::to_string(width);
    check("and" + type, width, [](Word a, Word b) { return a & b; });
    check("or" + type, width, [](Word a, Word b) { return a | b; });
    check("xor" + type, width, [](Word a, Word b) { return a ^ b; });
    const std::string held = "b" + std::to_string(width);
    CHECK((run_row("not" + type + " d, a;", {held, held}, Row{5}) & ones(width)) == (~Word{5} & ones(width)));
    CHECK((run_row("cnot" + type + " d, a;", {held, held}, Row{5}) & ones(width)) == 0);
    CHECK((run_row("cnot" + type + " d, a;", {held, held}, Row{0}) & ones(width)) == 1);
  }
  for (const Word a : {0U, 1U}) {
    CHECK(run_row("not.pred d, a;", kPredicates, Row{a}) == 1 - a);
    for (const Word b : {0U, 1U}) {
      CHECK(run_row("and.pred d, a, b;", kPredicates, Row{a, b}) == (a & b));
      CHECK(run_row("or.pred d, a, b;", kPredicates, Row{a, b}) == (a | b));
      CHECK(run_row("xor.pred d, a, b;", kPredicates, Row{a, b}) == (a ^ b));
    }
  }
}

TEST_CASE("shifts by the width or more leave only the sign") {
  for (const unsigned width : {16U, 32U, 64U}) {
    const std::string bits = std::to_string(width);
    check(
        "shl.b" + bits, width, [=](Word a, Word b) { return b < width ? a << b : 0; }, "b32");
    check(
        "shr.u" + bits, width, [=](Word a, Word b) { return b < width ? a >> b : 0; }, "b32");
    check(
        "shr.b" + bits, width, [=](Word a, Word b) { return b < width ? a >> b : 0; }, "b32");
    check(
        "shr.s" + bits, width,
        [=](Word a, Word b) {
          const auto wide = static_cast<std::int64_t>(a << (64 - width)) >> (64 - width);
          return static_cast<Word>(wide >> std::min<Word>(b, 63));
        },
        "b32");
  }
}

TEST_CASE("a number as amount shifts like a register") {
  CHECK(result("shl.b32 d, a, 4;", 0xf0000001) == 0x10);
  CHECK(result("shr.s32 d, a, 4;", 0xf0000001) == 0xff000000);
  CHECK(result("shr.u32 d, a, 32;", 0xf0000001) == 0);
  CHECK(run_row("shl.b64 d, a, 40;", {"b64", "b64"}, Row{0xff}) == 0xff0000000000);
  CHECK(run_row("shr.s64 d, a, 100;", {"b64", "b64"}, Row{0x8000000000000000}) == 0xffffffffffffffff);
}

TEST_CASE("funnel shifts move bits between two words") {
  const Word a = 0x89abcdef;
  const Word b = 0x01234567;
  CHECK(result("shf.l.wrap.b32 d, a, b, c;", a, b, 8) == 0x23456789);
  CHECK(result("shf.r.wrap.b32 d, a, b, c;", a, b, 8) == 0x6789abcd);
  CHECK(result("shf.l.wrap.b32 d, a, b, c;", a, b, 32) == b);
  CHECK(result("shf.r.wrap.b32 d, a, b, c;", a, b, 32) == a);
  CHECK(result("shf.l.clamp.b32 d, a, b, c;", a, b, 32) == a);
  CHECK(result("shf.r.clamp.b32 d, a, b, c;", a, b, 32) == b);
  CHECK(result("shf.l.clamp.b32 d, a, b, c;", a, b, 40) == a);
  CHECK(result("shf.r.clamp.b32 d, a, b, c;", a, b, 0xffffffff) == b);
}

TEST_CASE("lop3 evaluates any table") {
  const Word a = 0xf0;
  const Word b = 0xcc;
  const Word c = 0xaa;
  // With these sources the result's lowest byte is the table itself.
  for (const unsigned table : {0x00U, 0x80U, 0xfeU, 0x96U, 0xcaU, 0x1aU, 0xffU}) {
    CHECK((result("lop3.b32 d, a, b, c, " + std::to_string(table) + ";", a, b, c) & 0xff) == table);
  }
  const std::string tested =
      "{ .reg .pred p, q; setp.ne.u32 q, e, 0; lop3.or.b32 d|p, a, b, c, 0x80, q; selp.u32 d, 1, 0, p; }";
  CHECK(result(tested, 1, 1, 1, 0) == 1);
  CHECK(result(tested, 1, 1, 2, 0) == 0);
  CHECK(result(tested, 1, 1, 2, 1) == 1);
  const std::string unread =
      "{ .reg .pred p, q; setp.ne.u32 q, e, 0; lop3.and.b32 _|p, a, b, c, 0x80, q; selp.u32 d, 1, 0, p; }";
  CHECK(result(unread, 1, 1, 1, 0) == 0);
  CHECK(result(unread, 1, 1, 1, 1) == 1);
}

TEST_CASE("prmt picks bytes in all modes") {
  const Word a = 0x33221100;
  const Word b = 0x77665544;
  CHECK(result("prmt.b32 d, a, b, c;", a, b, 0x7531) == 0x77553311);
  CHECK(result("prmt.b32 d, a, b, c;", 0x80, 0, 0x0108) == 0x800080ff);
  CHECK(result("prmt.b32 d, a, b, 0x7531;", a, b) == 0x77553311);
  CHECK(result("prmt.b32 d, a, b, 0x0108;", 0x80, 0) == 0x800080ff);
  CHECK(result("prmt.b32 d, a, b, 0xb4c3;", 0x80112233, 0x778899aa) == 0xffaaff80);
  CHECK(result("mov.b32 d, a; prmt.b32 d, d, b, 0x0213;", a, b) == 0x00221133);
  const std::array<std::pair<const char*, std::array<Word, 4>>, 6> modes{{
      {"f4e", {0x33221100, 0x44332211, 0x55443322, 0x66554433}},
      {"b4e", {0x55667700, 0x66770011, 0x77001122, 0x00112233}},
      {"rc8", {0x00000000, 0x11111111, 0x22222222, 0x33333333}},
      {"ecl", {0x33221100, 0x33221111, 0x33222222, 0x33333333}},
      {"ecr", {0x00000000, 0x11111100, 0x22221100, 0x33221100}},
      {"rc16", {0x11001100, 0x33223322, 0x11001100, 0x33223322}},
  }};
  for (const auto& [mode, expected] : modes) {
    for (Word control = 0; control < 4; ++control) {
      INFO(mode << " " << control);
      CHECK(result(std::string("prmt.b32.") + mode + " d, a, b, c;", a, b, control) == expected[control]);
    }
  }
}

TEST_CASE("bits are counted and found") {
  const std::vector<std::string> wide{"b32", "b64"};
  for (const Word word : sample_long_words(10)) {
    const auto low = static_cast<std::uint32_t>(word);
    CHECK(result("popc.b32 d, a;", low) == static_cast<Word>(__builtin_popcount(low)));
    CHECK(run_row("popc.b64 d, a;", wide, Row{word}) == static_cast<Word>(__builtin_popcountll(word)));
    CHECK(result("clz.b32 d, a;", low) == (low == 0 ? 32U : static_cast<Word>(__builtin_clz(low))));
    CHECK(run_row("clz.b64 d, a;", wide, Row{word}) == (word == 0 ? 64U : static_cast<Word>(__builtin_clzll(word))));
    Word reversed = 0;
    for (unsigned i = 0; i < 64; ++i) {
      reversed |= (word >> i & 1U) << (63 - i);
    }
    CHECK(run_row("brev.b64 d, a;", {"b64", "b64"}, Row{word}) == reversed);
    CHECK(result("brev.b32 d, a;", word >> 32U) == (reversed & 0xffffffff));
  }
  CHECK(result("bfind.u32 d, a;", 0x00010000) == 16);
  CHECK(result("bfind.u32 d, a;", 0) == 0xffffffff);
  CHECK(result("bfind.shiftamt.u32 d, a;", 0x00010000) == 15);
  CHECK(result("bfind.s32 d, a;", 0xfffffff0) == 3);
  CHECK(result("bfind.s32 d, a;", 0xffffffff) == 0xffffffff);
  CHECK(run_row("bfind.u64 d, a;", wide, Row{std::uint64_t{1} << 40U}) == 40);
  CHECK(run_row("bfind.s64 d, a;", wide, Row{~(std::uint64_t{1} << 40U)}) == 40);
}

TEST_CASE("fns counts set bits from a base") {
  CHECK(result("fns.b32 d, a, b, c;", 0xaaaaaaaa, 3, 1) == 3);
  CHECK(result("fns.b32 d, a, b, c;", 0xaaaaaaaa, 3, 0xffffffff) == 3);
  CHECK(result("fns.b32 d, a, b, c;", 0xaaaaaaaa, 0, 1) == 1);
  CHECK(result("fns.b32 d, a, b, c;", 0xaaaaaaaa, 0, 3) == 5);
  CHECK(result("fns.b32 d, a, b, c;", 0xaaaaaaaa, 4, 0xfffffffe) == 1);
  CHECK(result("fns.b32 d, a, b, c;", 0xaaaaaaaa, 3, 0) == 3);
  CHECK(result("fns.b32 d, a, b, c;", 0xaaaaaaaa, 2, 0) == 0xffffffff);
  CHECK(result("fns.b32 d, a, b, c;", 0x1, 0, 2) == 0xffffffff);
}

TEST_CASE("bit fields are extracted and inserted with the sign beyond the word") {
  const std::vector<Row> rows = [] {
    std::vector<Row> list;
    for (const std::uint64_t word : sample_long_words(4)) {
      for (const unsigned position : {0U, 1U, 5U, 31U, 32U, 63U, 64U, 255U, 256U}) {
        for (const unsigned length : {0U, 1U, 8U, 31U, 32U, 40U, 64U, 255U}) {
          list.push_back({word, position, length});
        }
      }
    }
    return list;
  }();
  for (const unsigned width : {32U, 64U}) {
    for (const bool is_signed : {false, true}) {
      const std::string type = (is_signed ? "s" : "u") + std::to_string(width);
      const std::string held = "b" + std::to_string(width);
      const auto results = run_ptx("bfe." + type + " d, a, b, c;", {held, held, "b32", "b32"}, rows);
      for (std::size_t row = 0; row < rows.size(); ++row) {
        // Only the lowest byte of a position is used; the sequence for 64 bits uses all of it.
        const Word position = width == 64 ? static_cast<Word>(rows[row][1]) : rows[row][1] & 0xff;
        const Word length = rows[row][2] & 0xff;
        const auto bit = [&](Word at) { return rows[row][0] >> at & 1U; };
        const Word sign = is_signed && length != 0 ? bit(std::min<Word>(position + length - 1, width - 1)) : 0;
        Word expected = 0;
        for (Word i = 0; i < width; ++i) {
          expected |= (i < length && position + i < width ? bit(position + i) : sign) << i;
        }
        INFO(type << " row " << row);
        REQUIRE((results[row] & ones(width)) == expected);
      }
    }
  }
  CHECK(result("bfi.b32 d, a, b, c, e;", 0xff, 0x12345678, 8, 4) == 0x12345f78);
  CHECK(result("bfi.b32 d, a, b, c, e;", 0xff, 0x12345678, 28, 8) == 0xf2345678);
  CHECK(result("bfi.b32 d, a, b, c, e;", 0xff, 0x12345678, 32, 8) == 0x12345678);
  CHECK(result("bfi.b32 d, a, b, c, e;", 0xff, 0x12345678, 0, 0) == 0x12345678);
  CHECK(run_row("bfi.b64 d, a, b, c, e;", {"b64", "b64", "b64", "b32", "b32"}, Row{0xff, 0, 40, 8}) == 0xff0000000000);
}

TEST_CASE("masks and extensions clamp or wrap") {
  CHECK(result("bmsk.clamp.b32 d, a, b;", 4, 8) == 0xff0);
  CHECK(result("bmsk.clamp.b32 d, a, b;", 28, 8) == 0xf0000000);
  CHECK(result("bmsk.clamp.b32 d, a, b;", 0, 32) == 0xffffffff);
  CHECK(result("bmsk.clamp.b32 d, a, b;", 40, 8) == 0);
  CHECK(result("bmsk.wrap.b32 d, a, b;", 36, 40) == 0xff0);
  CHECK(result("bmsk.wrap.b32 d, a, b;", 0, 32) == 0);
  CHECK(result("szext.clamp.s32 d, a, b;", 0x8f, 8) == 0xffffff8f);
  CHECK(result("szext.clamp.u32 d, a, b;", 0xffffff8f, 8) == 0x8f);
  CHECK(result("szext.clamp.s32 d, a, b;", 0x8f, 40) == 0x8f);
  CHECK(result("szext.wrap.s32 d, a, b;", 0x8f, 40) == 0xffffff8f);
  CHECK(result("szext.wrap.s32 d, a, b;", 0x8f, 32) == 0);
}
