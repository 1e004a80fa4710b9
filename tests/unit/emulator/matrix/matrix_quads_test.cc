#include "emulator/matrix/matrix_quads.h"

#include <bit>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

// Halves of small integers.
std::uint32_t half(int value) {
  constexpr std::uint32_t kBits[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};
  return kBits[value];
}
std::uint32_t pair(int low, int high) {
  return half(low) | half(high) << 16U;
}

int of_a(std::uint32_t quad, std::uint32_t row, std::uint32_t k) {
  return static_cast<int>((row * 3 + k + quad) % 8);
}
int of_b(std::uint32_t quad, std::uint32_t k, std::uint32_t column) {
  return static_cast<int>((column * 5 + k * 2 + quad) % 7);
}

// Each lane's two registers of A, then of B. A lane of the lower half has rows (or columns) 0 to 3.
std::vector<std::uint32_t> factors(bool rows_of_a, bool columns_of_b) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t quad = lane / 4 % 4;
    const std::uint32_t own = lane % 4;
    const std::uint32_t first = lane / 16 * 4;
    const auto a = [&](std::uint32_t i) { return rows_of_a ? of_a(quad, own + first, i) : of_a(quad, i + first, own); };
    const auto b = [&](std::uint32_t i) {
      return columns_of_b ? of_b(quad, i, own + first) : of_b(quad, own, i + first);
    };
    words.insert(words.end(), {pair(a(0), a(1)), pair(a(2), a(3)), pair(b(0), b(1)), pair(b(2), b(3))});
  }
  return words;
}

const std::string kLoad =
    "mul.wide.u32 %q0, %t, 16;\nadd.u64 %q0, %q0, %in;\nld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%q0];\n"
    "mul.wide.u32 %q1, %t, 32;\nadd.u64 %q1, %q1, %out;\n";

int product(std::uint32_t quad, std::uint32_t row, std::uint32_t column) {
  int sum = 0;
  for (std::uint32_t k = 0; k < 4; ++k) {
    sum += of_a(quad, row, k) * of_b(quad, k, column);
  }
  return sum;
}

TEST_CASE("pairs of quads multiply their own matrices") {
  for (const bool rows : {true, false}) {
    for (const bool columns : {true, false}) {
      PtxGrid grid;
      grid.input = factors(rows, columns);
      grid.output_words = 256;
      std::string list = "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}";
      grid.body = kLoad + "mov.f32 %f8, 0f3f800000;\nmma.sync.aligned.m8n8k4." + (rows ? "row." : "col.") +
                  (columns ? "col" : "row") + ".f32.f16.f16.f32 " + list +
                  ", {%r0, %r1}, {%r2, %r3}, {%f8, %f8, %f8, %f8, %f8, %f8, %f8, %f8};\n"
                  "st.global.v4.f32 [%q1], {%f0, %f1, %f2, %f3};\nst.global.v4.f32 [%q1+16], {%f4, %f5, %f6, %f7};";
      const std::vector<std::uint32_t> out = execute_ptx(grid);
      const auto at = [&](std::uint32_t lane, std::uint32_t i) -> double {
        return std::bit_cast<float>(out[lane * 8 + i]);
      };
      // From the ISA's figure: lane 0 has rows 0 and 2, columns 0, 1, 4 and 5; lane 3 rows 1 and 3, columns 2, 3, 6
      // and 7.
      CHECK(at(0, 0) == 1 + product(0, 0, 0));
      CHECK(at(0, 1) == 1 + product(0, 0, 1));
      CHECK(at(0, 2) == 1 + product(0, 2, 0));
      CHECK(at(0, 5) == 1 + product(0, 0, 5));
      CHECK(at(3, 0) == 1 + product(0, 1, 2));
      CHECK(at(3, 7) == 1 + product(0, 3, 7));
      CHECK(at(16, 0) == 1 + product(0, 4, 0));
      CHECK(at(31, 6) == 1 + product(3, 7, 6));
      CHECK(at(9, 4) == 1 + product(2, 1, 4));
    }
  }
}

TEST_CASE("sums of halves are rows of lanes") {
  PtxGrid grid;
  grid.input = factors(true, true);
  grid.output_words = 256;
  grid.body =
      kLoad +
      "mov.b32 %r4, 0x3c000000;\nmma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r5, %r6, %r7, %r8}, {%r0, %r1}, "
      "{%r2, %r3}, {%r4, %r4, %r4, %r4};\nst.global.v4.b32 [%q1], {%r5, %r6, %r7, %r8};";
  const std::vector<std::uint32_t> out = execute_ptx(grid);
  const auto value = [](std::uint32_t bits) {
    const double size = (1024.0 + (bits & 1023U)) / 1024 * static_cast<double>(1U << (bits >> 10U & 31U)) / 32768;
    return (bits & 0x7fffU) == 0 ? 0.0 : size;
  };
  CHECK(value(out[2 * 8] & 0xffffU) == product(0, 2, 0));
  CHECK(value(out[2 * 8] >> 16U) == 1 + product(0, 2, 1));
  CHECK(value(out[22 * 8 + 3] >> 16U) == 1 + product(1, 6, 7));
}

}  // namespace
}  // namespace warpsim::test
