// Machine operations that have handlers of their own for usual forms: each gives what the general form, or the
// operation without the sign, gives.
#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

std::vector<Row> triples_of(const std::vector<std::uint32_t>& words) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      rows.push_back({words[i], words[k], words[(2 * i + 3 * k) % words.size()]});
    }
  }
  return rows;
}

const std::vector<std::string> kFourWords = {"b32", "b32", "b32", "b32"};

}  // namespace

TEST_CASE("machine code: a shift of a pair by a constant equals that by a register", "[machine_code]") {
  const std::vector<Row> rows = triples_of(sample_words(4));
  for (unsigned form = 0; form < 32; ++form) {
    const std::string name =
        fmt::format("sass.shf{}{}{}{}{}", (form & 1U) != 0 ? ".r" : "", (form & 2U) != 0 ? ".w" : "",
                    (form & 4U) != 0 ? ".hi" : "", (form & 8U) != 0 ? ".wide" : "", (form & 16U) != 0 ? ".signed" : "");
    for (const unsigned amount : {0U, 1U, 23U, 31U, 32U, 33U, 63U, 64U, 65U, 0xffffffffU}) {
      INFO(name << " by " << amount);
      const auto constant = run_ptx(fmt::format("{} d, a, {}, c;", name, amount), kFourWords, rows);
      const auto variable = run_ptx(fmt::format("mov.b32 b, {};\n{} d, a, b, c;", amount, name), kFourWords, rows);
      REQUIRE(constant == variable);
    }
  }
}

TEST_CASE("machine code: a fused multiply-add changes the signs of product and addend before it rounds",
          "[machine_code]") {
  std::vector<std::uint32_t> words;
  for (const float value : sample_singles(6)) {
    words.push_back(std::bit_cast<std::uint32_t>(value));
  }
  const std::vector<Row> rows = triples_of(words);
  for (const std::string modes : {".rn", ".rm", ".rp", ".rz", ".rn.ftz", ".rz.ftz", ".rn.sat", ".rn.ftz.sat"}) {
    for (const bool product : {false, true}) {
      for (const bool addend : {false, true}) {
        const std::string name = modes + (product ? ".product" : "") + (addend ? ".addend" : "");
        const std::string signs =
            fmt::format("xor.b32 a, a, {};\nxor.b32 c, c, {};\n", product ? 0x80000000 : 0, addend ? 0x80000000 : 0);
        INFO(name);
        REQUIRE(run_ptx(fmt::format("sass.ffma{} d, a, b, c;", name), kFourWords, rows) ==
                run_ptx(fmt::format("{}fma{}.f32 d, a, b, c;", signs, modes), kFourWords, rows));
      }
    }
  }
}

TEST_CASE("machine code: a fused multiply-add of absolute values, with 1 as a factor a sum", "[machine_code]") {
  std::vector<std::uint32_t> words;
  for (const float value : sample_singles(6)) {
    words.push_back(std::bit_cast<std::uint32_t>(value));
  }
  const std::vector<Row> rows = triples_of(words);
  for (const std::string modes : {".rn", ".rm", ".rp", ".rz.ftz", ".rn.sat", ".rm.ftz.sat"}) {
    for (unsigned form = 0; form < 8; ++form) {
      const auto chosen = [form](unsigned bit, const std::string& text) { return (form & bit) != 0 ? text : ""; };
      const std::string absolute = chosen(1, "and.b32 a, a, 0x7fffffff;\n") + chosen(2, "and.b32 b, b, 0x7fffffff;\n") +
                                   chosen(4, "and.b32 c, c, 0x7fffffff;\n");
      const std::string name =
          "sass.ffma" + modes + chosen(1, ".abs0") + chosen(2, ".abs1") + chosen(4, ".abs2") + ".addend";
      INFO(name);
      REQUIRE(run_ptx(name + " d, a, b, c;", kFourWords, rows) ==
              run_ptx(absolute + "xor.b32 c, c, 0x80000000;\nfma" + modes + ".f32 d, a, b, c;", kFourWords, rows));
      REQUIRE(run_ptx(name + " d, a, 0f3f800000, c;", kFourWords, rows) ==
              run_ptx(absolute + "sub" + modes + ".f32 d, a, c;", kFourWords, rows));
    }
  }
}

