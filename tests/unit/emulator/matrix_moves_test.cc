// ldmatrix, stmatrix, movmatrix, and wmma from memory to memory.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/matrix_text.h"
#include "support/ptx_grid.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

using Words = std::vector<std::uint32_t>;

// --- eight by eight matrices of 16-bit elements ---

// Fills shared memory with the input's first 128 words: row l of matrix l / 8 is the 16 bytes from 16 l on. %r1 is the
// address of the lane's row. Element (row, column) of matrix m is 1000 m + 10 row + column.
const std::string kFill =
    ".shared .align 16 .b8 s[512];\nmov.u32 %r1, s;\nshl.b32 %r2, %t, 4;\nadd.u32 %r1, %r1, %r2;\n"
    "mul.wide.u32 %q1, %t, 16;\nadd.u64 %q1, %q1, %in;\nld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%q1];\n"
    "st.shared.v4.b32 [%r1], {%r10, %r11, %r12, %r13};\nbar.warp.sync 0xffffffff;\n";
const std::string kStoreFour =
    "mul.wide.u32 %q2, %t, 16;\nadd.u64 %q2, %q2, %out;\nst.global.v4.b32 [%q2], {%r20, %r21, %r22, %r23};\n";

std::uint32_t element(std::uint32_t matrix, std::uint32_t row, std::uint32_t column) {
  return 1000 * matrix + 10 * row + column;
}

Words four_matrices() {
  Words words;
  for (std::uint32_t line = 0; line < 32; ++line) {
    for (std::uint32_t pair = 0; pair < 4; ++pair) {
      words.push_back(element(line / 8, line % 8, 2 * pair) | element(line / 8, line % 8, 2 * pair + 1) << 16U);
    }
  }
  return words;
}

// A lane's part of a matrix: row lane / 4, columns 2 (lane % 4) and the next; or that of its transpose.
std::uint32_t held(std::uint32_t matrix, std::uint32_t lane, bool transposed) {
  const std::uint32_t row = lane / 4;
  const std::uint32_t column = lane % 4 * 2;
  return transposed ? element(matrix, column, row) | element(matrix, column + 1, row) << 16U
                    : element(matrix, row, column) | element(matrix, row, column + 1) << 16U;
}

TEST_CASE("ldmatrix gives each lane two neighbours of each matrix, or of its transpose") {
  for (const bool transposed : {false, true}) {
    for (const std::uint32_t count : {1U, 2U, 4U}) {
      INFO("x" << count << (transposed ? ".trans" : ""));
      PtxGrid grid;
      grid.input = four_matrices();
      grid.output_words = 128;
      grid.body = kFill + "mov.u32 %r20, 0;\nmov.u32 %r21, 0;\nmov.u32 %r22, 0;\nmov.u32 %r23, 0;\n" +
                  fmt::format("ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16 {}, [%r1];\n", count,
                              transposed ? ".trans" : "", register_list(false, 20, count)) +
                  kStoreFour;
      Words expected;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        for (std::uint32_t matrix = 0; matrix < 4; ++matrix) {
          expected.push_back(matrix < count ? held(matrix, lane, transposed) : 0);
        }
      }
      CHECK(execute_ptx(grid) == expected);
    }
  }
}

TEST_CASE("stmatrix writes what ldmatrix reads, and transposes like it") {
  for (const bool transposed : {false, true}) {
    INFO((transposed ? "transposed" : "as it is"));
    PtxGrid grid;
    grid.input = four_matrices();
    grid.output_words = 128;
    grid.body = kFill + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r1];\n" +
                fmt::format("stmatrix.sync.aligned.m8n8.x4{}.shared.b16 [%r1], {{%r20, %r21, %r22, %r23}};\n",
                            transposed ? ".trans" : "") +
                "bar.warp.sync 0xffffffff;\nld.shared.v4.b32 {%r20, %r21, %r22, %r23}, [%r1];\n" + kStoreFour;
    Words expected = four_matrices();
    for (std::uint32_t line = 0; line < 32 && transposed; ++line) {
      for (std::uint32_t pair = 0; pair < 4; ++pair) {
        expected[std::size_t{line} * 4 + pair] =
            element(line / 8, 2 * pair, line % 8) | element(line / 8, 2 * pair + 1, line % 8) << 16U;
      }
    }
    CHECK(execute_ptx(grid) == expected);
  }
}

TEST_CASE("movmatrix transposes within registers") {
  PtxGrid grid;
  grid.input = four_matrices();
  grid.body = kFill +
              "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r20}, [%r1];\n"
              "movmatrix.sync.aligned.m8n8.trans.b16 %r21, %r20;\nst.global.u32 [%own], %r21;";
  Words expected;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    expected.push_back(held(0, lane, true));
  }
  CHECK(execute_ptx(grid) == expected);
}

// --- wmma ---

enum class Order : std::uint8_t { kRows, kColumns };

const char* text_of(Order order) {
  return order == Order::kRows ? "row" : "col";
}

struct WmmaCase {
  std::uint32_t m;
  std::uint32_t n;
  std::uint32_t k;
  const char* d;  // and C
  const char* a;  // and B
  std::uint32_t registers_of_a;
  std::uint32_t registers_of_b;
  std::uint32_t registers_of_c;
  Order order_of_a = Order::kRows;
  Order order_of_b = Order::kColumns;
  Order order_of_c = Order::kRows;
};

struct Stored {
  ElementType type;
  Order order;
  Matrix values;

