// Elements of small matrices in the types of tensor cores, and their registers' text: for tests of mma and wmma.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace warpsim::test {

using Matrix = std::vector<std::vector<std::int64_t>>;

struct ElementType {
  std::string name;
  std::uint32_t bits;
  char kind;  // 'f', 'i'
  int bias = 0;
  std::uint32_t fraction = 0;
};

inline ElementType element_type(const std::string& name) {
  for (const ElementType& type : std::vector<ElementType>{{"f16", 16, 'f', 15, 10},
                                                          {"bf16", 16, 'f', 127, 7},
                                                          {"tf32", 32, 'f', 127, 23},
                                                          {"f32", 32, 'f', 127, 23},
                                                          {"f64", 64, 'f', 1023, 52},
                                                          {"e4m3", 8, 'f', 7, 3},
                                                          {"e5m2", 8, 'f', 15, 2},
                                                          {"s8", 8, 'i'},
                                                          {"u8", 8, 'i'},
                                                          {"s4", 4, 'i'},
                                                          {"u4", 4, 'i'},
                                                          {"b1", 1, 'i'}}) {
    if (type.name == name) {
      return type;
    }
  }
  return {"s32", 32, 'i'};
}

inline bool is_signed(const ElementType& type) {
  return type.kind == 'f' || type.name[0] == 's';
}

// A whole number that the type holds exactly, by the formats' definition: sign, biased exponent, fraction.
inline std::uint64_t encoded(const ElementType& type, std::int64_t value) {
  if (type.kind == 'i') {
    return static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << type.bits) - 1);
  }
  if (value == 0) {
    return 0;
  }
  const auto size = static_cast<std::uint64_t>(value < 0 ? -value : value);
  const auto exponent = static_cast<std::uint32_t>(std::bit_width(size)) - 1;
  const std::uint64_t rest = size ^ std::uint64_t{1} << exponent;
  const std::uint64_t fraction = exponent <= type.fraction ? rest << (type.fraction - exponent) : 0;
  const std::uint64_t sign = value < 0 ? 1 : 0;
  return sign << (type.bits - 1) | (exponent + static_cast<std::uint64_t>(type.bias)) << type.fraction | fraction;
}

// Small whole numbers in no regular order.
inline Matrix sample_matrix(const ElementType& type, std::uint32_t rows, std::uint32_t columns, std::uint32_t seed) {
  Matrix matrix(rows, std::vector<std::int64_t>(columns));
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      const std::uint32_t mixed = (seed + row * 37 + column * 101 + row * column * 7) * 2654435761U >> 16U;
      const auto value = static_cast<std::int64_t>(mixed % 7);
      matrix[row][column] = type.bits == 1 ? value % 2 : is_signed(type) ? value - 3 : value;
    }
  }
  return matrix;
}

enum class BitOperation : std::uint8_t { kMultiply, kXor };

inline Matrix product_of(const Matrix& a, const Matrix& b, Matrix sum, BitOperation how = BitOperation::kMultiply) {
  for (std::size_t row = 0; row < sum.size(); ++row) {
    for (std::size_t column = 0; column < sum[row].size(); ++column) {
      for (std::size_t k = 0; k < b.size(); ++k) {
        const std::int64_t left = a[row][k];
        const std::int64_t right = b[k][column];
        sum[row][column] += how == BitOperation::kXor ? left ^ right : left * right;
      }
    }
  }
  return sum;
}

// "{%r3, %r4}", or %q of 64 bits.
inline std::string register_list(bool wide, std::uint32_t first, std::uint32_t count) {
  std::string text = "{";
  for (std::uint32_t i = 0; i < count; ++i) {
    text += fmt::format("{}%{}{}", i == 0 ? "" : ", ", wide ? 'q' : 'r', first + i);
  }
  return text + "}";
}

}  // namespace warpsim::test
