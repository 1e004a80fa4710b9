#include "codegen/double_constants.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "unit/codegen/generate.h"

namespace warpsim::test {
namespace {

using DoubleLines = std::vector<std::string>;

// Registers without a writer, all R0, stand for values that are there; the store at the end is left out.
DoubleLines doubles_of(const std::string& body, std::uint32_t architecture) {
  DoubleLines lines = generate(body + "st.global.f64 [%rd9], %d9; ret;", false, architecture).text();
  lines.resize(lines.size() - 2);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("ULDC"); });
  return lines;
}

// 0.1 has bits in both words, 0.5 in the high one only.
TEST_CASE("double constants: a literal with a low word is in a pair of uniform registers from 9.0 on") {
  CHECK(doubles_of("fma.rn.f64 %d9, %d1, 0d3FB999999999999A, %d2;", 90) ==
        DoubleLines{"UMOV UR4, 0x9999999a", "UMOV UR5, 0x3fb99999", "DFMA R2, R0, UR4, R0"});
  CHECK(doubles_of("fma.rn.f64 %d9, %d1, 0d3FB999999999999A, %d2;", 80) ==
        DoubleLines{"DFMA R2, R0, 0.10000000000000001, R0"});
}

TEST_CASE("double constants: a literal without low word is an immediate") {
  CHECK(doubles_of("mul.f64 %d9, %d1, 0d3FE0000000000000;", 90) == DoubleLines{"DMUL R2, R0, 0.5"});
}

TEST_CASE("double constants: of two literals one is moved into registers, not the immediate") {
  const DoubleLines moved = doubles_of("fma.rn.f64 %d9, %d1, 0d3FB999999999999A, 0d3FE0000000000000;", 90);
  CHECK(moved == DoubleLines{"MOV R2, 0x9999999a", "IMAD.MOV.U32 R3, RZ, RZ, 0x3fb99999", "DFMA R2, R0, R2, 0.5"});
}

TEST_CASE("double constants: a literal and its negative share their registers within a block") {
  const DoubleLines lines =
      doubles_of("fma.rn.f64 %d3, %d1, 0d3FB999999999999A, %d2; fma.rn.f64 %d9, %d3, 0dBFB999999999999A, %d3;", 90);
  CHECK(std::ranges::count_if(lines, [](const std::string& line) { return line.starts_with("UMOV"); }) == 2);
  CHECK(lines.back().find("-UR4") != std::string::npos);
}

}  // namespace
}  // namespace warpsim::test