  std::uint32_t lines() const {
    return static_cast<std::uint32_t>(order == Order::kRows ? values.size() : values[0].size());
  }
  // Distance of lines in elements: some are unused.
  std::uint32_t stride() const {
    const auto length = static_cast<std::uint32_t>(order == Order::kRows ? values[0].size() : values.size());
    return length + 128 / type.bits;
  }
  std::uint32_t words() const { return lines() * stride() * type.bits / 32; }
  Words packed() const {
    Words words_of(words(), 0);
    for (std::uint32_t row = 0; row < values.size(); ++row) {
      for (std::uint32_t column = 0; column < values[row].size(); ++column) {
        const std::uint32_t index = order == Order::kRows ? row * stride() + column : column * stride() + row;
        const std::uint64_t bits = encoded(type, values[row][column]);
        const std::uint32_t bit = index * type.bits;
        words_of[bit / 32] |= static_cast<std::uint32_t>(bits) << bit % 32;
        if (type.bits == 64) {
          words_of[bit / 32 + 1] = static_cast<std::uint32_t>(bits >> 32U);
        }
      }
    }
    return words_of;
  }
};

void check_wmma(const WmmaCase& test) {
  const ElementType of_a = element_type(test.a);
  const ElementType of_c = element_type(test.d);
  const Stored a{of_a, test.order_of_a, sample_matrix(of_a, test.m, test.k, 1)};
  const Stored b{of_a, test.order_of_b, sample_matrix(of_a, test.k, test.n, 2)};
  const Stored c{of_c, test.order_of_c, sample_matrix(of_c, test.m, test.n, 3)};
  const bool wide = of_c.bits == 64;
  const std::string shape = fmt::format("m{}n{}k{}", test.m, test.n, test.k);
  const std::string list_a = register_list(wide, 10, test.registers_of_a);
  const std::string list_b = register_list(wide, 20, test.registers_of_b);
  const std::string list_c = register_list(wide, 30, test.registers_of_c);
  const std::string list_d = register_list(wide, 40, test.registers_of_c);
  PtxGrid grid;
  std::uint32_t word = 0;
  const auto load = [&](char which, const Stored& matrix, const std::string& list) {
    grid.body += fmt::format("wmma.load.{}.sync.aligned.{}.{}.global.{} {}, [%in+{}], {};\n", which,
                             text_of(matrix.order), shape, matrix.type.name, list, 4 * word, matrix.stride());
    const Words packed = matrix.packed();
    grid.input.insert(grid.input.end(), packed.begin(), packed.end());
    word += matrix.words();
  };
  load('a', a, list_a);
  load('b', b, list_b);
  load('c', c, list_c);
  const bool is_half = std::string(test.a) == "f16";  // whose products name only the types of D and C
  const bool is_bit = of_a.bits == 1;
  const std::string inner = is_half ? "" : fmt::format(".{}.{}", test.a, test.a);
  grid.body +=
      fmt::format("wmma.mma{}.sync.aligned.{}.{}.{}.{}{}.{} {}, {}, {}, {};\n", is_bit ? ".xor.popc" : "",
                  text_of(a.order), text_of(b.order), shape, test.d, inner, test.d, list_d, list_a, list_b, list_c);
  grid.body += fmt::format("wmma.store.d.sync.aligned.{}.{}.global.{} [%out], {}, {};\n", text_of(c.order), shape,
                           test.d, list_d, c.stride());
  grid.output_words = c.words();
  INFO(grid.body);
  const Stored d{of_c, test.order_of_c,
                 product_of(a.values, b.values, c.values, is_bit ? BitOperation::kXor : BitOperation::kMultiply)};
  CHECK(execute_ptx(grid) == d.packed());
}

TEST_CASE("wmma of half precision multiplies matrices with any layout in memory") {
  for (const Order a : {Order::kRows, Order::kColumns}) {
    for (const Order b : {Order::kRows, Order::kColumns}) {
      for (const Order c : {Order::kRows, Order::kColumns}) {
        check_wmma({16, 16, 16, "f32", "f16", 8, 8, 8, a, b, c});
      }
    }
  }
}

TEST_CASE("wmma of half precision has three shapes and two types of sums") {
  for (const auto& [m, n] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{{16, 16}, {32, 8}, {8, 32}}) {
    check_wmma({m, n, 16, "f32", "f16", 8, 8, 8});
    check_wmma({m, n, 16, "f16", "f16", 8, 8, 4});
  }
}

TEST_CASE("wmma of bfloat16 and of tf32 sums in single precision") {
  check_wmma({16, 16, 16, "f32", "bf16", 4, 4, 8});
  check_wmma({32, 8, 16, "f32", "bf16", 8, 2, 8});
  check_wmma({8, 32, 16, "f32", "bf16", 2, 8, 8});
  check_wmma({16, 16, 8, "f32", "tf32", 4, 4, 8});
  check_wmma({16, 16, 8, "f32", "tf32", 4, 4, 8, Order::kColumns, Order::kRows});
}

TEST_CASE("wmma of double precision sums in double precision") {
  check_wmma({8, 8, 4, "f64", "f64", 1, 1, 2});
  check_wmma({8, 8, 4, "f64", "f64", 1, 1, 2, Order::kColumns, Order::kRows, Order::kColumns});
}

TEST_CASE("wmma of bytes, of four bits and of single bits sums integers") {
  for (const char* const type : {"s8", "u8"}) {
    check_wmma({16, 16, 16, "s32", type, 2, 2, 8});
    check_wmma({32, 8, 16, "s32", type, 4, 1, 8});
    check_wmma({8, 32, 16, "s32", type, 1, 4, 8, Order::kColumns, Order::kRows, Order::kColumns});
  }
  check_wmma({8, 8, 32, "s32", "s4", 1, 1, 2});
  check_wmma({8, 8, 32, "s32", "u4", 1, 1, 2});
  check_wmma({8, 8, 128, "s32", "b1", 1, 1, 2});
}

}  // namespace
