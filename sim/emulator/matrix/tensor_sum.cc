#include "emulator/matrix/tensor_sum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/host_vectors.h"
#include "emulator/matrix/matrix_elements.h"
#include "emulator/matrix/tensor_vectors.h"
#include "emulator/numbers/float_rounding.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kChunk = 8;  // columns that are computed together
using Row = std::array<double, kChunk>;

// 2 to the power of a number's exponent; 0 for 0. `least`: of subnormal numbers of its type.
inline double power_of(double value, double least) {
  const double power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & kDoubleExponent);
  return value == 0 ? 0 : std::max(power, least);
}

double least_power(MatrixType type) {
  switch (type) {
    case MatrixType::kF16:
    case MatrixType::kE5m2:
      return kLeastHalf;
    case MatrixType::kE4m3:
      return 0x1p-6;
    default:
      return 0x1p-126;
  }
}

// Towards zero; at least 2^128 becomes infinity.
inline double cut_to_single(double value, int fraction_bits) {
  const double magnitude = std::abs(value);
  if (magnitude >= 0x1p128) {
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  }
  if (magnitude < 0x1p-126) {
    const double unit = std::ldexp(0x1p-126, -fraction_bits);
    return std::copysign(std::trunc(magnitude / unit) * unit, value);
  }
  const std::uint64_t mask = ~std::uint64_t{0} << (kDoubleFraction - static_cast<unsigned>(fraction_bits));
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & mask);
}

double rounded(const TensorSum& how, double value) {
  return how.result == MatrixType::kF16 ? rounded_to_half(value) : cut_to_single(value, how.result_bits);
}

template <class Value>
inline bool all_finite(const Value* values, std::size_t count) {
  // Only of numbers 0 times is 0.
  std::uint32_t others = 0;
  for (std::size_t i = 0; i < count; ++i) {
    others |= values[i] * 0 == 0 ? 0U : 1U;
  }
  return others == 0;
}

// One product of a matrix by a matrix, with the powers of the elements of both.
template <class Value>
class Sums {
 public:
  Sums(const TensorSum& how, const MatrixSizes& sizes, const Value* a, const Value* b)
      : how_(how), sizes_(sizes), a_(a), b_(b), step_a_(a), step_b_(b) {
    const std::size_t of_a = std::size_t{sizes.rows} * sizes.depth;
    const std::size_t of_b = std::size_t{sizes.depth} * sizes.columns;
    is_finite_ = all_finite(a, of_a) && all_finite(b, of_b);
    if (!is_finite_) {
      finite_a_ = finite_of(a, of_a);
      finite_b_ = finite_of(b, of_b);
      step_a_ = finite_a_.data();
      step_b_ = finite_b_.data();
    }
    powers_a_.resize(of_a);
    powers_b_.resize(of_b);
    std::transform(step_a_, step_a_ + of_a, powers_a_.begin(), [&](Value each) { return power_of(each, how.least_a); });
    std::transform(step_b_, step_b_ + of_b, powers_b_.begin(), [&](Value each) { return power_of(each, how.least_b); });
  }

  // Adds the products of a row and eight columns.
  void add(std::uint32_t row, std::uint32_t column, double* sums) const {
    Row sum;
    std::copy_n(sums, kChunk, sum.begin());
    if (!is_finite_) {
      add_plain(row, column, sum);
    }
    for (std::uint32_t k = 0; k < sizes_.depth; k += how_.step) {
      step(row, column, k, sum);
    }
    std::ranges::copy(sum, sums);
  }

 private:
  // Where one is not finite, the result is not one of step(), which gets 0 for it.
  static std::vector<Value> finite_of(const Value* values, std::size_t count) {
    std::vector<Value> finite(values, values + count);
    std::ranges::transform(finite, finite.begin(), [](Value value) { return std::isfinite(value) ? value : 0; });
    return finite;
  }

  // Makes sums of infinities and NaNs; the others stay. Sums of finite values have no overflow in double precision.
  void add_plain(std::uint32_t row, std::uint32_t column, Row& sum) const {
    Row plain = sum;
    for (std::uint32_t k = 0; k < sizes_.depth; ++k) {
      for (std::uint32_t i = 0; i < kChunk; ++i) {
        plain[i] += static_cast<double>(a_[std::size_t{row} * sizes_.depth + k]) *
                    static_cast<double>(b_[std::size_t{k} * sizes_.columns + column + i]);
      }
    }
    std::ranges::transform(plain, sum, sum.begin(),
                           [](double whole, double before) { return std::isfinite(whole) ? before : whole; });
  }

