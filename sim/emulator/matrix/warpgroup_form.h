// The form of a warpgroup product: types, places and layouts of its matrices.
#pragma once

#include <cstdint>

#include "emulator/matrix/matrix_fragment.h"

namespace warpsim {

// Packed into Operation::offset.
struct WarpgroupForm {
  MatrixType d = MatrixType::kF32;
  MatrixType a = MatrixType::kF16;
  MatrixType b = MatrixType::kF16;
  bool a_in_registers = false;
  bool a_along_rows = false;  // transposed
  bool b_along_rows = false;
  bool negates = false;  // one of the factors
  bool saturates = false;
  bool sparse = false;
  std::uint8_t selector = 0;  // of metadata

  std::int64_t packed() const {
    return static_cast<std::int64_t>(d) | static_cast<std::int64_t>(a) << 8 | static_cast<std::int64_t>(b) << 16 |
           std::int64_t{a_in_registers} << 24 | std::int64_t{a_along_rows} << 25 | std::int64_t{b_along_rows} << 26 |
           std::int64_t{negates} << 27 | std::int64_t{saturates} << 28 | std::int64_t{sparse} << 29 |
           std::int64_t{selector} << 30;
  }
  static WarpgroupForm unpacked(std::int64_t packed) {
    const auto bit = [packed](int number) { return (packed >> number & 1) != 0; };
    const auto type = [packed](int first) { return static_cast<MatrixType>(packed >> first & 0xff); };
    return {type(0), type(8), type(16), bit(24), bit(25),
            bit(26), bit(27), bit(28),  bit(29), static_cast<std::uint8_t>(packed >> 30 & 3)};
  }
};

}  // namespace warpsim
