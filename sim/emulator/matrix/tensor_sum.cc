#include "emulator/matrix/tensor_sum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "emulator/numbers/float_rounding.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kChunk = 8;  // columns that are computed together, so that the loops are vectorised
using Row = std::array<double, kChunk>;

// 2 to the power of a number's exponent; 0 for 0. `least`: of subnormal numbers of its type.
double power_of(double value, double least) {
  constexpr std::uint64_t kExponent = 0x7ff0000000000000;
  const double power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & kExponent);
  return value == 0 ? 0 : std::max(power, least);
}

double least_power(MatrixType type) {
  switch (type) {
    case MatrixType::kF16:
    case MatrixType::kE5m2:
      return 0x1p-14;
    case MatrixType::kE4m3:
      return 0x1p-6;
    default:
      return 0x1p-126;
  }
}

// Towards zero; at least 2^128 becomes infinity.
double cut_to_single(double value, int fraction_bits) {
  constexpr int kDoubleFraction = 52;
  const double magnitude = std::abs(value);
  if (magnitude >= 0x1p128) {
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  }
  if (magnitude < 0x1p-126) {
    const double unit = std::ldexp(0x1p-126, -fraction_bits);
    return std::copysign(std::trunc(magnitude / unit) * unit, value);
  }
  const std::uint64_t mask = ~std::uint64_t{0} << (kDoubleFraction - fraction_bits);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & mask);
}

double rounded(const TensorSum& how, double value) {
  return how.result == MatrixType::kF16 ? float_element(how.result, float_bits(how.result, value))
                                        : cut_to_single(value, how.result_bits);
}

template <class Value>
bool all_finite(const Value* values, std::size_t count) {
  // The sum of zeros, or a NaN.
  Value sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += values[i] * 0;
  }
  return sum == 0;
}

// One product of a matrix by a matrix, with the powers of the elements of both.
template <class Value>
class Sums {
 public:
  Sums(const TensorSum& how, const MatrixSizes& sizes, const Value* a, const Value* b)
      : how_(how), sizes_(sizes), a_(a), b_(b), step_a_(a), step_b_(b), scale_(std::ldexp(1.0, how.kept_bits)) {
    const std::size_t of_a = std::size_t{sizes.rows} * sizes.depth;
    const std::size_t of_b = std::size_t{sizes.depth} * sizes.columns;
    powers_a_.resize(of_a);
    powers_b_.resize(of_b);
    is_finite_ = all_finite(a, of_a) && all_finite(b, of_b);
    if (!is_finite_) {
      finite_a_ = finite_of(a, of_a);
      finite_b_ = finite_of(b, of_b);
      step_a_ = finite_a_.data();
      step_b_ = finite_b_.data();
    }
    std::transform(step_a_, step_a_ + of_a, powers_a_.begin(), [&](Value each) { return power_of(each, how.least_a); });
    std::transform(step_b_, step_b_ + of_b, powers_b_.begin(), [&](Value each) { return power_of(each, how.least_b); });
  }

