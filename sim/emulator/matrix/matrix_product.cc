#include "emulator/matrix/matrix_product.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>

#include "base/host_vectors.h"
#include "emulator/execution/launch_context.h"
#include "emulator/matrix/tensor_sum.h"

namespace warpsim {

namespace {

template <class Factor>
using FactorElements = std::array<Factor, std::is_integral_v<Factor> ? kMostIntegers : kMostElements>;

// Of one product. Not set before they are read.
template <class Factor, class Sum>
struct Matrices {
  FactorElements<Factor> a;
  FactorElements<Factor> b;
  std::array<Sum, kMostElements> sum;
};

template <class Factor, class Sum>
void read_all(const WarpContext& warp, const MatrixProduct& product, Matrices<Factor, Sum>& matrices) {
  if (product.is_sparse) {
    FactorElements<Factor> stored;
    read_fragment(warp, product.a, stored.data());
    product.sparse.expand(warp.read<std::uint32_t>(product.metadata), product.a.rows, stored.data(), matrices.a.data());
  } else {
    read_fragment(warp, product.a, matrices.a.data());
  }
  read_fragment(warp, product.b, matrices.b.data());
  read_fragment(warp, product.c, matrices.sum.data());
}

MatrixSizes sizes_of(const MatrixProduct& product) {
  return {product.a.rows, product.b.rows, product.b.columns};
}

// With the lower halves of groups of four columns of A and rows of B before the upper ones.
void sort_halves(const MatrixSizes& sizes, Matrices<float, double>& matrices) {
  constexpr std::uint32_t kWord = 4;  // bytes
  const Matrices<float, double> before = matrices;
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

TensorSum sum_of(const WarpContext& warp, const MatrixProduct& product, MatrixType a, MatrixType b) {
  TensorSum how = tensor_sum(warp.launch->capability, a, b, product.d.type);
  how.step *= product.is_sparse ? 2 : 1;
  how.rounding = product.rounding;
  return how;
}

// Of factors of 8 bits on 9.0.
void execute_as_halves(WarpContext& warp, const MatrixProduct& product) {
  Matrices<float, double> matrices;
  read_all(warp, product, matrices);
  const MatrixSizes sizes = sizes_of(product);
  if (!product.is_sparse) {
    sort_halves(sizes, matrices);
  }
  std::array<double, kMostElements> sum;
  const std::size_t count = std::size_t{sizes.rows} * sizes.columns;
  std::fill_n(sum.begin(), count, 0);
  add_products(sum_of(warp, product, MatrixType::kF16, MatrixType::kF16), sizes, matrices.a.data(), matrices.b.data(),
               sum.data());
  std::transform(sum.begin(), sum.begin() + static_cast<std::ptrdiff_t>(count), matrices.sum.begin(), sum.begin(),
                 std::plus<>{});
  write_fragment(warp, product.d, sum.data());
}

template <class Factor>
void execute_floats(WarpContext& warp, const MatrixProduct& product) {
  Matrices<Factor, double> matrices;
  read_all(warp, product, matrices);
  const TensorSum how = sum_of(warp, product, product.a.type, product.b.type);
  add_products(how, sizes_of(product), matrices.a.data(), matrices.b.data(), matrices.sum.data());
  write_fragment(warp, product.d, matrices.sum.data());
}

// Sums of products are below 2^31 apart from C. `kXor`: of bits. All matrices have a multiple of eight columns.
template <bool kXor>
void add_integers(const MatrixSizes* sizes, const Matrices<std::int32_t, std::int32_t>* matrices, std::int32_t* sum) {
  constexpr std::uint32_t kChunk = 8;
  using Row [[gnu::vector_size(kChunk * sizeof(std::int32_t))]] = std::int32_t;
  for (std::uint32_t row = 0; row < sizes->rows; ++row) {
    for (std::uint32_t column = 0; column < sizes->columns; column += kChunk) {
      Row total{};
      for (std::uint32_t k = 0; k < sizes->depth; ++k) {
        const std::int32_t left = matrices->a[std::size_t{row} * sizes->depth + k];
        Row right;
        std::memcpy(&right, matrices->b.data() + std::size_t{k} * sizes->columns + column, sizeof(right));
        total += kXor ? left ^ right : left * right;
      }
      std::memcpy(sum + std::size_t{row} * sizes->columns + column, &total, sizeof(total));
    }
  }
}

void execute_integers(WarpContext& warp, const MatrixProduct& product) {
  Matrices<std::int32_t, std::int32_t> matrices;
  read_all(warp, product, matrices);
  const MatrixSizes sizes = sizes_of(product);
  std::array<std::int32_t, kMostElements> sum;
  const std::size_t count = std::size_t{sizes.rows} * sizes.columns;
  if (product.a.type == MatrixType::kB1 && product.bits == BitProduct::kXor) {
    call_for_host<add_integers<true>>(&sizes, &matrices, sum.data());
  } else {
    call_for_host<add_integers<false>>(&sizes, &matrices, sum.data());
  }
  for (std::size_t i = 0; i < count; ++i) {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    const std::int64_t whole = std::int64_t{sum[i]} + matrices.sum[i];
    sum[i] = static_cast<std::int32_t>(product.saturates ? std::clamp(whole, kLeast, kMost) : whole);
  }
  write_fragment(warp, product.d, sum.data());
}

}  // namespace

void execute(WarpContext& warp, const MatrixProduct& product) {
  constexpr std::uint32_t kHopper = 90;
  if (is_integer(product.a.type)) {
    execute_integers(warp, product);
  } else if (product.a.type == MatrixType::kF64) {
    execute_floats<double>(warp, product);
  } else if (bits_of(product.a.type) == 8 && warp.launch->capability == kHopper) {
    execute_as_halves(warp, product);
  } else {
    execute_floats<float>(warp, product);
  }
}

}  // namespace warpsim
