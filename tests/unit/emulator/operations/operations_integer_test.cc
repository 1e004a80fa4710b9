// Integer instructions compared with 128-bit arithmetic.
#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

__extension__ using Wide = __int128;

struct IntegerType {
  const char* name;
  unsigned bits;
  bool is_signed;
};
constexpr IntegerType kTypes[] = {{"u16", 16, false}, {"s16", 16, true},  {"u32", 32, false},
                                  {"s32", 32, true},  {"u64", 64, false}, {"s64", 64, true}};

std::uint64_t cut(Wide value, unsigned bits) {
  const auto word = static_cast<std::uint64_t>(value);
  return bits == 64 ? word : word & ((std::uint64_t{1} << bits) - 1);
}

// The number in the lowest bits.
Wide number(std::uint64_t word, const IntegerType& type) {
  const Wide value = static_cast<Wide>(cut(static_cast<Wide>(word), type.bits));
  const Wide beyond = Wide{1} << type.bits;
  return type.is_signed && value >= beyond / 2 ? value - beyond : value;
}

std::vector<Row> triples() {
  const std::vector<std::uint64_t> words = sample_long_words(6);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      rows.push_back({words[i], words[k], words[(i + 3 * k) % words.size()]});
    }
  }
  return rows;
}

// Checks d = formula(a, b, c) modulo 2^bits for all types.
template <class Formula>
void check(const std::string& opcode, std::size_t sources, Formula formula, bool only_signed = false) {
  for (const IntegerType& type : kTypes) {
    if (only_signed && !type.is_signed) {
      continue;
    }
    const std::string text =
        opcode + "." + type.name + " d, a" + (sources > 1 ? ", b" : "") + (sources > 2 ? ", c" : "") + ";";
    const std::vector<Row> rows = triples();
    const std::string held = "b" + std::to_string(type.bits);
    const std::vector<std::uint64_t> results = run_ptx(text, {held, held, held, held}, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Wide a = number(rows[i][0], type);
      const Wide b = number(rows[i][1], type);
      const Wide c = number(rows[i][2], type);
      INFO(text << " of row " << i);
      REQUIRE(cut(static_cast<Wide>(results[i]), type.bits) == cut(formula(a, b, c, type), type.bits));
    }
  }
}

}  // namespace

TEST_CASE("integer sums, products and extremes are exact modulo the width") {
  check("add", 2, [](Wide a, Wide b, Wide, const IntegerType&) { return a + b; });
  check("sub", 2, [](Wide a, Wide b, Wide, const IntegerType&) { return a - b; });
  check("mul.lo", 2, [](Wide a, Wide b, Wide, const IntegerType&) {
    return static_cast<Wide>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  });
  check("mad.lo", 3, [](Wide a, Wide b, Wide c, const IntegerType&) {
    return static_cast<Wide>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b) +
                             static_cast<std::uint64_t>(c));
  });
  check("min", 2, [](Wide a, Wide b, Wide, const IntegerType&) { return a < b ? a : b; });
  check("max", 2, [](Wide a, Wide b, Wide, const IntegerType&) { return a > b ? a : b; });
  check("sad", 3, [](Wide a, Wide b, Wide c, const IntegerType&) { return c + (a > b ? a - b : b - a); });
  check(
      "abs", 1, [](Wide a, Wide, Wide, const IntegerType&) { return a < 0 ? -a : a; }, true);
  check(
      "neg", 1, [](Wide a, Wide, Wide, const IntegerType&) { return -a; }, true);
}

TEST_CASE("the high half of a product is that of the double width") {
  // The product of unsigned 64-bit numbers of 128 bits fits no signed type: shifted as unsigned.
  const auto high = [](Wide a, Wide b, const IntegerType& type) {
    __extension__ using Unsigned = unsigned __int128;
    return type.is_signed ? a * b >> type.bits
                          : static_cast<Wide>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b) >> type.bits);
  };
  check("mul.hi", 2, [&](Wide a, Wide b, Wide, const IntegerType& type) { return high(a, b, type); });
  check("mad.hi", 3, [&](Wide a, Wide b, Wide c, const IntegerType& type) { return high(a, b, type) + c; });
}

