// How tensor cores add products: D = A B + C.
//
// A step adds some products and the sum so far at once. All of them are aligned to the largest exponent among them: a
// product's is the sum of its factors' exponents, so that products of 1 to 4 count the same; what lies below the
// bits that are kept is cut off towards zero. The exact sum of the aligned values is rounded to the type of D: towards
// zero to single precision (of products of 8-bit floats to fewer bits), to nearest to half precision. Doubles are
// accumulated one after another by fused multiply-adds.
//
// Evidence: 9.0: 675,840 results of random and special matrices on an H100, mma and wgmma of all types, all bits
// equal (tests/hardware/tensor_cores). 7.0, 8.0 and 8.9: number of products and of bits as published for V100, A100 and
// L40S (F. A. Khattak and M. Mikaitis, "Accurate Models of NVIDIA Tensor Cores", arXiv:2512.07004; probes of
// huweim/emulation_sys on A100, RTX 4090 and H100). Guesses: 7.5 as 7.0; 8.6 and 8.7 as 8.0; 8-bit floats of 8.9 in
// steps of 16 products; the sum between two steps has the type of D.
#pragma once

#include <cstdint>

#include "emulator/matrix/matrix_fragment.h"
#include "emulator/numbers/rounding.h"

namespace warpsim {

struct TensorSum {
  MatrixType result = MatrixType::kF32;        // of C and D: kF32, kF16 or kF64
  std::uint32_t step = 16;                     // products
  int kept_bits = 25;                          // below the largest exponent
  int result_bits = 23;                        // of the fraction of a single-precision result
  Rounding rounding = Rounding::kNearestEven;  // of doubles
  // The exponents of subnormal factors, as powers of 2.
  double least_a = 0;
  double least_b = 0;
};

// `capability`: of the GPU, 90 for 9.0. Products of wgmma and, from 8.9 on, mma; see `halves_of_bytes` for mma of 9.0.
TensorSum tensor_sum(std::uint32_t capability, MatrixType a, MatrixType b, MatrixType result);

struct MatrixSizes {
  std::uint32_t rows = 0;
  std::uint32_t depth = 0;
  std::uint32_t columns = 0;
};

// Row by row; `sum` is C before and D after it. Elements are exact values of their types.
void add_products(const TensorSum& how, const MatrixSizes& sizes, const double* a, const double* b, double* sum);
void add_products(const TensorSum& how, const MatrixSizes& sizes, const float* a, const float* b, double* sum);

}  // namespace warpsim
