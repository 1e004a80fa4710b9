// Sums of tensor cores (tensor_sum.h) with the host's vectors of 512 bits.
#pragma once

#include "emulator/matrix/tensor_sum.h"

namespace warpsim {

// Adds the products as add_products() does. False, with nothing changed: the host has no such vectors, a factor is
// infinite or NaN, or the matrices are larger than those of an instruction.
bool add_products_in_vectors(const TensorSum& how, const MatrixSizes& sizes, const float* a, const float* b,
                             double* sum);

}  // namespace warpsim
