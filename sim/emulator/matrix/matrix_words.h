// Words of matrix instructions: shapes like .m16n8k16, types of elements.
#pragma once

#include <cstdint>
#include <optional>

#include "emulator/matrix/matrix_fragment.h"
#include "emulator/operations/operation_builder.h"

namespace warpsim {

// A is m by k, B k by n, C and D m by n.
struct MatrixShape {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
};
// Fails if there is none.
MatrixShape take_matrix_shape(OperationBuilder& builder);
// The first unread type word.
std::optional<MatrixType> take_matrix_type(OperationBuilder& builder);
MatrixType take_needed_matrix_type(OperationBuilder& builder);  // fails if there is none

}  // namespace warpsim
