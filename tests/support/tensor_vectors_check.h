// Compares sums of tensor cores that the host's vectors compute with those of plain loops.
#pragma once

#include <vector>

#include "emulator/matrix/tensor_sum.h"

namespace warpsim::test {

struct ProductValues {
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> sum;
};

// Whether both give the same bits of the result's type. Factors are exact in single precision.
inline bool same_in_vectors(const TensorSum& how, const MatrixSizes& sizes, const ProductValues& values) {
  const std::vector<float> a(values.a.begin(), values.a.end());
  const std::vector<float> b(values.b.begin(), values.b.end());
  std::vector<double> plain = values.sum;
  std::vector<double> in_vectors = values.sum;
  add_products(how, sizes, values.a.data(), values.b.data(), plain.data());
  add_products(how, sizes, a.data(), b.data(), in_vectors.data());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (float_bits(how.result, plain[i]) != float_bits(how.result, in_vectors[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace warpsim::test
