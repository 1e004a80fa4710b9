#include "emulator/matrix/matrix_product.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "emulator/execution/launch_context.h"
#include "emulator/matrix/tensor_sum.h"

namespace warpsim {

namespace {

using Integers = std::vector<std::int64_t>;

template <class Multiply>
void multiply_add(const MatrixProduct& product, const Integers& a, const Integers& b, Integers& sum,
                  Multiply&& multiply) {
  const std::uint32_t columns = product.b.columns;
  const std::uint32_t inner = product.b.rows;
  for (std::uint32_t row = 0; row < product.a.rows; ++row) {
    for (std::uint32_t k = 0; k < inner; ++k) {
      const std::int64_t left = a[std::size_t{row} * inner + k];
      for (std::uint32_t column = 0; column < columns; ++column) {
        sum[std::size_t{row} * columns + column] += multiply(left, b[std::size_t{k} * columns + column]);
      }
    }
  }
}

template <class T>
struct Matrices {
  std::vector<T> a;
  std::vector<T> b;
  std::vector<T> sum;
};

template <class T>
Matrices<T> read_all(const WarpContext& warp, const MatrixProduct& product) {
  Matrices<T> matrices;
  read_fragment(warp, product.a, matrices.a);
  if (product.is_sparse) {
    matrices.a = product.sparse.expanded(warp.read<std::uint32_t>(product.metadata), product.a.rows, matrices.a);
  }
  read_fragment(warp, product.b, matrices.b);
  read_fragment(warp, product.c, matrices.sum);
  return matrices;
}

// With the lower halves of groups of four columns of A and rows of B before the upper ones.
void sort_halves(const MatrixSizes& sizes, Matrices<double>& matrices) {
  constexpr std::uint32_t kWord = 4;  // bytes
  const Matrices<double> before = matrices;
  for (std::uint32_t k = 0; k < sizes.depth; ++k) {
    const std::uint32_t half = k % kWord / 2;
    const std::uint32_t to = half * (sizes.depth / 2) + k / kWord * 2 + k % 2;
    for (std::uint32_t row = 0; row < sizes.rows; ++row) {
      matrices.a[std::size_t{row} * sizes.depth + to] = before.a[std::size_t{row} * sizes.depth + k];
    }
    std::copy_n(before.b.begin() + std::ptrdiff_t{k} * sizes.columns, sizes.columns,
                matrices.b.begin() + std::ptrdiff_t{to} * sizes.columns);
  }
}

void execute_floats(WarpContext& warp, const MatrixProduct& product) {
  constexpr std::uint32_t kHopper = 90;
  auto matrices = read_all<double>(warp, product);
  const MatrixSizes sizes{product.a.rows, product.b.rows, product.b.columns};
  const bool as_halves = bits_of(product.a.type) == 8 && warp.launch->capability == kHopper;
  TensorSum how = as_halves ? tensor_sum(kHopper, MatrixType::kF16, MatrixType::kF16, product.d.type)
                            : tensor_sum(warp.launch->capability, product.a.type, product.b.type, product.d.type);
  how.step *= product.is_sparse ? 2 : 1;
  how.rounding = product.rounding;
  if (!as_halves) {
    add_products(how, sizes, matrices.a.data(), matrices.b.data(), matrices.sum.data());
    write_fragment(warp, product.d, matrices.sum);
    return;
  }
  if (!product.is_sparse) {
    sort_halves(sizes, matrices);
  }
  std::vector<double> sum(matrices.sum.size());
  add_products(how, sizes, matrices.a.data(), matrices.b.data(), sum.data());
  std::ranges::transform(sum, matrices.sum, sum.begin(), std::plus<>{});
  write_fragment(warp, product.d, sum);
}

}  // namespace

void execute(WarpContext& warp, const MatrixProduct& product) {
  if (!is_integer(product.a.type)) {
    execute_floats(warp, product);
    return;
  }
  auto matrices = read_all<std::int64_t>(warp, product);
  if (product.a.type == MatrixType::kB1 && product.bits == BitProduct::kXor) {
    multiply_add(product, matrices.a, matrices.b, matrices.sum, [](std::int64_t a, std::int64_t b) { return a ^ b; });
  } else {
    multiply_add(product, matrices.a, matrices.b, matrices.sum, [](std::int64_t a, std::int64_t b) { return a * b; });
  }
  if (product.saturates) {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    std::ranges::transform(matrices.sum, matrices.sum.begin(),
                           [=](std::int64_t value) { return std::clamp(value, kLeast, kMost); });
  }
  write_fragment(warp, product.d, matrices.sum);
}

}  // namespace warpsim
