#include "emulator/matrix/sparse_matrix.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

using Metadata = std::array<std::uint32_t, 32>;

TEST_CASE("sparse matrices: each four bits name the places of two of four elements") {
  // Row 3 of 16 halves: lane 12 + selector, lower half of the word; row 11: upper half.
  Metadata metadata{};
  metadata[13] = 0xeU | 0x9U << 4U | 0xdU << 28U;
  const SparseMatrix half{MatrixType::kF16, 16, 1};
  CHECK(half.column(metadata.data(), 3, 0) == 2);  // 0b1110: places 2 and 3
  CHECK(half.column(metadata.data(), 3, 1) == 3);
  CHECK(half.column(metadata.data(), 3, 2) == 4 + 1);  // 0b1001: places 1 and 2
  CHECK(half.column(metadata.data(), 3, 3) == 4 + 2);
  CHECK(half.column(metadata.data(), 11, 6) == 12 + 1);  // 0b1101
  CHECK(half.column(metadata.data(), 11, 7) == 12 + 3);
}

TEST_CASE("sparse matrices: longer rows have their metadata in several lanes") {
  Metadata metadata{};
  // 32 halves, selector 1: lanes 2 and 3 of the quad; columns 16 to 31 in the second one.
  metadata[4 * 5 + 3] = 0xcU;
  const SparseMatrix half{MatrixType::kBf16, 32, 1};
  CHECK(half.column(metadata.data(), 5, 8) == 16);  // 0b1100: places 0 and 3
  CHECK(half.column(metadata.data(), 5, 9) == 19);
  // 32 bytes: a word is a row, the next lane has the row eight below.
  metadata[4 * 5 + 3] = 0xcU << 28U;
  const SparseMatrix byte{MatrixType::kS8, 32, 1};
  CHECK(byte.column(metadata.data(), 13, 15) == 31);
  // 64 bytes: all lanes of the quad, rows before columns.
  const SparseMatrix wide{MatrixType::kE4m3, 64, 0};
  CHECK(wide.column(metadata.data(), 13, 31) == 63);
}

TEST_CASE("sparse matrices: elements of 32 bits are one of two, those of 4 bits come in pairs") {
  Metadata metadata{};
  metadata[0] = 0xeU | 0x4U << 4U;
  const SparseMatrix wide{MatrixType::kTf32, 8, 0};
  CHECK(wide.column(metadata.data(), 0, 0) == 1);
  CHECK(wide.column(metadata.data(), 0, 1) == 2);
  metadata[0] = 0xdU;  // pairs 1 and 3
  const SparseMatrix small{MatrixType::kU4, 64, 0};
  CHECK(small.column(metadata.data(), 0, 0) == 2);
  CHECK(small.column(metadata.data(), 0, 1) == 3);
  CHECK(small.column(metadata.data(), 0, 2) == 6);
  CHECK(small.column(metadata.data(), 0, 3) == 7);
}

TEST_CASE("sparse matrices: elements that are not stored are zero") {
  Metadata metadata{};
  metadata.fill(0x98989898U);
  const SparseMatrix matrix{MatrixType::kF16, 16, 0};
  const std::vector<double> stored(8, 3.0);
  std::vector<double> whole(matrix.columns, 9);
  matrix.expand(metadata.data(), 1, stored.data(), whole.data());
  // 8: places 0 and 2; 9: places 1 and 2.
  CHECK(whole == std::vector<double>{3, 0, 3, 0, 0, 3, 3, 0, 3, 0, 3, 0, 0, 3, 3, 0});
}

TEST_CASE("a sparse product takes the rows of B that the metadata name") {
  // All stored elements are 1; B has its row's number in each element. Places 1 and 3 of each four.
  PtxGrid grid;
  grid.body =
      "mov.u32 %r0, 0x01010101;\nmov.u32 %r5, 0xdddddddd;\nand.b32 %r6, %t, 3;\nmul.lo.u32 %r2, %r6, 0x04040404;\n"
      "add.u32 %r2, %r2, 0x03020100;\nadd.u32 %r3, %r2, 0x10101010;\nmov.u32 %r7, 0;\n"
      "mma.sp.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%r8, %r9, %r10, %r11}, {%r0, %r0}, {%r2, %r3}, "
      "{%r7, %r7, %r7, %r7}, %r5, 0x1;\nst.global.u32 [%own], %r8;\n";
  const std::vector<std::uint32_t> out = execute_ptx(grid);
  std::uint32_t sum = 0;
  for (std::uint32_t k = 0; k < 32; ++k) {
    sum += k % 2 == 1 ? k : 0;
  }
  CHECK(out[0] == sum);
  CHECK(out[31] == sum);
}

}  // namespace
}  // namespace warpsim::test
