#include "emulator/matrix/matrix_product.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpsim {

namespace {

template <class T, class Multiply>
void multiply_add(const MatrixProduct& product, const std::vector<T>& a, const std::vector<T>& b, std::vector<T>& sum,
                  Multiply&& multiply) {
  const std::uint32_t columns = product.b.columns;
  const std::uint32_t inner = product.b.rows;
  for (std::uint32_t row = 0; row < product.a.rows; ++row) {
    for (std::uint32_t k = 0; k < inner; ++k) {
      const T left = a[std::size_t{row} * inner + k];
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

}  // namespace

void execute(WarpContext& warp, const MatrixProduct& product) {
  if (!is_integer(product.a.type)) {
    auto matrices = read_all<double>(warp, product);
    multiply_add(product, matrices.a, matrices.b, matrices.sum, [](double a, double b) { return a * b; });
    write_fragment(warp, product.d, matrices.sum);
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
