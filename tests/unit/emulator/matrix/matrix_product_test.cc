// mma compared with products of the host; fragments by the formulas of the PTX manual.
#include "emulator/matrix/matrix_product.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "ptx/ptx_error.h"
#include "support/matrix_text.h"
#include "support/ptx_grid.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

struct MmaCase {
  std::uint32_t m;
  std::uint32_t k;
  const char* d;
  const char* a;
  const char* b;
  const char* suffix = "";     // after the types
  const char* saturates = "";  // before them
};

constexpr std::uint32_t kColumns = 8;  // n of every shape

// A, B, or C and D of one mma.
struct Held {
  char which;
  ElementType type;
  std::uint32_t rows;
  std::uint32_t columns;
  Matrix values = {};

  std::uint32_t per_register() const { return type.bits == 64 ? 1 : 32 / type.bits; }
  std::uint32_t registers() const { return rows * columns / 32 / per_register(); }
  std::uint32_t words() const { return registers() * (type.bits == 64 ? 2 : 1); }
  // The manual numbers a lane's elements a0, a1, ...: row and column of the i-th.
  std::pair<std::uint32_t, std::uint32_t> place(std::uint32_t lane, std::uint32_t i) const {
    const std::uint32_t group = lane >> 2U;
    const std::uint32_t thread = lane & 3U;
    const std::uint32_t n = per_register();
    if (which == 'a') {
      const bool lower = rows == 16 && i / n % 2 == 1;
      const std::uint32_t block = rows == 16 ? i / (2 * n) : i / n;
      return {lower ? group + 8 : group, thread * n + i % n + 4 * n * block};
    }
    if (which == 'b') {
      return {thread * n + i % n + 4 * n * (i / n), group};
    }
    return {i < 2 ? group : group + 8, thread * 2 + (i & 1U)};
  }
  // The words of a lane's registers.
  std::vector<std::uint32_t> packed(std::uint32_t lane) const {
    std::vector<std::uint32_t> packed(words());
    for (std::uint32_t i = 0; i < registers() * per_register(); ++i) {
      const auto [row, column] = place(lane, i);
      const std::uint64_t bits = encoded(type, values[row][column]);
      const std::uint32_t bit = i * type.bits;
      packed[bit / 32] |= static_cast<std::uint32_t>(bits) << bit % 32;
      if (type.bits == 64) {
        packed[bit / 32 + 1] = static_cast<std::uint32_t>(bits >> 32U);
      }
    }
    return packed;
  }
};

// Loads or stores `held`'s registers, from `first` on, at the lane's words from `word` on.
std::string moves(bool loads, const Held& held, std::uint32_t first, std::uint32_t word) {
  const bool wide = held.type.bits == 64;
  std::string text;
  for (std::uint32_t i = 0; i < held.registers(); ++i) {
    const std::string reg = fmt::format("%{}{}", wide ? 'q' : 'r', first + i);
    const std::string address = fmt::format("[%q{}+{}]", loads ? 0 : 1, 4 * (word + i * (wide ? 2 : 1)));
    text += loads ? fmt::format("ld.global.b{} {}, {};\n", wide ? 64 : 32, reg, address)
                  : fmt::format("st.global.b{} {}, {};\n", wide ? 64 : 32, address, reg);
  }
  return text;
}

struct Operands {
  Held a;
  Held b;
  Held c;
};

Operands operands_of(const MmaCase& test) {
  Operands operands{{'a', element_type(test.a), test.m, test.k},
                    {'b', element_type(test.b), test.k, kColumns},
                    {'c', element_type(test.d), test.m, kColumns}};
  std::uint32_t seed = 1;
  for (Held* const held : {&operands.a, &operands.b, &operands.c}) {
    held->values = sample_matrix(held->type, held->rows, held->columns, seed++);
  }
  return operands;
}

// The words of D, by lane.
std::vector<std::uint32_t> run_mma(const MmaCase& test, const Operands& operands) {
  const auto& [a, b, c] = operands;
  const std::uint32_t words = a.words() + b.words() + c.words();
  PtxGrid launch;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    for (const Held* const held : {&a, &b, &c}) {
      const std::vector<std::uint32_t> packed = held->packed(lane);
      launch.input.insert(launch.input.end(), packed.begin(), packed.end());
    }
  }
  launch.output_words = 32 * c.words();
  launch.body = fmt::format("mul.wide.u32 %q0, %t, {};\nadd.u64 %q0, %q0, %in;\n", 4 * words);
  launch.body += fmt::format("mul.wide.u32 %q1, %t, {};\nadd.u64 %q1, %q1, %out;\n", 4 * c.words());
  launch.body += moves(true, a, 10, 0) + moves(true, b, 20, a.words()) + moves(true, c, 30, a.words() + b.words());
  launch.body += fmt::format(
      "mma.sync.aligned.m{}n8k{}.row.col{}.{}.{}.{}.{}{} {}, {}, {}, {};\n", test.m, test.k, test.saturates, test.d,
      test.a, test.b, test.d, test.suffix, register_list(c.type.bits == 64, 40, c.registers()),
      register_list(a.type.bits == 64, 10, a.registers()), register_list(b.type.bits == 64, 20, b.registers()),
      register_list(c.type.bits == 64, 30, c.registers()));
  launch.body += moves(false, c, 40, 0);
  return execute_ptx(launch);
}

