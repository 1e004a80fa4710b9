// Products of small matrices as in tensor cores: D = A B + C.
//
// Floating-point products are added as tensor cores add them (tensor_sum.h). For 9.0 ptxas makes two products of halves
// of a product of 8-bit floats, one with the lower two bytes of each word, then one with the upper two, and adds their
// sum to C.
#pragma once

#include "emulator/matrix/matrix_fragment.h"
#include "emulator/matrix/sparse_matrix.h"
#include "emulator/numbers/rounding.h"

namespace warpsim {

enum class BitProduct : std::uint8_t { kXor, kAnd };

struct MatrixProduct {
  Fragment d;
  Fragment a;
  Fragment b;
  Fragment c;
  bool is_sparse = false;  // A has half of the columns of `sparse`
  SparseMatrix sparse;
  OperandPlace metadata = kNoPlace;
  bool saturates = false;                      // integers: D is clamped
  Rounding rounding = Rounding::kNearestEven;  // of doubles
  BitProduct bits = BitProduct::kXor;
};
void execute(WarpContext& warp, const MatrixProduct& product);

}  // namespace warpsim