TEST_CASE("division truncates, its remainder has the dividend's sign, and division by zero gives all ones") {
  check("div", 2, [](Wide a, Wide b, Wide, const IntegerType&) { return b == 0 ? Wide{-1} : a / b; });
  check("rem", 2, [](Wide a, Wide b, Wide, const IntegerType&) { return b == 0 ? Wide{-1} : a % b; });
}

TEST_CASE("wide products have twice the bits") {
  for (const IntegerType& type : kTypes) {
    if (type.bits == 64) {
      continue;
    }
    const std::string narrow = "b" + std::to_string(type.bits);
    const std::string wide = "b" + std::to_string(2 * type.bits);
    const std::vector<Row> rows = triples();
    const auto products = run_ptx(std::string("mul.wide.") + type.name + " d, a, b;", {wide, narrow, narrow}, rows);
    const auto sums =
        run_ptx(std::string("mad.wide.") + type.name + " d, a, b, c;", {wide, narrow, narrow, wide}, rows);
    const IntegerType doubled{"", 2 * type.bits, type.is_signed};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Wide product = number(rows[i][0], type) * number(rows[i][1], type);
      REQUIRE(cut(static_cast<Wide>(products[i]), doubled.bits) == cut(product, doubled.bits));
      REQUIRE(cut(static_cast<Wide>(sums[i]), doubled.bits) ==
              cut(product + number(rows[i][2], doubled), doubled.bits));
    }
  }
}

TEST_CASE("saturating sums of s32 stay at the limits of the range") {
  const std::vector<std::string> types{"s32", "s32", "s32", "s32"};
  CHECK(run_row("add.sat.s32 d, a, b;", types, {0x7fffffff, 1}) == 0x7fffffff);
  CHECK(run_row("add.sat.s32 d, a, b;", types, {0x80000000, 0xffffffff}) == 0x80000000);
  CHECK(run_row("add.sat.s32 d, a, b;", types, {5, 0xfffffff6}) == 0xfffffffb);
  CHECK(run_row("sub.sat.s32 d, a, b;", types, {0x80000000, 1}) == 0x80000000);
  CHECK(run_row("sub.sat.s32 d, a, b;", types, {0x7fffffff, 0xffffffff}) == 0x7fffffff);
  // 2^30 * 4 has the high word 1; with the largest number added it saturates.
  CHECK(run_row("mad.hi.sat.s32 d, a, b, c;", types, {0x40000000, 4, 0x7fffffff}) == 0x7fffffff);
  CHECK(run_row("mad.hi.sat.s32 d, a, b, c;", types, {0x40000000, 4, 5}) == 6);
}

TEST_CASE("packed halves are added and compared separately") {
  const std::vector<std::string> types{"b32", "b32", "b32"};
  CHECK(run_row("add.u16x2 d, a, b;", types, {0x0001ffff, 0x00020001}) == 0x00030000);
  CHECK(run_row("sub.s16x2 d, a, b;", types, {0x00010000, 0x00020001}) == 0xffffffff);
  CHECK(run_row("min.s16x2 d, a, b;", types, {0xffff0001, 0x00010002}) == 0xffff0001);
  CHECK(run_row("min.u16x2 d, a, b;", types, {0xffff0001, 0x00010002}) == 0x00010001);
  CHECK(run_row("max.s16x2 d, a, b;", types, {0xffff8000, 0x00017fff}) == 0x00017fff);
  CHECK(run_row("max.relu.s16x2 d, a, b;", types, {0xffff8000, 0xfffe0003}) == 0x00000003);
  CHECK(run_row("min.relu.s16x2 d, a, b;", types, {0xffff0004, 0x00010003}) == 0x00000003);
  CHECK(run_row("max.relu.s32 d, a, b;", types, {0xffffffff, 0xfffffffe}) == 0);
  CHECK(run_row("max.relu.s32 d, a, b;", types, {7, 0xfffffffe}) == 7);
}

