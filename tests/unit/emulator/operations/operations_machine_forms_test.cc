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
