#include "emulator/matrix/tensor_vectors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/host_vectors.h"
#include "emulator/matrix/matrix_elements.h"

#if defined(WARPSIM_HAS_VECTOR_FORMS)

// GCC 12's own functions pass values that are not set, where no lane takes them.
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop

namespace warpsim {

namespace {

// Every function here is for hosts that have_wide_vectors().
#define WARPSIM_WIDE [[gnu::target(WARPSIM_WIDE_VECTORS)]]

constexpr std::uint32_t kVector = 8;          // columns of a vector
constexpr std::uint32_t kTogether = 4;        // that are computed together
constexpr std::uint32_t kMostDepth = 64;      // of wgmma with sparse factors of 8 bits
constexpr std::uint32_t kMostFactors = 1024;  // of A: 16 rows

struct Factor {
  __m512d value;
  __m512d power;  // of two, of its exponent; 0 for 0
};

// Constants of a product.
struct Rules {
  __m512i exponent;
  __m512i kept_bits;    // at the place of an exponent
  __m512i one_squared;  // the exponents of two numbers whose product is 1, together
  __m512i fraction;     // the bits of a single-precision result
  __m512d most;         // from here on results are infinite
  __m512d least;        // below are subnormal results
  __m512d to_subnormal_units;
  __m512d subnormal_unit;
  bool is_half;
};

WARPSIM_WIDE Rules rules_of(const TensorSum& how) {
  Rules rules;
  constexpr int kLeastExponent = -126;
  constexpr std::int64_t kOneSquared = 2046;  // the exponent fields of two ones
  rules.exponent = _mm512_set1_epi64(static_cast<std::int64_t>(kDoubleExponent));
  rules.kept_bits = _mm512_set1_epi64(std::int64_t{how.kept_bits} << kDoubleFraction);
  rules.one_squared = _mm512_set1_epi64(kOneSquared << kDoubleFraction);
  rules.fraction = _mm512_set1_epi64(std::int64_t{-1} << (static_cast<int>(kDoubleFraction) - how.result_bits));
  rules.most = _mm512_set1_pd(0x1p128);
  rules.least = _mm512_set1_pd(0x1p-126);
  rules.to_subnormal_units = _mm512_set1_pd(std::ldexp(1.0, how.result_bits - kLeastExponent));
  rules.subnormal_unit = _mm512_set1_pd(std::ldexp(1.0, kLeastExponent - how.result_bits));
  rules.is_half = how.result == MatrixType::kF16;
  return rules;
}

WARPSIM_WIDE inline __m512d exponent_of(const Rules& rules, __m512d value) {
  return _mm512_castsi512_pd(_mm512_and_si512(_mm512_castpd_si512(value), rules.exponent));
}

// `least`: the power of subnormal numbers. Sets `others` if one is infinite or NaN.
WARPSIM_WIDE inline Factor factor_of(const Rules& rules, const float* values, double least, __mmask8& others) {
  Factor factor;
  factor.value = _mm512_cvtps_pd(_mm256_loadu_ps(values));
  const __m512d exponent = exponent_of(rules, factor.value);
  others |= _mm512_cmpeq_epi64_mask(_mm512_castpd_si512(exponent), rules.exponent);
  const __mmask8 is_number = _mm512_cmp_pd_mask(factor.value, _mm512_setzero_pd(), _CMP_NEQ_OQ);
  factor.power = _mm512_maskz_max_pd(is_number, exponent, _mm512_set1_pd(least));
  return factor;
}

WARPSIM_WIDE inline __m512d cut(__m512d value) {
  return _mm512_roundscale_pd(value, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

WARPSIM_WIDE inline __m512d infinity_like(const Rules& rules, __m512d value) {
  const __m512i sign = _mm512_andnot_si512(_mm512_set1_epi64(INT64_MAX), _mm512_castpd_si512(value));
  return _mm512_castsi512_pd(_mm512_or_si512(sign, rules.exponent));
}

// As rounded_to_half().
WARPSIM_WIDE inline __m512d halves_of(const Rules& rules, __m512d value) {
  const __m512d power = _mm512_max_pd(exponent_of(rules, value), _mm512_set1_pd(kLeastHalf));
  const __m512d shift = _mm512_mul_pd(power, _mm512_set1_pd(kHalfInteger));
  const __m512d number = _mm512_sub_pd(_mm512_add_pd(value, shift), shift);
  const __mmask8 overflows = _mm512_cmp_pd_mask(_mm512_abs_pd(number), _mm512_set1_pd(kHalfOverflow), _CMP_GE_OQ);
  return _mm512_mask_mov_pd(number, overflows, infinity_like(rules, value));
}

// Towards zero.
WARPSIM_WIDE inline __m512d singles_of(const Rules& rules, __m512d value) {
  const __m512d magnitude = _mm512_abs_pd(value);
  const __m512d usual = _mm512_castsi512_pd(_mm512_and_si512(_mm512_castpd_si512(value), rules.fraction));
  const __mmask8 is_small = _mm512_cmp_pd_mask(magnitude, rules.least, _CMP_LT_OQ);
  const __mmask8 is_large = _mm512_cmp_pd_mask(magnitude, rules.most, _CMP_GE_OQ);
  const __m512d units = cut(_mm512_mul_pd(value, rules.to_subnormal_units));
  const __m512d number = _mm512_mask_mul_pd(usual, is_small, units, rules.subnormal_unit);
  return _mm512_mask_mov_pd(number, is_large, infinity_like(rules, value));
}

// Adds `count` products in a step to the sums of kTogether rows: of `a`, the same in all columns, and `b`. Rows follow
// each other at a distance of `depth`. Several rows at a time, since each is a chain of dependent additions.
WARPSIM_WIDE inline void add_step(const Rules& rules, const double* a, const double* powers_of_a, std::size_t depth,
                                  const Factor* b, std::uint32_t count, __m512d (&sums)[kTogether]) {
  __mmask8 is_finite[kTogether];
  __m512d total[kTogether];
  __m512d largest[kTogether];
  for (std::uint32_t row = 0; row < kTogether; ++row) {
    is_finite[row] = _mm512_cmpneq_epi64_mask(_mm512_castpd_si512(exponent_of(rules, sums[row])), rules.exponent);
    total[row] = _mm512_maskz_mov_pd(is_finite[row], sums[row]);
    largest[row] = exponent_of(rules, total[row]);
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    for (std::uint32_t row = 0; row < kTogether; ++row) {
      largest[row] =
          _mm512_max_pd(largest[row], _mm512_mul_pd(_mm512_set1_pd(powers_of_a[row * depth + k]), b[k].power));
    }
  }
  // To integers: the unit is the last bit that is kept, a power of two like `largest`. If that is 0, so are all.
  __m512d to_units[kTogether];
  for (std::uint32_t row = 0; row < kTogether; ++row) {
    const __m512i bits = _mm512_castpd_si512(largest[row]);
    const __mmask8 is_some = _mm512_test_epi64_mask(bits, bits);
    to_units[row] = _mm512_castsi512_pd(
        _mm512_maskz_sub_epi64(is_some, _mm512_add_epi64(rules.one_squared, rules.kept_bits), bits));
    largest[row] = _mm512_castsi512_pd(_mm512_maskz_sub_epi64(is_some, bits, rules.kept_bits));  // the unit
    total[row] = cut(_mm512_mul_pd(total[row], to_units[row]));
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    for (std::uint32_t row = 0; row < kTogether; ++row) {
      const __m512d product = _mm512_mul_pd(_mm512_set1_pd(a[row * depth + k]), b[k].value);
      total[row] = _mm512_add_pd(total[row], cut(_mm512_mul_pd(product, to_units[row])));
    }
  }
  for (std::uint32_t row = 0; row < kTogether; ++row) {
    total[row] = _mm512_mul_pd(total[row], largest[row]);
    total[row] = rules.is_half ? halves_of(rules, total[row]) : singles_of(rules, total[row]);
    // Adding 0 makes 0 of -0, which tensor cores do not produce.
    sums[row] = _mm512_mask_add_pd(sums[row], is_finite[row], total[row], _mm512_setzero_pd());
  }
}

struct LeftFactors {
  std::array<double, kMostFactors> values;
  std::array<double, kMostFactors> powers;
};

WARPSIM_WIDE bool add_in_vectors(const TensorSum& how, const MatrixSizes& sizes, const float* a, const float* b,
                                 double* sum) {
  const Rules rules = rules_of(how);
  const std::uint32_t factors = sizes.rows * sizes.depth;
  __mmask8 others = 0;
  LeftFactors left;
  for (std::uint32_t i = 0; i < factors; i += kVector) {
    const Factor factor = factor_of(rules, a + i, how.least_a, others);
    _mm512_storeu_pd(left.values.data() + i, factor.value);
    _mm512_storeu_pd(left.powers.data() + i, factor.power);
  }
  for (std::uint32_t i = 0; i < sizes.depth * sizes.columns; i += kVector) {
    factor_of(rules, b + i, how.least_b, others);
  }
  if (others != 0) {
    return false;
  }
  Factor right[kMostDepth];
  for (std::uint32_t column = 0; column < sizes.columns; column += kVector) {
    for (std::uint32_t k = 0; k < sizes.depth; ++k) {
      right[k] = factor_of(rules, b + std::size_t{k} * sizes.columns + column, how.least_b, others);
    }
    for (std::uint32_t row = 0; row < sizes.rows; row += kTogether) {
      double* const place = sum + std::size_t{row} * sizes.columns + column;
      __m512d sums[kTogether];
      for (std::uint32_t i = 0; i < kTogether; ++i) {
        sums[i] = _mm512_loadu_pd(place + std::size_t{i} * sizes.columns);
      }
      for (std::uint32_t k = 0; k < sizes.depth; k += how.step) {
        const std::size_t first = std::size_t{row} * sizes.depth + k;
        add_step(rules, left.values.data() + first, left.powers.data() + first, sizes.depth, right + k,
                 std::min(how.step, sizes.depth - k), sums);
      }
      for (std::uint32_t i = 0; i < kTogether; ++i) {
        _mm512_storeu_pd(place + std::size_t{i} * sizes.columns, sums[i]);
      }
    }
  }
  return true;
}

#undef WARPSIM_WIDE

}  // namespace

bool add_products_in_vectors(const TensorSum& how, const MatrixSizes& sizes, const float* a, const float* b,
                             double* sum) {
  const std::uint32_t factors = sizes.rows * sizes.depth;
  if (!has_wide_forms() || how.result == MatrixType::kF64 || sizes.depth > kMostDepth || factors > kMostFactors ||
      factors % kVector != 0 || sizes.rows % kTogether != 0 || sizes.columns % kVector != 0) {
    return false;
  }
  return add_in_vectors(how, sizes, a, b, sum);
}

}  // namespace warpsim

#else

namespace warpsim {

bool add_products_in_vectors(const TensorSum& /*how*/, const MatrixSizes& /*sizes*/, const float* /*a*/,
                             const float* /*b*/, double* /*sum*/) {
  return false;
}

}  // namespace warpsim

#endif
