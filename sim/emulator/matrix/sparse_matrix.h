// The first factor of sparse products: of each four elements of a row two are stored (of 4 bits: two of four pairs; of
// 32 bits: one of two), with their places in metadata, 4 bits for each group.
//
// The lanes of a quad that `selector` names have the metadata of the rows of their group. Evidence: PTX ISA, "Sparse
// matrix storage" and the figures of the metadata's layouts; they are the same for mma.sp and wgmma.mma_async.sp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "emulator/matrix/matrix_fragment.h"

namespace warpsim {

struct SparseMatrix {
  MatrixType type = MatrixType::kF16;
  std::uint32_t columns = 0;  // with those that are not stored
  std::uint32_t selector = 0;

  // The column of a stored element. `metadata`: of all lanes.
  std::uint32_t column(const std::uint32_t* metadata, std::uint32_t row, std::uint32_t stored) const;

  // From `rows` rows of columns / 2 stored elements to whole rows.
  template <class T>
  void expand(const std::uint32_t* metadata, std::uint32_t rows, const T* stored, T* matrix) const {
    std::fill_n(matrix, std::size_t{rows} * columns, T{});
    const std::uint32_t kept = columns / 2;
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t i = 0; i < kept; ++i) {
        matrix[std::size_t{row} * columns + column(metadata, row, i)] = stored[std::size_t{row} * kept + i];
      }
    }
  }
};

}  // namespace warpsim
