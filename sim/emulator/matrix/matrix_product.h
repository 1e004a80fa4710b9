// Products of small matrices as in tensor cores: D = A B + C.
//
// Sums of floating-point products are computed in double precision and rounded once to the type of D. Hardware
// truncates partial sums in an unspecified order; PTX allows both.
#pragma once

#include "emulator/matrix/matrix_fragment.h"
#include "emulator/matrix/sparse_matrix.h"

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
  bool saturates = false;  // integers: D is clamped
  BitProduct bits = BitProduct::kXor;
};
void execute(WarpContext& warp, const MatrixProduct& product);

}  // namespace warpsim