  // What is infinite or NaN stays.
  void step(std::uint32_t row, std::uint32_t column, std::uint32_t first, Row& sum) const {
    const std::uint32_t last = std::min(first + how_.step, sizes_.depth);
    Row finite;
    Row largest;
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      finite[i] = std::isfinite(sum[i]) ? sum[i] : 0;
      largest[i] = power_of(finite[i], 0);
    }
    for (std::uint32_t k = first; k < last; ++k) {
      const double power = powers_a_[std::size_t{row} * sizes_.depth + k];
      const double* const powers = powers_b_.data() + std::size_t{k} * sizes_.columns + column;
      for (std::uint32_t i = 0; i < kChunk; ++i) {
        largest[i] = std::max(largest[i], power * powers[i]);
      }
    }
    // To integers: the unit is the last bit that is kept.
    const double scale = std::ldexp(1.0, how_.kept_bits);
    Row to_units;
    Row total;
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      to_units[i] = largest[i] == 0 ? 0 : scale / largest[i];
      total[i] = static_cast<double>(static_cast<std::int32_t>(finite[i] * to_units[i]));
    }
    for (std::uint32_t k = first; k < last; ++k) {
      const double left = step_a_[std::size_t{row} * sizes_.depth + k];
      const Value* const right = step_b_ + std::size_t{k} * sizes_.columns + column;
      for (std::uint32_t i = 0; i < kChunk; ++i) {
        total[i] += static_cast<double>(static_cast<std::int32_t>(left * static_cast<double>(right[i]) * to_units[i]));
      }
    }
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      if (std::isfinite(sum[i])) {
        // Adding 0 makes 0 of -0, which tensor cores do not produce.
        sum[i] = (total[i] == 0 ? 0 : rounded(how_, total[i] / to_units[i])) + 0.0;
      }
    }
  }

  const TensorSum& how_;
  const MatrixSizes& sizes_;
  const Value* a_;
  const Value* b_;
  const Value* step_a_;
  const Value* step_b_;
  std::vector<double> powers_a_;
  std::vector<double> powers_b_;
  bool is_finite_ = true;
  std::vector<Value> finite_a_;
  std::vector<Value> finite_b_;
};

// Each column is a chain of fused multiply-adds with the host's rounding.
template <class Value>
void add_in_order(const MatrixSizes* sizes, const Value* a, const Value* b, double* sum) {
  for (std::uint32_t row = 0; row < sizes->rows; ++row) {
    double* const sums = sum + std::size_t{row} * sizes->columns;
    for (std::uint32_t k = 0; k < sizes->depth; ++k) {
      const double left = a[std::size_t{row} * sizes->depth + k];
      const Value* const right = b + std::size_t{k} * sizes->columns;
      for (std::uint32_t column = 0; column < sizes->columns; ++column) {
        const double value = sums[column];
        sums[column] = number_or_nan(std::fma(left, static_cast<double>(right[column]), value),
                                     is_nan(value) ? value : left, right[column]);
      }
    }
  }
}

template <class Value>
void add_all(const TensorSum& how, const MatrixSizes& sizes, const Value* a, const Value* b, double* sum) {
  if (how.result == MatrixType::kF64) {
    const RoundingScope scope(how.rounding);
    call_for_host<add_in_order<Value>>(&sizes, a, b, sum);
    return;
  }
  const Sums<Value> sums(how, sizes, a, b);
  for (std::uint32_t row = 0; row < sizes.rows; ++row) {
    for (std::uint32_t column = 0; column < sizes.columns; column += kChunk) {
      sums.add(row, column, sum + std::size_t{row} * sizes.columns + column);
    }
  }
}

}  // namespace

TensorSum tensor_sum(std::uint32_t capability, MatrixType a, MatrixType b, MatrixType result) {
  TensorSum how;
  how.result = result;
  how.least_a = least_power(a);
  how.least_b = least_power(b);
  constexpr std::uint32_t kAmpere = 80;
  constexpr std::uint32_t kHopper = 90;
  const std::uint32_t bits = bits_of(a);
  if (capability >= kHopper) {
    how.step = 256 / bits;
    how.kept_bits = 25;
  } else if (capability >= kAmpere) {
    how.step = 128 / bits;
    how.kept_bits = 24;
  } else {
    how.step = 4;
    how.kept_bits = 23;
  }
  if (bits == 8) {
    constexpr int kByteBits = 13;
    how.kept_bits = kByteBits;
    how.result_bits = kByteBits;
  }
  return how;
}

void add_products(const TensorSum& how, const MatrixSizes& sizes, const double* a, const double* b, double* sum) {
  add_all(how, sizes, a, b, sum);
}

void add_products(const TensorSum& how, const MatrixSizes& sizes, const float* a, const float* b, double* sum) {
  if (!add_products_in_vectors(how, sizes, a, b, sum)) {
    add_all(how, sizes, a, b, sum);
  }
}

}  // namespace warpsim