TEST_CASE("products of 24 bits ignore the upper byte") {
  const std::vector<std::string> types{"b32", "b32", "b32", "b32"};
  // 0xffffff squared is 0xfffffe000001.
  CHECK(run_row("mul24.lo.u32 d, a, b;", types, {0x12ffffff, 0xffffff}) == 0xfe000001);
  CHECK(run_row("mul24.hi.u32 d, a, b;", types, {0xffffff, 0x34ffffff}) == 0xfffffe00);
  // As signed numbers both are -1.
  CHECK(run_row("mul24.lo.s32 d, a, b;", types, {0x00ffffff, 0x00ffffff}) == 1);
  CHECK(run_row("mul24.hi.s32 d, a, b;", types, {0x00ffffff, 2}) == 0xffffffff);
  CHECK(run_row("mad24.lo.u32 d, a, b, c;", types, {1000, 1000, 7}) == 1000007);
  CHECK(run_row("mad24.hi.u32 d, a, b, c;", types, {0x800000, 0x800000, 5}) == 0x40000005);
  CHECK(run_row("mad24.hi.sat.s32 d, a, b, c;", types, {0x7fffff, 0x7fffff, 0x7fffffff}) == 0x7fffffff);
}

TEST_CASE("dot products take signs by source") {
  const std::vector<std::string> types{"b32", "b32", "b32", "b32"};
  // 1*5 + 2*6 + 3*7 + 4*8 = 70
  CHECK(run_row("dp4a.u32.u32 d, a, b, c;", types, {0x04030201, 0x08070605, 30}) == 100);
  // -1*255 + 1*1
  CHECK(run_row("dp4a.s32.u32 d, a, b, c;", types, {0x000001ff, 0x000001ff, 0}) == 0xffffff02);
  CHECK(run_row("dp4a.u32.s32 d, a, b, c;", types, {0x000001ff, 0x000001ff, 0}) == 0xffffff02);
  CHECK(run_row("dp4a.s32.s32 d, a, b, c;", types, {0x000001ff, 0x000001ff, 0}) == 2);
  // 1000*3 + 2000*4 = 11000 of the lower bytes; 1000*5 + 2000*6 = 17000 of the upper ones
  const std::uint64_t halves = 2000U << 16U | 1000U;
  CHECK(run_row("dp2a.lo.u32.u32 d, a, b, c;", types, {halves, 0x06050403, 1}) == 11001);
  CHECK(run_row("dp2a.hi.u32.u32 d, a, b, c;", types, {halves, 0x06050403, 1}) == 17001);
  CHECK(run_row("dp2a.lo.s32.s32 d, a, b, c;", types, {0x0000ffff, 0x00000002, 1}) == 0xffffffff);
}

TEST_CASE("carries go through the condition code") {
  const std::vector<std::string> types{"b64", "b64", "b64"};
  const std::string split = "{ .reg .b32 al, ah, bl, bh, l, h; mov.b64 {al, ah}, a; mov.b64 {bl, bh}, b;\n";
  const std::string join = "mov.b64 d, {l, h}; }";
  const std::vector<Row> rows = triples();
  const auto sums = run_ptx(split + "add.cc.u32 l, al, bl; addc.u32 h, ah, bh;" + join, types, rows);
  const auto differences = run_ptx(split + "sub.cc.u32 l, al, bl; subc.u32 h, ah, bh;" + join, types, rows);
  // al * bh plus the high word of al * bl.
  const std::string product =
      ".reg .b32 x; mul.hi.u32 x, al, bl; mad.lo.cc.u32 l, al, bh, x; madc.hi.u32 h, al, bh, 0;";
  const auto products = run_ptx(split + product + join, types, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t a = rows[i][0];
    const std::uint64_t b = rows[i][1];
    CHECK(sums[i] == a + b);
    CHECK(differences[i] == a - b);
    CHECK(products[i] == (a & 0xffffffff) * (b >> 32U) + ((a & 0xffffffff) * (b & 0xffffffff) >> 32U));
  }
  // Chains of 64 bits: only the carry of the second sum comes from the first.
  CHECK(run_row("{ .reg .b64 x; add.cc.u64 x, a, b; addc.cc.u64 x, a, 0; addc.u64 d, 0, 0; }", types,
                {0xffffffffffffffff, 1}) == 1);
  CHECK(run_row("{ .reg .b64 x; sub.cc.u64 x, a, b; subc.cc.u64 x, a, 0; subc.u64 d, 7, 0; }", types, {0, 1}) == 6);
}
