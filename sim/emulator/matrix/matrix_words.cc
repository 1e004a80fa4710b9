#include "emulator/matrix/matrix_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace warpsim {

namespace {

// "m16n8k16".
std::optional<MatrixShape> shape_of(std::string_view word) {
  MatrixShape shape;
  for (const auto& [letter, value] : {std::pair{'m', &shape.m}, std::pair{'n', &shape.n}, std::pair{'k', &shape.k}}) {
    if (word.empty() || word.front() != letter) {
      return std::nullopt;
    }
    word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
    if (error != std::errc() || *value == 0) {
      return std::nullopt;
    }
    word.remove_prefix(static_cast<std::size_t>(end - word.data()));
  }
  return word.empty() ? std::optional(shape) : std::nullopt;
}

struct TypeWord {
  std::string_view word;
  MatrixType type;
};
constexpr auto kTypes = std::to_array<TypeWord>({{"f16", MatrixType::kF16},
                                                 {"bf16", MatrixType::kBf16},
                                                 {"tf32", MatrixType::kTf32},
                                                 {"f32", MatrixType::kF32},
                                                 {"f64", MatrixType::kF64},
                                                 {"e4m3", MatrixType::kE4m3},
                                                 {"e5m2", MatrixType::kE5m2},
                                                 {"u8", MatrixType::kU8},
                                                 {"s8", MatrixType::kS8},
                                                 {"u4", MatrixType::kU4},
                                                 {"s4", MatrixType::kS4},
                                                 {"b1", MatrixType::kB1},
                                                 {"s32", MatrixType::kS32}});

}  // namespace

MatrixShape take_matrix_shape(OperationBuilder& b) {
  for (const std::string_view word : b.instruction().modifiers) {
    if (const std::optional<MatrixShape> shape = shape_of(word)) {
      b.take(word);
      return *shape;
    }
  }
  b.fail("a shape like .m16n8k16 is missing");
}

std::optional<MatrixType> take_matrix_type(OperationBuilder& b) {
  const auto& words = b.instruction().modifiers;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto* const entry = std::ranges::find(kTypes, words[i], &TypeWord::word);
    if (b.is_left(i) && entry != kTypes.end()) {
      b.take(words[i]);
      return entry->type;
    }
  }
  return std::nullopt;
}

MatrixType take_needed_matrix_type(OperationBuilder& b) {
  const std::optional<MatrixType> type = take_matrix_type(b);
  if (!type) {
    b.fail("a type is missing");
  }
  return *type;
}

}  // namespace warpsim