void check_mma(const MmaCase& test) {
  INFO("m" << test.m << "k" << test.k << " " << test.d << " " << test.a << " " << test.b << test.suffix);
  Operands operands = operands_of(test);
  const std::vector<std::uint32_t> result = run_mma(test, operands);
  Held expected = operands.c;
  expected.values = product_of(operands.a.values, operands.b.values, operands.c.values,
                               std::string(test.suffix) == ".xor.popc" ? BitOperation::kXor : BitOperation::kMultiply);
  std::vector<std::uint32_t> words;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::vector<std::uint32_t> packed = expected.packed(lane);
    words.insert(words.end(), packed.begin(), packed.end());
  }
  CHECK(result == words);
}

TEST_CASE("mma of half precision multiplies fragments with the manual's layout") {
  for (const char* const d : {"f16", "f32"}) {
    check_mma({16, 8, d, "f16", "f16"});
    check_mma({16, 16, d, "f16", "f16"});
  }
  check_mma({16, 8, "f32", "bf16", "bf16"});
  check_mma({16, 16, "f32", "bf16", "bf16"});
}

TEST_CASE("mma of tf32 and of double precision multiplies fragments with the manual's layout") {
  check_mma({16, 4, "f32", "tf32", "tf32"});
  check_mma({16, 8, "f32", "tf32", "tf32"});
  check_mma({8, 4, "f64", "f64", "f64"});
  for (const std::uint32_t k : {4U, 8U, 16U}) {
    check_mma({16, k, "f64", "f64", "f64"});
  }
}

TEST_CASE("mma of eight-bit floating point accepts both formats in any combination") {
  for (const char* const a : {"e4m3", "e5m2"}) {
    for (const char* const b : {"e4m3", "e5m2"}) {
      check_mma({16, 32, "f32", a, b});
      check_mma({16, 16, "f32", a, b});
      check_mma({16, 32, "f16", a, b});
    }
  }
}

TEST_CASE("mma of bytes accepts signed and unsigned ones in any combination") {
  for (const char* const a : {"s8", "u8"}) {
    for (const char* const b : {"s8", "u8"}) {
      check_mma({8, 16, "s32", a, b});
      check_mma({16, 16, "s32", a, b});
      check_mma({16, 32, "s32", a, b});
    }
  }
}

TEST_CASE("mma of four-bit integers accepts signed and unsigned ones in any combination") {
  for (const char* const a : {"s4", "u4"}) {
    for (const char* const b : {"s4", "u4"}) {
      check_mma({8, 32, "s32", a, b});
      check_mma({16, 32, "s32", a, b});
      check_mma({16, 64, "s32", a, b});
    }
  }
}

TEST_CASE("mma of single bits counts the bits of the xor or of the and") {
  for (const char* const how : {".xor.popc", ".and.popc"}) {
    check_mma({8, 128, "s32", "b1", "b1", how});
    check_mma({16, 128, "s32", "b1", "b1", how});
    check_mma({16, 256, "s32", "b1", "b1", how});
  }
}

TEST_CASE("an integer sum beyond 32 bits wraps, or is clamped with .satfinite") {
  for (const char* const saturates : {"", ".satfinite"}) {
    const MmaCase test{8, 16, "s32", "s8", "s8", "", saturates};
    Operands operands = operands_of(test);
    operands.a.values.assign(8, std::vector<std::int64_t>(16, 1));
    operands.b.values.assign(16, std::vector<std::int64_t>(8, 1));
    operands.c.values.assign(8, std::vector<std::int64_t>(8, std::numeric_limits<std::int32_t>::max() - 15));
    // 2^31 - 16 + 16.
    CHECK(run_mma(test, operands) == std::vector<std::uint32_t>(64, saturates[0] == 0 ? 0x80000000U : 0x7fffffffU));
    operands.a.values.assign(8, std::vector<std::int64_t>(16, -1));
    operands.c.values.assign(8, std::vector<std::int64_t>(8, std::numeric_limits<std::int32_t>::min()));
    CHECK(run_mma(test, operands) == std::vector<std::uint32_t>(64, saturates[0] == 0 ? 0x7ffffff0U : 0x80000000U));
  }
}

TEST_CASE("a sum of products is rounded once, to the type of D") {
  // 1024 + 1024 + 1 + 0 in half precision: 2049 is between 2048 and 2050 and is rounded to the even one.
  const MmaCase test{16, 8, "f16", "f16", "f16"};
  Operands operands = operands_of(test);
  operands.a.values.assign(16, {1024, 1024, 1, 0, 0, 0, 0, 0});
  operands.b.values.assign(8, std::vector<std::int64_t>(8, 1));
  operands.c.values.assign(16, std::vector<std::int64_t>(8, 0));
  CHECK(run_mma(test, operands) == std::vector<std::uint32_t>(64, 0x68006800U));
  // One more gives exactly 2050, which partial sums of half precision would miss.
  operands.a.values.assign(16, {1024, 1024, 1, 1, 0, 0, 0, 0});
  CHECK(run_mma(test, operands) == std::vector<std::uint32_t>(64, 0x68016801U));
}

TEST_CASE("a matrix operand with too few registers is an error") {
  PtxGrid launch;
  launch.body =
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r6, %r7}, "
      "{%r0, %r1, %r2, %r3};";
  CHECK_THROWS_AS(execute_ptx(launch), ptx::PtxError);
}

}  // namespace