TEST_CASE("machine code: a difference has the bits of a sum with the other sign", "[machine_code]") {
  std::vector<std::uint32_t> words;
  for (const float value : sample_singles(6)) {
    words.push_back(std::bit_cast<std::uint32_t>(value));
  }
  const std::vector<Row> rows = triples_of(words);
  for (const std::string modes : {".rn", ".rm", ".rp", ".rz", ".rn.ftz", ".rz.ftz", ".rn.sat"}) {
    INFO(modes);
    CHECK(run_ptx(fmt::format("sub{}.f32 d, b, a;", modes), kFourWords, rows) ==
          run_ptx(fmt::format("xor.b32 a, a, 0x80000000;\nadd{}.f32 d, a, b;", modes), kFourWords, rows));
  }
}

TEST_CASE("machine code: a sum of halves with the product -0 is the addend, if that is a number", "[machine_code]") {
  std::vector<Row> rows;
  for (const std::uint64_t half : {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00, 0xfbff, 0x7c00}) {
    rows.push_back({half << 16U | 0x8000});
    rows.push_back({0x3c000000 | half});
  }
  const auto sums =
      run_ptx(".reg .b32 x, y;\nmov.b32 x, 0x80008000;\nmov.b32 y, 0;\nfma.rn.f16x2 d, x, y, a;", {"b32", "b32"}, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(sums[i] == rows[i][0]);
  }
}

TEST_CASE("machine code: an operation may write one of its sources", "[machine_code]") {
  std::vector<std::uint32_t> words;
  for (const float value : sample_singles(6)) {
    words.push_back(std::bit_cast<std::uint32_t>(value));
  }
  const std::vector<Row> rows = triples_of(words);
  for (const std::string name : {"fma.rn.f32", "sass.ffma.rn.product", "mad.lo.s32", "sass.add3.n1", "lop3.b32"}) {
    const std::string end = name == "lop3.b32" ? ", 0x96;\n" : ";\n";
    const auto expected = run_ptx(name + " d, a, b, c" + end, kFourWords, rows);
    for (const std::string source : {"a", "b", "c"}) {
      INFO(name << " to " << source);
      REQUIRE(run_ptx(name + " " + source + ", a, b, c" + end + "mov.b32 d, " + source + ";", kFourWords, rows) ==
              expected);
    }
  }
  const std::string pair = ".reg .b32 l, h;\nmov.b32 l, a;\nmov.b32 h, c;\n";
  const std::vector<std::string> types = {"b64", "b32", "b32", "b32"};
  REQUIRE(run_ptx(pair + "sass.madwide l, h, _, l, b, l, h;\nmov.b64 d, {l, h};", types, rows) ==
          run_ptx("mad.wide.u32 d, a, b, e;", {"b64", "b32", "b32", "b32", "b64"}, [&] {
            std::vector<Row> wide = rows;
            for (Row& row : wide) {
              row.push_back(row[2] << 32U | row[0]);
            }
            return wide;
          }()));
}

TEST_CASE("machine code: doubles in pairs of registers have the results of those in one", "[machine_code]") {
  std::vector<Row> rows;
  const std::vector<double> values = sample_doubles(8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      rows.push_back({bits(values[i]), bits(values[k]), bits(values[(2 * i + 3 * k) % values.size()])});
    }
  }
  const std::vector<std::string> types = {"b64", "b64", "b64", "b64"};
  const std::string words =
      ".reg .b32 al, ah, bl, bh, cl, ch;\nmov.b64 {al, ah}, a;\nmov.b64 {bl, bh}, b;\nmov.b64 {cl, ch}, c;\n";
  for (const std::string rounding : {"rn", "rm", "rp", "rz"}) {
    for (const std::string name : {"add", "mul", "fma"}) {
      const std::string last = name == "fma" ? ", c" : "";
      const std::string last_words = name == "fma" ? ", {cl, ch}" : "";
      const std::string text = name + "." + rounding + ".f64 ";
      INFO(text);
      const auto expected = run_ptx(text + "d, a, b" + last + ";", types, rows);
      // The result replaces a source.
      REQUIRE(run_ptx(words + text + "{bl, bh}, {al, ah}, {bl, bh}" + last_words + ";\nmov.b64 d, {bl, bh};", types,
                      rows) == expected);
      REQUIRE(run_ptx(words + text + "{al, ah}, {al, ah}, 0dbff8000000000001" + last_words + ";\nmov.b64 d, {al, ah};",
                      types, rows) == run_ptx(text + "d, a, 0dbff8000000000001" + last + ";", types, rows));
    }
  }
  REQUIRE_THROWS_WITH(run_row(words + "add.f64 {al, ah}, {al, ah, bl}, {bl, bh};", types, rows[0]),
                      Catch::Contains("expected a vector of two registers"));
}