  // Adds the products of a row and eight columns.
  void add(std::uint32_t row, std::uint32_t column, double* sums) const {
    Row sum;
    std::copy_n(sums, kChunk, sum.begin());
    if (is_finite_ && all_finite(sum.data(), kChunk)) {
      add_finite(row, column, sum);
      std::ranges::copy(sum, sums);
      return;
    }
    const Row plain = plain_sums(row, column, sum);
    std::ranges::transform(sum, sum.begin(), [](double value) { return std::isfinite(value) ? value : 0; });
    add_finite(row, column, sum);
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      sums[i] = std::isfinite(plain[i]) ? sum[i] : plain[i];
    }
  }

 private:
  // Where one is not finite, the result is not one of step(), which gets 0 for it.
  static std::vector<Value> finite_of(const Value* values, std::size_t count) {
    std::vector<Value> finite(values, values + count);
    std::ranges::transform(finite, finite.begin(), [](Value value) { return std::isfinite(value) ? value : 0; });
    return finite;
  }

  void add_finite(std::uint32_t row, std::uint32_t column, Row& sum) const {
    for (std::uint32_t k = 0; k < sizes_.depth; k += how_.step) {
      step(row, column, k, sum);
    }
  }

  // Infinities and NaNs. Sums of finite values have no overflow in double precision.
  Row plain_sums(std::uint32_t row, std::uint32_t column, const Row& sum) const {
    Row plain = sum;
    for (std::uint32_t k = 0; k < sizes_.depth; ++k) {
      for (std::uint32_t i = 0; i < kChunk; ++i) {
        plain[i] += static_cast<double>(a_[std::size_t{row} * sizes_.depth + k]) *
                    static_cast<double>(b_[std::size_t{k} * sizes_.columns + column + i]);
      }
    }
    return plain;
  }

  void step(std::uint32_t row, std::uint32_t column, std::uint32_t first, Row& sum) const {
    const std::uint32_t last = std::min(first + how_.step, sizes_.depth);
    Row largest;
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      largest[i] = power_of(sum[i], 0);
    }
    for (std::uint32_t k = first; k < last; ++k) {
      const double power = powers_a_[std::size_t{row} * sizes_.depth + k];
      const double* const powers = powers_b_.data() + std::size_t{k} * sizes_.columns + column;
      for (std::uint32_t i = 0; i < kChunk; ++i) {
        largest[i] = std::max(largest[i], power * powers[i]);
      }
    }
    // To integers: the unit is the last bit that is kept.
    Row to_units;
    Row total;
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      to_units[i] = largest[i] == 0 ? 0 : scale_ / largest[i];
      total[i] = static_cast<double>(static_cast<std::int32_t>(sum[i] * to_units[i]));
    }
    for (std::uint32_t k = first; k < last; ++k) {
      const double left = step_a_[std::size_t{row} * sizes_.depth + k];
      const Value* const right = step_b_ + std::size_t{k} * sizes_.columns + column;
      for (std::uint32_t i = 0; i < kChunk; ++i) {
        total[i] += static_cast<double>(static_cast<std::int32_t>(left * static_cast<double>(right[i]) * to_units[i]));
      }
    }
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      // Adding 0 makes 0 of -0, which tensor cores do not produce.
      sum[i] = (total[i] == 0 ? 0 : rounded(how_, total[i] / to_units[i])) + 0.0;
    }
  }

  const TensorSum& how_;
  const MatrixSizes& sizes_;
  const Value* a_;
  const Value* b_;
  const Value* step_a_;
  const Value* step_b_;
  double scale_;
  std::vector<double> powers_a_;
  std::vector<double> powers_b_;
  bool is_finite_ = true;
  std::vector<Value> finite_a_;
  std::vector<Value> finite_b_;
};

// std::fma is a call, so that the host's rounding applies to it.
template <class Value>
void add_in_order(const MatrixSizes& sizes, const Value* a, const Value* b, double* sum) {
  for (std::uint32_t row = 0; row < sizes.rows; ++row) {
    for (std::uint32_t column = 0; column < sizes.columns; ++column) {
      double& value = sum[std::size_t{row} * sizes.columns + column];
      for (std::uint32_t k = 0; k < sizes.depth; ++k) {
        const double left = a[std::size_t{row} * sizes.depth + k];
        const double right = b[std::size_t{k} * sizes.columns + column];
        value = number_or_nan(std::fma(left, right, value), is_nan(value) ? value : left, right);
      }
    }
  }
}

template <class Value>
void add_all(const TensorSum& how, const MatrixSizes& sizes, const Value* a, const Value* b, double* sum) {
  if (how.result == MatrixType::kF64) {
    const RoundingScope scope(how.rounding);
    add_in_order(sizes, a, b, sum);
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
  add_all(how, sizes, a, b, sum);
}

}  // namespace warpsim
